"""Pulling: commands on an earlier state, and behind them what was recorded, as far as it still fits."""

from collections.abc import Iterator

from ledger.entry import Entry
from ledger.events import ExchangeEnded
from projections.combat import Combat, fold
from replays.changes import said
from replays.drafting import Drafting, game_of
from replays.flips import Aside
from replays.log import Draft
from replays.recorded import ROLLS, Recorded
from replays.run import Asked, run
from replays.scripted import Scripted


class Pulled:
    """Drafts on an earlier state, one on the other."""

    def __init__(self, state: Combat, drafting: Drafting, before: int, last: int) -> None:
        self.state = state
        self.drafts: list[Draft] = []
        self.recorded = Recorded((), lambda _: None)  # type: ignore[arg-type,return-value]
        self.dropped: Entry | None = None
        self._drafting = drafting
        self._before, self._last = before, last
        self._tails: list[Aside] = []

    def perform(self, asked: Asked) -> Combat:
        """Decide a command, and go on from there."""
        after = self._last + len(self.drafts) if self.drafts else self._before
        self.keep(self._drafting.draft(asked, self.state, after))
        self._tails += self._cut(asked)
        return self.state

    def keep(self, draft: Draft) -> None:
        """A command that is decided already."""
        self.drafts.append(draft)
        self.state = fold(draft.events, self.state)

    def go_on(self, answers: Scripted | Recorded) -> None:
        """Perform what somebody has answers for."""
        run(lambda: game_of(self.state), self.state, answers, self.perform)

    def known(self) -> dict[str, tuple[int, ...]]:
        """Faces that lie already of open rolls that need more."""
        found: dict[str, tuple[int, ...]] = {}
        for rest in self.state.rests:
            lying = self.recorded.known(rest) if rest.dice else None
            command = lying.asked.decided if lying is not None else None
            if isinstance(command, ROLLS):
                found[rest.key] = command.faces
        return found

    def waiting(self) -> frozenset[str]:
        """The keys of what was recorded and is not used yet."""
        ended = self._ended()
        return frozenset(each.key for each in self.recorded.left if each.key and not _within(each.key, ended))

    def left(self) -> Iterator[Aside]:
        """What was recorded and may be used yet."""
        ended = self._ended()
        for each in self.recorded.left:
            if not _within(each.key, ended):
                yield Aside(each.asked.origin or 0, said(each.asked.decided))

    def set_aside(self) -> Iterator[Aside]:
        """What never happened, what was asked in an exchange that went otherwise, tails of pools that are smaller."""
        if self.dropped is not None:
            yield Aside(self.dropped.seq, said(self.dropped.command))
        ended = self._ended()
        for each in self.recorded.left:
            if _within(each.key, ended):
                yield Aside(each.asked.origin or 0, said(each.asked.decided))
        yield from self._tails

    def _ended(self) -> frozenset[str]:
        """The exchanges that are over again: nothing more is asked in them."""
        events = (event for draft in self.drafts for event in draft.events)
        return frozenset(event.key for event in events if isinstance(event, ExchangeEnded))

    def _cut(self, asked: Asked) -> Iterator[Aside]:
        """Faces of a pool that has become smaller."""
        whole, command = self.recorded.faces.get(asked.origin, ()), asked.decided
        if isinstance(command, ROLLS) and len(command.faces) < len(whole):
            tail = " ".join(map(str, whole[len(command.faces) :]))
            yield Aside(asked.origin or 0, f"{tail} of {command.key}")


def _within(key: str, exchanges: frozenset[str]) -> bool:
    """Was this asked in one of these exchanges?"""
    return any(key.startswith(f"{each}/") for each in exchanges)
