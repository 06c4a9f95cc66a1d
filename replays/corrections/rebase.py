"""Pulling: commands on an earlier state, and behind them what was recorded, as far as it still fits."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from ledger.asking import check_command
from ledger.commands import Overrule
from ledger.entry import Entry
from ledger.events import Event, FigureFound, Overruled, TestResolved
from machines.contract.ruleset import ruleset
from machines.engine.overruling import OF_TESTS
from projections.combat import Combat, fold
from replays.corrections.change import said
from replays.corrections.deferred import NOTHING, Deferred, ended, is_over, is_past, within
from replays.corrections.diff import Aside
from replays.corrections.recorded_answers import ROLLS, Recorded
from replays.scripts.run import run
from replays.scripts.scripted_answers import Scripted
from replays.sessions.asked import Asked
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft

Words = Mapping[int, tuple[Overrule, ...]]
"""Overrulings by the number of an entry."""


def with_moved_words(pull: Callable[[Words], "Pulled"]) -> "Pulled":
    """Pulls, and once more where an overruling was lost with its entry though another entry finds its figure.

    Args:
        pull: Pulls with overrulings that belong to another entry now.
    """
    pulled = pull({})
    moved = pulled.words_to_move()
    return pull(moved) if moved else pulled


class Pulled:
    """Drafts on an earlier state, one on the other."""

    def __init__(  # noqa: PLR0917
        self,
        state: Combat,
        drafting: Drafting,
        before: int,
        last: int,
        waited: Deferred = NOTHING,
        moved: Words = MappingProxyType({}),
    ) -> None:
        """Begin on a state.

        Args:
            state: The state.
            drafting: Decides commands.
            before: The entry that the first of them stands on.
            last: The number of the last entry of the log.
            waited: What waited already.
            moved: Overrulings that belong to another entry now, as `words_to_move` finds them.
        """
        self.state = state
        self.drafts: list[Draft] = []
        self.recorded = Recorded((), lambda _: None)  # type: ignore[arg-type,return-value]
        self.dropped: tuple[Entry, ...] = ()
        """What never happened: an entry, and with a roll the gamemaster's word on it."""
        self.unsaid: tuple[Overrule, ...] = waited.words
        """The gamemaster's words on figures that have not been found again yet."""
        self._drafting = drafting
        self._before, self._last = before, last
        self._waited = frozenset(entry.seq for entry in waited.entries), waited.words
        self._moved = moved
        self._tails: list[Aside] = []

    def perform(self, asked: Asked) -> Combat:
        """Decide a command, and go on from there; the gamemaster's words are said again where their figures are."""
        if asked.origin is None:  # what was recorded before there were bounds is performed again as it was
            check_command(asked.by, asked.command)
            asked = self._drafting.named(asked, self.state)
        after = self._last + len(self.drafts) if self.drafts else self._before
        words = _one_a_figure((*asked.overrules, *self.unsaid, *self._moved.get(asked.origin or 0, ())))
        draft = self._drafting.draft(msgspec.structs.replace(asked, overrules=words), self.state, after)
        found = tuple(each for each in words if _is_said(each, draft.events))
        self.unsaid = tuple(each for each in words if each not in found)
        unheard = not found and asked.command is asked.decided
        if unheard or (asked.command in found and found == asked.overrules):
            self.keep(draft)
        else:
            self._keep_said(asked, found, after)
        self._tails += self._cut(asked)
        return self.state

    def _keep_said(self, asked: Asked, words: tuple[Overrule, ...], after: int) -> None:
        """A command as it stands, and in its place, one by one, what the gamemaster has said of its figures."""
        draft = self._drafting.draft(Asked(asked.decided, asked.by, asked.decided, (), asked.origin), self.state, after)
        for number, word in enumerate(words, 1):
            self.drafts.append(draft)
            by = asked.by if word in asked.overrules else self._drafting.sayer(word, asked.by)
            told = Asked(word, by, asked.decided, words[:number], self._last + len(self.drafts))
            draft = self._drafting.draft(told, self.state, after)
        self.keep(draft)

    def keep(self, draft: Draft) -> None:
        """A command that is decided already."""
        self.drafts.append(draft)
        self.state = fold(draft.events, self.state)

    def go_on(self, answers: Scripted | Recorded) -> None:
        """Perform what somebody has answers for."""
        run(lambda: ruleset(self.state.session.ruleset), self.state, answers, self.perform)

    def known(self) -> dict[str, tuple[int, ...]]:
        """Faces that lie already of open rolls that need more."""
        found: dict[str, tuple[int, ...]] = {}
        for rest in self.state.rests:
            lying = self.recorded.known(rest)
            if lying is not None:
                found[rest.key] = lying.faces
        return found

    def may_come(self, key: str) -> bool:
        """May the outcome of this roll or exchange be found yet?

        So it is where the exchange is open, where its answers wait, and where the dice of a roll are not read.
        """
        if self._is_over(f"{key}/", self._ended()):
            return False
        if any(frame.key == key for frame in self.state.exchange.frames):
            return True
        roll = self.state.rolls[key]
        waits = any(f"{each.key}/".startswith(f"{key}/") for each in self.recorded.left)
        return waits or (bool(roll.dice) and not roll.outcome)

    def left(self) -> Iterator[Aside]:
        """What was recorded and may be used yet, but for what waited already."""
        over, (entries, words) = self._ended(), self._waited
        for each in self.recorded.left:
            if not self._is_over(each.key, over) and each.asked.origin not in entries:
                yield Aside(each.asked.origin or 0, said(each.asked.decided))
        yield from (
            Aside(0, said(each)) for each in self.unsaid if not is_over(each, over, self.state) and each not in words
        )

    def still(self, waited: Deferred) -> Deferred:
        """Of what waited what waits on."""
        over, used = self._ended(), {draft.origin for draft in self.drafts}
        left = {each.asked.origin for each in self.recorded.left if not self._is_over(each.key, over)} - used
        return Deferred(
            tuple(entry for entry in waited.entries if entry.seq in left),
            tuple(word for word in self.unsaid if not is_over(word, over, self.state)),
        )

    def set_aside(self) -> Iterator[Aside]:
        """What never happened, what was asked in an exchange that went otherwise, tails of pools that are smaller."""
        yield from (Aside(entry.seq, said(entry.command)) for entry in self.dropped)
        over = self._ended()
        for each in self.recorded.left:
            if self._is_over(each.key, over):
                yield Aside(each.asked.origin or 0, said(each.asked.decided))
                yield from (Aside(each.asked.origin or 0, said(word)) for word in self._lost(each.asked))
        yield from (Aside(0, said(each)) for each in self.unsaid if is_over(each, over, self.state))
        yield from self._tails

    def words_to_move(self) -> Words:
        """Returns the overrulings that were lost with the entries they belonged to, though their figures were found.

        Returns:
            By the number of the recorded entry that finds the figure now, when it is performed again.
        """
        lost = {(word.key, word.figure): word for each in self.recorded.left for word in self._lost(each.asked)}
        found: dict[tuple[str, str], int] = {}
        again = [(draft.origin, draft.events) for draft in self.drafts if draft.origin is not None]
        again = [
            (origin, events) for origin, events in again if origin <= self._last
        ]  # not overrulings of other drafts
        for origin, events in again:
            found |= {named: origin for named in lost if any(finds(event, *named) for event in events)}
        moved: dict[int, tuple[Overrule, ...]] = {}
        for named, origin in found.items():
            moved[origin] = (*moved.get(origin, ()), lost[named])
        return moved

    def _lost(self, asked: Asked) -> Iterator[Overrule]:
        """The gamemaster's words on figures of a command that was not performed again, as far as none was said."""
        said_now = {
            (each.command.key, each.command.figure) for each in self.drafts if isinstance(each.command, Overrule)
        }
        yield from (word for word in asked.overrules if (word.key, word.figure) not in said_now)

    def _is_over(self, key: str, exchanges: frozenset[str]) -> bool:
        return within(key, exchanges) or is_past(key, self.state)

    def _ended(self) -> frozenset[str]:
        return ended(event for draft in self.drafts for event in draft.events)

    def _cut(self, asked: Asked) -> Iterator[Aside]:
        """Faces of a pool that has become smaller."""
        whole, command = self.recorded.faces.get(asked.origin, ()), asked.decided
        if isinstance(command, ROLLS) and len(command.faces) < len(whole):
            tail = " ".join(map(str, whole[len(command.faces) :]))
            yield Aside(asked.origin or 0, f"{tail} of {command.key}")


def _one_a_figure(words: tuple[Overrule, ...]) -> tuple[Overrule, ...]:
    """Of several words on one figure the first: that of what is performed goes before one that has waited."""
    first: dict[tuple[str, str], Overrule] = {}
    for word in words:
        first.setdefault((word.key, word.figure), word)
    return tuple(first.values())


def finds(event: Event, key: str, figure: str) -> bool:
    """Does an event find a figure, so that it may be overruled?"""
    if isinstance(event, FigureFound):
        return bool(event.why) and (event.key, event.name) == (key, figure)
    return isinstance(event, TestResolved) and event.key == key and figure in OF_TESTS


def _is_said(word: Overrule, events: Iterable[Event]) -> bool:
    """Was the figure found, and is it what the gamemaster says?"""
    told = (event for event in events if isinstance(event, Overruled))
    return any((event.key, event.figure) == (word.key, word.figure) for event in told)
