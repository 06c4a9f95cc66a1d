"""Rebases: decides commands on an earlier state, then replays the recorded ones that still fit."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType

import msgspec

from ledger.commands import Overrule
from ledger.entry import Entry
from ledger.events import Event, FigureFound, Overruled, TestResolved
from ledger.requests.command_checks import check_command
from machines.contract.ruleset import ruleset
from machines.engine.overruling import OF_TESTS
from projections.combat import Combat
from replays.corrections.change import summary
from replays.corrections.deferred import NOTHING, Deferred, ended, is_over, is_past, within
from replays.corrections.diff import Aside
from replays.corrections.recorded_answers import ROLLS, RecordedAnswers
from replays.scripts.run import run
from replays.scripts.scripted_answers import Scripted
from replays.sessions.drafts import Drafting
from replays.sessions.intent import Intent
from replays.sessions.log import Draft
from replays.sessions.states import EVERY

MovedOverrules = Mapping[int, tuple[Overrule, ...]]
"""Overrules by the number of an entry."""


def rebased(begin: Callable[[MovedOverrules], "Rebase"]) -> "Rebase":
    """Rebases, and rebases once more where an overrule was lost with its entry although another entry finds its figure.

    Args:
        begin: Rebases with overrules that belong to another entry now.
    """
    rebase = begin({})
    moved = rebase.overrules_to_move()
    return begin(moved) if moved else rebase


class Rebase:
    """Drafts on an earlier state, each standing on the one before it."""

    def __init__(  # noqa: PLR0917
        self,
        state: Combat,
        drafting: Drafting,
        before: int,
        last: int,
        waited: Deferred = NOTHING,
        moved: MovedOverrules = MappingProxyType({}),
    ) -> None:
        """Begins on a state.

        Args:
            state: The state.
            drafting: Decides commands.
            before: The entry that the first draft stands on.
            last: The number of the last entry of the log.
            waited: What was deferred already.
            moved: Overrules that belong to another entry now, as `overrules_to_move` finds them.
        """
        self.state = state
        self.drafts: list[Draft] = []
        self.recorded = RecordedAnswers((), lambda _: None)  # type: ignore[arg-type,return-value]
        self.dropped: tuple[Entry, ...] = ()
        """Dropped entries: one, and with a roll also the overrule of it."""
        self.pending_overrules: tuple[Overrule, ...] = waited.words
        """Overrules whose figure is pending."""
        self._drafting = drafting
        self._before, self._last = before, last
        self._waited = frozenset(entry.seq for entry in waited.entries), waited.words
        self._moved = moved
        self._tails: list[Aside] = []
        self._over = 0, frozenset[str]()
        """How many drafts were searched for exchanges that have ended, and these."""

    def perform(self, intent: Intent) -> Combat:
        """Decides a command and advances the state; applies pending overrules where their figures recur."""
        if intent.origin is None:  # recorded commands may exceed today's bounds
            check_command(intent.by, intent.command)
            intent = self._drafting.named(intent, self.state)
        after = self._last + len(self.drafts) if self.drafts else self._before
        words = _one_per_figure((*intent.overrules, *self.pending_overrules, *self._moved.get(intent.origin or 0, ())))
        draft = self._drafting.draft(_overruled_by(intent, words), self.state, after, self.recorded.decision())
        found = tuple(each for each in words if _is_applied(each, draft.events))
        self.pending_overrules = tuple(each for each in words if each not in found)
        is_unaffected = not found and intent.command is intent.decided
        if is_unaffected or (intent.command in found and found == intent.overrules):
            self.keep(draft)
        else:
            self._keep_overruled(intent, found, after)
        self._tails += self._unused_faces(intent)
        return self.state

    def _keep_overruled(self, intent: Intent, words: tuple[Overrule, ...], after: int) -> None:
        """Keeps a command as decided without overrules, then each overrule of its figures in its place."""
        plain = Intent(intent.decided, intent.by, intent.decided, (), intent.origin)
        draft = self._drafting.draft(plain, self.state, after)
        for number, word in enumerate(words, 1):
            self.drafts.append(draft)
            by = intent.by if word in intent.overrules else self._drafting.first_author(word, intent.by)
            overruling = Intent(word, by, intent.decided, words[:number], self._last + len(self.drafts))
            draft = self._drafting.draft(overruling, self.state, after)
        self.keep(draft)

    def keep(self, draft: Draft) -> None:
        """Appends a draft that is decided already. Of those before it, one in `EVERY` keeps its state."""
        if self.drafts and len(self.drafts) % EVERY:
            self.drafts[-1] = msgspec.structs.replace(self.drafts[-1], state=None)
        self.drafts.append(draft)
        self.state = draft.state_on(self.state)

    def go_on(self, answers: Scripted | RecordedAnswers) -> None:
        """Performs commands for as long as answers are available."""
        run(lambda: ruleset(self.state.session.ruleset), self.state, answers, self.perform)

    def known(self) -> dict[str, tuple[int, ...]]:
        """Returns the faces that already lie on the table, by the key of each open roll that needs more."""
        found: dict[str, tuple[int, ...]] = {}
        for rest in self.state.rests:
            roll = self.recorded.known(rest)
            if roll is not None:
                found[rest.key] = roll.faces
        return found

    def is_pending(self, key: str) -> bool:
        """Returns whether the outcome of a roll or exchange is pending.

        It is pending where the exchange is open, where its recorded answers wait, and where the dice of a roll are not
        read.
        """
        if self._is_over(f"{key}/", self._ended()):
            return False
        if any(frame.key == key for frame in self.state.exchange.frames):
            return True
        roll = self.state.rolls[key]
        return self.recorded.left.is_any_within(key) or (bool(roll.dice) and not roll.outcome)

    def left(self) -> Iterator[Aside]:
        """Yields recorded answers that may be used later, except those that were deferred already."""
        over, (entries, words) = self._ended(), self._waited
        for each in self.recorded.left:
            if not self._is_over(each.key, over) and each.intent.origin not in entries:
                yield Aside(each.intent.origin or 0, summary(each.intent.decided))
        yield from (
            Aside(0, summary(each))
            for each in self.pending_overrules
            if not is_over(each, over, self.state) and each not in words
        )

    def remaining(self, waited: Deferred) -> Deferred:
        """Returns what is still deferred of what was deferred before."""
        over, used = self._ended(), {draft.origin for draft in self.drafts}
        left = {each.intent.origin for each in self.recorded.left if not self._is_over(each.key, over)} - used
        return Deferred(
            tuple(entry for entry in waited.entries if entry.seq in left),
            tuple(word for word in self.pending_overrules if not is_over(word, over, self.state)),
        )

    def set_aside(self) -> Iterator[Aside]:
        """Yields dropped entries, answers and overrules of ended exchanges, and faces left unused by a smaller pool."""
        yield from (Aside(entry.seq, summary(entry.command)) for entry in self.dropped)
        over, now = self._ended(), self._overruled_now()
        for each in self.recorded.left:
            if self._is_over(each.key, over):
                yield Aside(each.intent.origin or 0, summary(each.intent.decided))
                yield from (Aside(each.intent.origin or 0, summary(word)) for word in _lost(each.intent, now))
        yield from (Aside(0, summary(each)) for each in self.pending_overrules if is_over(each, over, self.state))
        yield from self._tails

    def overrules_to_move(self) -> MovedOverrules:
        """Returns the overrules that were lost with their entries although their figures recurred.

        Returns:
            By the number of the recorded entry that finds the figure now, when it is performed again.
        """
        now = self._overruled_now()
        lost = {(word.key, word.figure): word for each in self.recorded.left for word in _lost(each.intent, now)}
        if not lost:
            return {}
        keys, found = {key for key, _ in lost}, dict[tuple[str, str], int]()
        for draft in self.drafts:
            origin = draft.origin
            if origin is None or origin > self._last:  # an overruling of another draft
                continue
            for event in draft.events:
                if isinstance(event, (FigureFound, TestResolved)) and event.key in keys:
                    found |= {named: origin for named in lost if finds_figure(event, *named)}
        moved: dict[int, tuple[Overrule, ...]] = {}
        for named, origin in found.items():
            moved[origin] = (*moved.get(origin, ()), lost[named])
        return moved

    def _overruled_now(self) -> set[tuple[str, str]]:
        """Returns the key and name of each figure that a draft overrules."""
        return {(each.command.key, each.command.figure) for each in self.drafts if isinstance(each.command, Overrule)}

    def _is_over(self, key: str, exchanges: frozenset[str]) -> bool:
        return within(key, exchanges) or is_past(key, self.state)

    def _ended(self) -> frozenset[str]:
        """Returns the exchanges that have ended; only reads the drafts that were added since the last call."""
        count, over = self._over
        if count < len(self.drafts):
            over |= ended(chain.from_iterable(draft.events for draft in self.drafts[count:]))
            self._over = len(self.drafts), over
        return over

    def _unused_faces(self, intent: Intent) -> Iterator[Aside]:
        """Yields faces that a smaller pool does not use."""
        whole, command = self.recorded.faces.get(intent.origin, ()), intent.decided
        if isinstance(command, ROLLS) and len(command.faces) < len(whole):
            tail = " ".join(map(str, whole[len(command.faces) :]))
            yield Aside(intent.origin or 0, f"{tail} of {command.key}")


def _lost(intent: Intent, overruled_now: Container[tuple[str, str]]) -> Iterator[Overrule]:
    """Yields overrules of a command that was not performed again, unless their figure was overruled anyway."""
    return (word for word in intent.overrules if (word.key, word.figure) not in overruled_now)


def _overruled_by(intent: Intent, words: tuple[Overrule, ...]) -> Intent:
    """Returns a command with these overrules of its figures."""
    return intent if words == intent.overrules else msgspec.structs.replace(intent, overrules=words)


def _one_per_figure(words: tuple[Overrule, ...]) -> tuple[Overrule, ...]:
    """Returns the first overrule of each figure: that of the performed command takes precedence over a deferred one."""
    if len(words) < 2:
        return words
    first: dict[tuple[str, str], Overrule] = {}
    for word in words:
        first.setdefault((word.key, word.figure), word)
    return tuple(first.values())


def finds_figure(event: Event, key: str, figure: str) -> bool:
    """Returns whether an event finds a figure that can be overruled."""
    if isinstance(event, FigureFound):
        return bool(event.why) and (event.key, event.name) == (key, figure)
    return isinstance(event, TestResolved) and event.key == key and figure in OF_TESTS


def _is_applied(word: Overrule, events: Iterable[Event]) -> bool:
    """Returns whether an event applied the overrule."""
    overruled = (event for event in events if isinstance(event, Overruled))
    return any((event.key, event.figure) == (word.key, word.figure) for event in overruled)
