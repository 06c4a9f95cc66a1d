"""What is asked of a session in a history, step by step, so that it can be asked again.

A step is data: a method of `Session` with its arguments. Entries are named by the steps that wrote them, so that a step
means the same where other steps are left out.
"""

from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from strategies import clock, drawn

from ledger.commands import ApplyModifier, Overrule
from ledger.draw import SEED
from ledger.stores import Store
from replays.api.session import Session
from replays.corrections.recorded_answers import original
from replays.sessions import ports
from replays.sessions.log import Log

WRITES = ("perform", "perform_all", "rewind", "undo", "redo", "overrule", "modify", "amend")
READS = ("preview", "whatif")
"""Methods of `Session` that are steps; those that write take an idempotency key."""
BY_NUMBER = ("rewind", "amend", "preview", "whatif")
"""Methods whose first argument is an entry."""
_OF_A_ROLL = {"modify": ApplyModifier, "overrule": Overrule}
"""Methods that correct a roll, with the command that each stands for."""
NAME = "FIGHT"
_SHOWN = 500
"""Letters of an argument."""


class LawBroken(AssertionError):
    """Reports a law that does not hold.

    Attributes:
        law: As one sentence.
    """

    def __init__(self, law: str, found: object) -> None:
        super().__init__(f"{law}: {found}")
        self.law = law


def hold(law: str, found: bool, what: object = "") -> None:
    """Raises `LawBroken` unless something is so."""
    if not found:
        raise LawBroken(law, what)


class Opening(msgspec.Struct, frozen=True):
    """How a session of a history begins."""

    ruleset: str
    profile: str = ""
    options: dict[str, Any] = {}
    policies: dict[str, str] = {}
    sealed: bool = False
    """Are its dice drawn from a seed that it commits to?"""

    def create(self, store: Store) -> Session:
        """Creates the session, the same each time."""
        with patch.object(ports, "new_seed", lambda: bytes(range(SEED))):
            return Session.create(
                store, ruleset=self.ruleset, profile=self.profile, options=self.options, policies=self.policies,
                session=NAME, clock=clock, draw=None if self.sealed else drawn,
            )  # fmt: skip

    def open(self, store: Store) -> Session:
        """Opens the session again, as another program would."""
        return Session(store, NAME, clock=clock, draw=None if self.sealed else drawn)


class Of(NamedTuple):
    """An entry: which one of those that a step has written."""

    step: int
    nth: int = 0
    again: bool = False
    """Is it the entry on the line that performs that one again?"""


class Written:
    """The entries of a session by the steps that wrote them; step 0 is the opening."""

    def __init__(self) -> None:
        self._stretches: dict[int, range] = {0: range(1, 2)}

    def add(self, step: int, first: int, last: int) -> None:
        """Adds what a step has written."""
        self._stretches[step] = range(first, last + 1)

    def of(self, seq: object, log: Log) -> object:
        """Returns an entry's number as `Of`; as it is, where it is none."""
        if type(seq) is not int or not 1 <= seq <= log.last:
            return seq
        first = self._of(original(log.entry(seq), log.entry).seq, again=True)
        return first if self.seq(first, log) == seq else self._of(seq)

    def _of(self, seq: int, *, again: bool = False) -> Of:
        found = (Of(step, seq - all_.start, again) for step, all_ in self._stretches.items() if seq in all_)
        return next(found)

    def seq(self, argument: object, log: Log) -> object:
        """Returns the number of an entry, 0 where the step has not written it; any other argument as it is."""
        if not isinstance(argument, Of):
            return argument
        stretch = self._stretches.get(argument.step, range(0))
        found = stretch[argument.nth] if argument.nth < len(stretch) else 0
        if not argument.again:
            return found
        return next((each.seq for each in log.newest_first() if original(each, log.entry).seq == found), found)


class Step(NamedTuple):
    """One request."""

    number: int
    """By which other steps know it; it stays where steps before it are left out."""
    method: str
    """Of `Session`."""
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    keyed: bool = False
    """Is it asked under an idempotency key, and repeated under it?"""

    def numbered(self, log: Log, written: Written) -> "Step":
        """Returns the step with the numbers of entries, as they are now.

        Args:
            log: The session's.
            written: What the steps before it have written there.
        """
        return self._replace(arguments=tuple(written.seq(each, log) for each in self.arguments))

    def ask(self, session: Session) -> Any:
        """Asks a session for it; what is returned or raised is the session's."""
        under = {"batch": f"request {self.number}"} if self.keyed else {}
        return getattr(session, self.method)(*self.arguments, **self.options, **under)

    def preview(self, session: Session) -> Any:
        """Returns what the correction would come to; None where the step is no correction."""
        if self.method == "amend":
            return session.preview(*self.arguments, **self.options)
        if self.method not in _OF_A_ROLL:
            return None
        options = dict(self.options)
        command = _OF_A_ROLL[self.method](*self.arguments, options.pop("why"))
        return session.preview_roll(command, **options)

    def __str__(self) -> str:
        """The step as a line of Python, with long values cut short."""
        named = [f"{name}={value!r}" for name, value in self.options.items()]
        given = ", ".join(each[:_SHOWN] for each in (*map(repr, self.arguments), *named))
        return f"{self.number:4}  session.{self.method}({given}){'  # twice, under a key' if self.keyed else ''}"
