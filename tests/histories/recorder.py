"""Records the requests to a session, and checks the laws of a step for each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

import msgspec
from histories.steps import BY_NUMBER, NAME, READS, WRITES, LawBroken, Opening, Step, Written, hold
from strategies import bare

from ledger.commands import Amend
from ledger.entry import Entry
from ledger.errors import Broken, Damaged, Inconsistent, Refused
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from replays.api.session import Session
from replays.corrections.amend import Amendment
from replays.corrections.diff import Report, RollReport
from replays.corrections.recorded_answers import ROLLS, underlying
from replays.sessions.drafts import DrawsNothing
from replays.sessions.log import Log

_OUR_FAULT = (Inconsistent, Damaged, Broken)
"""Refusals that report a damaged record; they would be faults of the engine."""


class Law(StrEnum):
    """The laws that each step must keep."""

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
    CORRECTED = "a modifier or an overruling of a thrown roll comes to what its preview says"
    CLOSED = "nothing is written in a closed session"
    NOTHING_LOST = "what stood behind a correction comes again, waits or is set aside"
    FACES = "a die that is read again shows what it showed"
    TAILS = "dice that a smaller pool has no use for are set aside"


class EarlierState(NamedTuple):
    """The state at a length of the log."""

    last: int
    head: int
    combat: Combat


class Answered(NamedTuple):
    """A request with an idempotency key, and its response."""

    step: Step
    answer: Any


class Recorder:
    """A session whose requests are recorded and checked; other attributes are those of the session.

    Args:
        opening: How the session begins.
        is_keyed: Returns whether the next request has an idempotency key.
    """

    def __init__(self, opening: Opening, is_keyed: Callable[[], bool] = lambda: False) -> None:
        self.opening = opening
        self.store = MemoryStore()
        self.session = opening.create(self.store)
        self.steps: list[Step] = []
        self.lived = [self._then()]
        self.answered: list[Answered] = []
        self._is_keyed = is_keyed
        self._written = Written()

    def __getattr__(self, name: str) -> Any:
        if name in WRITES or name in READS:
            return partial(self._request, name)
        return getattr(self.session, name)

    def _request(self, method: str, *arguments: Any, **options: Any) -> Any:
        if method in BY_NUMBER:
            arguments = (*(self._written.of(each, self.session.log) for each in arguments[:1]), *arguments[1:])
        return self.take(Step(len(self.steps) + 1, method, arguments, options, method in WRITES and self._is_keyed()))

    def take(self, step: Step) -> Any:
        """Takes a step.

        Raises:
            Refused: The step is refused; nothing was changed.
            LawBroken: A law of a step does not hold.
        """
        self.steps.append(step)
        step = step.numbered(self.session.log, self._written)
        before = self._then()
        waited = {entry.seq for entry in self.session.waiting.entries()}
        preview = self._preview(step, before)
        answer = self._asked(step, before)
        if isinstance(answer, Refused):
            hold(Law.PREVIEW_REFUSED, preview is None or _slug(preview) == answer.slug, preview)
            raise answer
        hold(Law.PREVIEW_REFUSED, not isinstance(preview, Refused), preview)
        if step.method in READS:
            self._check_unchanged(Law.PREVIEW, before)
            return answer
        hold(Law.CLOSED, before.combat.session.is_open, answer)
        written = self._check_written(before, _entries(answer))
        if step.method in ("overrule", "modify"):
            for key, _, was, now in _thrown_again(self.session.log, written):
                hold(Law.FACES, now == was[: len(now)], f"{key}: {was}, then {now}")
        if isinstance(answer, Amendment):
            self._check_amendment(answer, preview, before)
            self._check_nothing_lost(answer.report, waited, written, before)
        elif isinstance(preview, RollReport):
            hold(Law.CORRECTED, bare(self.session.state()) == bare(preview.after), "the state is another one")
            self._check_nothing_lost(preview, waited, written, before)
        self._written.add(step.number, before.last + 1, self.session.log.last)
        if step.keyed:
            self._repeat(step, answer)
        self.lived.append(self._then())
        return answer

    def take_all(self, steps: Sequence[Step]) -> None:
        """Takes steps; some may be refused."""
        for step in steps:
            try:
                self.take(step)
            except Refused:
                continue

    def _then(self) -> EarlierState:
        log = self.session.log
        return EarlierState(log.last, log.head, log.combat)

    # -------------------------------------------------------------------------------------------- the laws of a step

    def _asked(self, step: Step, before: EarlierState) -> Any:
        """Returns the response, which may be a refusal."""
        try:
            return step.ask(self.session)
        except Refused as refusal:
            self._check_unchanged(Law.REFUSED, before)
            hold(Law.REASON, "/" in refusal.slug and bool(refusal.message), repr(refusal))
            hold(Law.READABLE, not isinstance(refusal, _OUR_FAULT), refusal)
            if step.keyed:
                self._repeat_refused(step, refusal, before)
            return refusal
        except Exception as error:
            raise LawBroken(Law.RAISED, f"{type(error).__name__}: {error!s:.300}") from error

    def _repeat_refused(self, step: Step, refusal: Refused, before: EarlierState) -> None:
        """Repeats a refused request: its key is still free, and the reason is the same."""
        try:
            step.ask(self.session)
        except Refused as again:
            hold(Law.REFUSED_AGAIN, again.slug == refusal.slug, f"{refusal}; {again}")
        else:
            raise LawBroken(Law.REFUSED_AGAIN, f"{refusal}; then it was performed")
        self._check_unchanged(Law.REFUSED, before)

    def _repeat(self, step: Step, answer: Any) -> None:
        """Repeats a request with the same key."""
        self.answered.append(Answered(step, answer))
        before = self._then()
        check_repeats(Law.REPEATED, self.session, self.answered[-1:])
        self._check_unchanged(Law.REPEATED_IDLY, before)

    def _check_unchanged(self, law: str, before: EarlierState) -> None:
        now = self._then()
        hold(law, now == before, f"{before.last} entries, head {before.head}; then {now.last} entries, head {now.head}")
        hold(law, self.store.head(NAME).seq == before.last, "the store has more entries")

    def _check_written(self, before: EarlierState, entries: Sequence[Entry]) -> list[Entry]:
        written = list(self.session.entries(after=before.last))
        law = Law.ANSWERED
        hold(law, bool(written) and list(entries) == written[: len(entries)], f"{entries}; {written}")
        return written

    def _preview(self, step: Step, before: EarlierState) -> Any:
        """Returns the preview of a correction, or its refusal; None where there is no preview."""
        try:
            found = step.preview(self.session)
        except Refused as refusal:
            found = refusal if not isinstance(refusal, DrawsNothing) else None
        except Exception as error:
            raise LawBroken(Law.RAISED, f"{type(error).__name__}: {error!s:.300}") from error
        self._check_unchanged(Law.PREVIEW, before)
        return found

    def _check_amendment(self, made: Amendment, preview: Any, before: EarlierState) -> None:
        law = Law.AMENDED
        hold(law, preview in (None, msgspec.structs.replace(made.report, kind="preview")), preview)
        hold(law, bare(self.session.state()) == bare(made.report.after), "the state is another one")
        log, behind = self.session.log, set(self.session.log.timeline.line(head=before.head, since=made.report.entry))
        told, changed = {(each.entry, each.what) for each in made.report.set_aside}, made.report.change.get("dice", {})
        for key, origin, was, now in _thrown_again(log, [each for each in made.entries if each.origin in behind]):
            tail = f"{' '.join(map(str, was[len(now) :]))} of {key}"
            hold(Law.TAILS, len(now) >= len(was) or (origin, tail) in told, tail)
            hold(Law.FACES, key in changed or now == was[: len(now)], f"{key}: {was}, then {now}")

    def _check_nothing_lost(
        self, report: Report, waited: set[int], written: Sequence[Entry], before: EarlierState
    ) -> None:
        """Checks that each answer after a corrected entry, and each that waited, is used, waits or is set aside."""
        log, law = self.session.log, Law.NOTHING_LOST
        behind = set(log.timeline.line(head=before.head, since=written[0].after)) - {report.entry}
        used, aside = set(_origins(log, written)), {each.entry for each in report.set_aside}
        waits = {entry.seq for entry in self.session.waiting.entries()}
        told = {each.entry for each in report.waits if each.entry}
        hold(law, told <= waits, f"entries {told - waits} are said to wait")
        hold(law, not waits & used, f"entries {waits & used} were performed and wait")
        hold(law, not waits & behind - told - aside, f"entries {waits & behind - told - aside} wait in secret")
        lost = [seq for seq in (behind | waited) - used - aside - waits if type(log.entry(seq).command) is not Amend]
        hold(law, not lost, f"entries {lost}")


def _origins(log: Log, entries: Iterable[Entry]) -> Iterator[int]:
    """Returns the entries that are performed again."""
    for entry in entries:
        if entry.origin is not None:
            yield entry.origin
            yield from _origins(log, [log.entry(entry.origin)])


Faces = tuple[int, ...]


def _thrown_again(log: Log, entries: Iterable[Entry]) -> Iterator[tuple[str, int, Faces, Faces]]:
    """Yields rolls that are performed again: key, entry in which it was thrown, faces, used faces."""
    for entry in entries:
        now = underlying(entry, log.entry)[0]
        if entry.origin is not None and isinstance(now, ROLLS):
            was = underlying(log.entry(entry.origin), log.entry)[0]
            if isinstance(was, ROLLS):
                yield now.key, entry.origin, was.faces, now.faces


def check_repeats(law: str, session: Session, answered: Sequence[Answered]) -> None:
    """Checks that requests get the same responses when they are repeated with their keys."""
    for step, answer in answered:
        try:
            again = step.ask(session)
        except Exception as error:
            raise LawBroken(law, f"{type(error).__name__}: {error!s:.300}") from error
        hold(law, again == answer, f"{answer}; then {again}")


def _entries(answer: Any) -> list[Entry]:
    """Returns the entries of a response of any method."""
    if isinstance(answer, Amendment):
        return list(answer.entries)
    return [answer] if isinstance(answer, Entry) else list(answer)


def _slug(found: object) -> str:
    return found.slug if isinstance(found, Refused) else ""
