"""Collects exchanges with dice: the state before their first roll, and what happened until they ended."""

import msgspec

from ledger import events as e
from ledger.entry import Entry
from projections.combat import Combat
from replays.exports.recap.deeds import deed_of, names_in, open_actions, time_at, with_actions
from replays.exports.recap.model import Deed, FightTime
from replays.odds.engine.shapes import Tally
from replays.odds.engine.tally import count
from replays.views.frames import ReplayFrame


class FoughtExchange(msgspec.Struct, frozen=True):
    """An exchange with dice that ended."""

    deed: Deed
    roll: str
    """The key of its first roll."""
    before: Combat
    """The state in which that roll was open."""
    after: Combat
    """The state after the entry that ended it."""
    entry: int
    """The entry that ended it."""
    when: FightTime
    outcome: str
    tally: Tally
    """What happened since its first roll, counted as for odds."""


class _BegunExchange(msgspec.Struct):
    """An exchange whose dice are being thrown."""

    roll: str
    before: Combat
    deed: Deed
    tally: Tally = msgspec.field(default_factory=dict)


class ExchangeCollector:
    """Collects exchanges from the standing entries, in order."""

    def __init__(self) -> None:
        self.ended: list[FoughtExchange] = []
        self._open: dict[str, _BegunExchange] = {}

    def add(self, frame: ReplayFrame) -> None:
        """Adds an entry."""
        self._begin(frame)
        if not self._open:
            return
        for event, _ in with_actions(frame.entry, frame.before):
            for one in self._open.values():
                count(one.tally, event)
            if isinstance(event, e.ExchangeEnded):
                self._end(event, frame)
            elif isinstance(event, e.CombatEnded | e.SessionClosed):
                self._open.clear()

    def _begin(self, frame: ReplayFrame) -> None:
        """Begins the exchange whose first roll an entry answers."""
        before = frame.before
        roll = _answered(frame.entry)
        rest = next((rest for rest in before.rests if rest.key == roll and rest.dice), None)
        actions = open_actions(before)
        if rest is None or not 0 < rest.depth <= len(actions):
            return
        action = actions[rest.depth - 1]
        if action.key not in self._open:
            deed = deed_of(action, names_in(before), before.session.ruleset)
            self._open[action.key] = _BegunExchange(roll, before, deed)

    def _end(self, event: e.ExchangeEnded, frame: ReplayFrame) -> None:
        one = self._open.pop(event.key, None)
        if one is not None:
            when = time_at(event, frame.entry, frame.before)
            self.ended.append(
                FoughtExchange(
                    one.deed, one.roll, one.before, frame.combat, frame.entry.seq, when, event.outcome, one.tally
                )
            )


def _answered(entry: Entry) -> str:
    """Returns the key of the roll whose dice an entry throws or counts; empty where there is none."""
    return next((event.key for event in entry.events if isinstance(event, e.DiceRolled | e.DiceTold)), "")
