"""The requests of a history as data, so that they can be repeated.

A step is a method of `Session` with its arguments. Entries are identified by the steps that wrote them, so that a step
has the same meaning where other steps are omitted.
"""

from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from strategies import clock, drawn

from ledger.commands import ApplyModifier, Overrule
from ledger.draw import SEED
from ledger.stores import Store
from replays.api.session import Session
from replays.sessions import ports
from replays.sessions.log import Log

WRITES = ("perform", "perform_all", "rewind", "undo", "redo", "overrule", "modify", "amend")
READS = ("preview", "whatif")
"""Methods of `Session` that are steps, and only read; those of `WRITES` take an idempotency key."""
BY_NUMBER = ("rewind", "amend", "preview", "whatif")
"""Methods whose first argument is an entry."""
_OF_A_ROLL = {"modify": ApplyModifier, "overrule": Overrule}
"""Methods that correct a roll, with the command that each performs."""
NAME = "FIGHT"
_SHOWN = 500
"""The displayed length of an argument."""


class LawBroken(AssertionError):
    """Reports a broken law.

    Attributes:
        law: The law as a sentence.
    """

    def __init__(self, law: str, found: object) -> None:
        super().__init__(f"{law}: {found}")
        self.law = law


def hold(law: str, found: bool, what: object = "") -> None:
    """Raises `LawBroken` unless a condition holds."""
    if not found:
        raise LawBroken(law, what)


class Opening(msgspec.Struct, frozen=True):
    """The opening of a session of a history."""

    ruleset: str
    profile: str = ""
    options: dict[str, Any] = {}
    policies: dict[str, str] = {}
    sealed: bool = False
    """Whether dice are drawn from a committed seed."""

    def create(self, store: Store) -> Session:
        """Creates the session; it is the same each time."""
        with patch.object(ports, "new_seed", lambda: bytes(range(SEED))):
            return Session.create(
                store, ruleset=self.ruleset, profile=self.profile, options=self.options, policies=self.policies,
                session=NAME, clock=clock, draw=None if self.sealed else drawn,
            )  # fmt: skip

    def open(self, store: Store) -> Session:
        """Opens the session again, like another program."""
        return Session(store, NAME, clock=clock, draw=None if self.sealed else drawn)


class Of(NamedTuple):
    """An entry, identified by its step and its place among the step's entries."""

    step: int
    nth: int = 0
    again: bool = False
    """Whether the entry on the current line is meant that performs it again."""


class Written:
    """The entries of a session by the steps that wrote them; step 0 is the opening."""

    def __init__(self) -> None:
        self._stretches: dict[int, range] = {0: range(1, 2)}

    def add(self, step: int, first: int, last: int) -> None:
        """Adds the entries of a step."""
        self._stretches[step] = range(first, last + 1)

    def of(self, seq: object, log: Log) -> object:
        """Returns an entry's number as `Of`; any other argument unchanged."""
        if type(seq) is not int or not 1 <= seq <= log.last:
            return seq
        first = self._of(log.original(log.entry(seq)).seq, again=True)
        return first if self.seq(first, log) == seq else self._of(seq)

    def _of(self, seq: int, *, again: bool = False) -> Of:
        found = (Of(step, seq - all_.start, again) for step, all_ in self._stretches.items() if seq in all_)
        return next(found)

    def seq(self, argument: object, log: Log) -> object:
        """Returns the number of an entry, 0 where the step has not written it; any other argument unchanged."""
        if not isinstance(argument, Of):
            return argument
        stretch = self._stretches.get(argument.step, range(0))
        found = stretch[argument.nth] if argument.nth < len(stretch) else 0
        if not argument.again:
            return found
        return next((each.seq for each in log.newest_first() if log.original(each).seq == found), found)


class Step(NamedTuple):
    """A request of a history."""

    number: int
    """Identifies the step in other steps; it does not change when earlier steps are omitted."""
    method: str
    """The name of a method of `Session`."""
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    keyed: bool = False
    """Whether it has an idempotency key, and is repeated with it."""

    def numbered(self, log: Log, written: Written) -> "Step":
        """Returns the step with present numbers of entries.

        Args:
            log: The session's log.
            written: The entries of the earlier steps.
        """
        return self._replace(arguments=tuple(written.seq(each, log) for each in self.arguments))

    def ask(self, session: Session) -> Any:
        """Makes the request to a session; returns or raises what the session does."""
        under = {"batch": f"request {self.number}"} if self.keyed else {}
        return getattr(session, self.method)(*self.arguments, **self.options, **under)

    def preview(self, session: Session) -> Any:
        """Returns the preview of a correction; None where the step is no correction."""
        if self.method == "amend":
            return session.preview(*self.arguments, **self.options)
        if self.method not in _OF_A_ROLL:
            return None
        options = dict(self.options)
        command = _OF_A_ROLL[self.method](*self.arguments, options.pop("why"))
        return session.preview_roll(command, **options)

    def __str__(self) -> str:
        """Returns the step as a line of Python with shortened values."""
        named = [f"{name}={value!r}" for name, value in self.options.items()]
        given = ", ".join(each[:_SHOWN] for each in (*map(repr, self.arguments), *named))
        return f"{self.number:4}  session.{self.method}({given}){'  # twice, under a key' if self.keyed else ''}"
