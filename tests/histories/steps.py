"""What is asked of a session in a history, step by step, so that it can be asked again, and what holds of each step.

A step is data: a method of `Session` with its arguments. Entries are named by how far back they are, so that a step
means nearly the same where steps before it are left out.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from strategies import bare, clock, drawn

from ledger.draw import SEED
from ledger.entry import Entry
from ledger.errors import Broken, Damaged, Inconsistent, Refused
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from replays import doors
from replays.amending import Amendment
from replays.log import Log
from replays.recorded import ROLLS, underlying
from replays.session import Session

WRITES = ("perform", "performed", "rewind", "undo", "redo", "overrule", "modify", "amend")
READS = ("preview", "whatif")
"""Methods of `Session` that are steps; those that write take an idempotency key."""
_BY_NUMBER = ("rewind", "amend", "preview", "whatif")
"""Methods whose first argument is an entry."""
_OUR_FAULT = (Inconsistent, Damaged, Broken)
"""Refusals that say of our own record that it cannot be read."""
NAME = "FIGHT"


class Law(StrEnum):
    """What must hold of each step."""

    RAISED = "nothing but a refusal is raised"
    REASON = "a refusal says why"
    REFUSED = "what is refused changes nothing"
    REFUSED_AGAIN = "what is refused is refused again for the same reason"
    READABLE = "our own record can be read"
    ANSWERED = "what is answered are the entries that were written"
    REPEATED = "a request that is repeated under its key is answered as it was"
    REPEATED_IDLY = "a request that is repeated under its key changes nothing"
    PREVIEW = "a preview writes nothing"
    PREVIEW_REFUSED = "a preview and what it previews are refused alike"
    AMENDED = "an amendment comes to what its preview says"
    NOTHING_LOST = "what stood behind a correction comes again, waits or is set aside"
    TAILS = "dice that a smaller pool has no use for are set aside"


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
        with patch.object(doors, "new_seed", lambda: bytes(range(SEED))):
            return Session.create(
                store, ruleset=self.ruleset, profile=self.profile, options=self.options, policies=self.policies,
                session=NAME, clock=clock, draw=None if self.sealed else drawn,
            )  # fmt: skip

    def open(self, store: Store) -> Session:
        """Opens the session again, as another program would."""
        return Session(store, NAME, clock=clock, draw=None if self.sealed else drawn)


class Back(NamedTuple):
    """An entry, by how many were written after it."""

    entries: int


class Step(NamedTuple):
    """One request."""

    method: str
    """Of `Session`."""
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    keyed: bool = False
    """Is it asked under an idempotency key, and repeated under it?"""

    def ask(self, session: Session, key: str | None = None) -> Any:
        """Asks a session for it; what is returned or raised is the session's."""
        last = session.log.last
        given = [last - each.entries if isinstance(each, Back) else each for each in self.arguments]
        under = {"batch": key} if key is not None else {}
        return getattr(session, self.method)(*given, **self.options, **under)

    def __str__(self) -> str:
        """The step as a line of Python, with long values cut short."""
        named = [f"{name}={value!r}" for name, value in self.options.items()]
        given = ", ".join(each[:500] for each in (*map(repr, self.arguments), *named))
        return f"session.{self.method}({given}){'  # twice, under a key' if self.keyed else ''}"


class Then(NamedTuple):
    """What was so when the log had so many entries."""

    last: int
    head: int
    combat: Combat


class Answered(NamedTuple):
    """A request under an idempotency key, and what was answered."""

    ask: Callable[[Session], Any]
    answer: Any


class Recorder:
    """A session whose requests are recorded and held to the laws of a step; else it is the session.

    Args:
        opening: How the session begins.
        is_keyed: Tells of each request whether it has an idempotency key.
    """

    def __init__(self, opening: Opening, is_keyed: Callable[[], bool] = lambda: False) -> None:
        self.opening = opening
        self.store = MemoryStore()
        self.session = opening.create(self.store)
        self.steps: list[Step] = []
        self.lived = [self._then()]
        self.answered: list[Answered] = []
        self._is_keyed = is_keyed

    def __getattr__(self, name: str) -> Any:
        if name in WRITES or name in READS:
            return partial(self._request, name)
        return getattr(self.session, name)

    def _request(self, method: str, *arguments: Any, **options: Any) -> Any:
        first = arguments[0] if arguments else None
        if method in _BY_NUMBER and type(first) is int:
            arguments = (Back(self.session.log.last - first), *arguments[1:])
        return self.take(Step(method, arguments, options, method in WRITES and self._is_keyed()))

    def take(self, step: Step) -> Any:
        """Takes a step.

        Raises:
            Refused: It cannot be; nothing was changed.
            LawBroken: A law of a step does not hold.
        """
        self.steps.append(step)
        key = f"request {len(self.steps)}" if step.keyed else None
        before = self._then()
        preview = self._preview(step)
        answer = self._asked(step, key, before)
        if isinstance(answer, Refused):
            hold(Law.PREVIEW_REFUSED, preview is None or _slug(preview) == answer.slug, preview)
            raise answer
        if step.method in READS:
            self._check_unchanged(Law.PREVIEW, before)
            return answer
        self._check_written(before, _entries(answer))
        if isinstance(answer, Amendment):
            self._check_amendment(answer, preview, before)
        if key is not None:
            self._repeat(step, key, before.last, answer)
        self.lived.append(self._then())
        return answer

    def take_all(self, steps: Sequence[Step]) -> None:
        """Takes steps, whether they are refused or not."""
        for step in steps:
            try:
                self.take(step)
            except Refused:
                continue

    def _then(self) -> Then:
        log = self.session.log
        return Then(log.last, log.head, log.combat)

    # -------------------------------------------------------------------------------------------- the laws of a step

    def _asked(self, step: Step, key: str | None, before: Then) -> Any:
        """What is answered, a refusal among it."""
        try:
            return step.ask(self.session, key)
        except Refused as refusal:
            self._check_unchanged(Law.REFUSED, before)
            hold(Law.REASON, "/" in refusal.slug and bool(refusal.message), repr(refusal))
            hold(Law.READABLE, not isinstance(refusal, _OUR_FAULT), refusal)
            if key is not None:
                self._repeat_refused(step, key, refusal, before)
            return refusal
        except Exception as error:
            raise LawBroken(Law.RAISED, f"{type(error).__name__}: {error!s:.300}") from error

    def _repeat_refused(self, step: Step, key: str, refusal: Refused, before: Then) -> None:
        """Asks again for what was refused: the key was not used up, and the reason is the same."""
        try:
            step.ask(self.session, key)
        except Refused as again:
            hold(Law.REFUSED_AGAIN, again.slug == refusal.slug, f"{refusal}; {again}")
        else:
            raise LawBroken(Law.REFUSED_AGAIN, f"{refusal}; then it was performed")
        self._check_unchanged(Law.REFUSED, before)

    def _repeat(self, step: Step, key: str, last: int, answer: Any) -> None:
        """Asks for the same under the same key."""
        # An entry that is named by how far back it is, is the one that was meant the first time.
        given = tuple(last - each.entries if isinstance(each, Back) else each for each in step.arguments)
        ask = partial(_ask_again, step._replace(arguments=given), key)
        self.answered.append(Answered(ask, answer))
        before = self._then()
        check_repeats(self.session, self.answered[-1:])
        self._check_unchanged(Law.REPEATED_IDLY, before)

    def _check_unchanged(self, law: str, before: Then) -> None:
        now = self._then()
        hold(law, now == before, f"{before.last} entries, head {before.head}; then {now.last} entries, head {now.head}")
        hold(law, self.store.head(NAME).seq == before.last, "the store has more entries")

    def _check_written(self, before: Then, entries: Sequence[Entry]) -> None:
        written = list(self.session.entries(after=before.last))
        law = Law.ANSWERED
        hold(law, bool(written) and list(entries) == written[: len(entries)], f"{entries}; {written}")

    def _preview(self, step: Step) -> Any:
        """What is previewed of an amendment, a refusal among it."""
        if step.method != "amend":
            return None
        try:
            return step._replace(method="preview").ask(self.session)
        except Refused as refusal:
            return refusal
        except Exception as error:
            raise LawBroken(Law.RAISED, f"{type(error).__name__}: {error!s:.300}") from error

    def _check_amendment(self, made: Amendment, preview: Any, before: Then) -> None:
        law = Law.AMENDED
        hold(law, preview == msgspec.structs.replace(made.report, kind="preview"), preview)
        hold(law, bare(self.session.state()) == bare(made.report.after), "the state is another one")
        log, behind = self.session.log, set(self.session.log.timeline.line(head=before.head, since=made.report.entry))
        used, aside = {entry.origin for entry in made.entries}, {each.entry for each in made.report.set_aside}
        waits = {each.entry for each in made.report.waits}
        lost = [seq for seq in behind - used - aside - waits if type(log.entry(seq).command).__name__ != "Amend"]
        hold(Law.NOTHING_LOST, not lost, f"entries {lost}")
        told = {(each.entry, each.what) for each in made.report.set_aside}
        for entry in made.entries:
            tail = _tail(log, entry)
            hold(Law.TAILS, not tail or (entry.origin, tail) in told, tail)


def _tail(log: Log, entry: Entry) -> str:
    """The faces of the roll that an entry performs again and does not use, as a report has them; empty: none."""
    if entry.origin is None:
        return ""
    now, was = underlying(entry, log.entry)[0], underlying(log.entry(entry.origin), log.entry)[0]
    if not isinstance(now, ROLLS) or not isinstance(was, ROLLS) or len(now.faces) >= len(was.faces):
        return ""
    return f"{' '.join(map(str, was.faces[len(now.faces) :]))} of {now.key}"


def _ask_again(step: Step, key: str, session: Session) -> Any:
    return step.ask(session, key)


def check_repeats(session: Session, answered: Sequence[Answered]) -> None:
    """Checks that requests are answered as they were, when they are repeated under their keys."""
    law = Law.REPEATED
    for ask, answer in answered:
        try:
            again = ask(session)
        except Exception as error:
            raise LawBroken(law, f"{type(error).__name__}: {error!s:.300}") from error
        hold(law, again == answer, f"{answer}; then {again}")


def _entries(answer: Any) -> list[Entry]:
    """The entries of an answer, whichever method gave it."""
    if isinstance(answer, Amendment):
        return list(answer.entries)
    return [answer] if isinstance(answer, Entry) else list(answer)


def _slug(found: object) -> str:
    return found.slug if isinstance(found, Refused) else ""
