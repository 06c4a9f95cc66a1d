"""Which combat, round and pass it is, and how much time went by between fights."""

from collections.abc import Mapping

import msgspec

from ledger.codec import canonical
from ledger.events import CombatBegan, CombatEnded, PassBegan, RoundBegan, TimePassed
from ledger.key import moment_of, period
from projections.fold import Routes


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The game's time."""

    combat: int = 1
    """The fight that runs, or the next one."""
    fighting: bool = False
    round: int = 0
    number: int = 0
    """Of the pass."""
    passed: Mapping[str, int] = {}
    """Outside fights, by unit."""
    situation: str = "{}"
    """What was said when the fight began, as canonical JSON; typed by the ruleset."""

    @property
    def period(self) -> str:
        """The first part of the keys of what happens now."""
        return period(self.combat, self.round)

    def has_come(self, moment: str) -> bool:
        """Is it the period that a condition lasts until, or a later one? Never, where the moment is no period."""
        began = moment_of(moment)
        return began is not None and began <= (self.combat, self.round)

    def ahead(self, rounds: int) -> str:
        """The period that begins so many rounds from now."""
        return period(self.combat, self.round + rounds)


def _began(clock: Clock, event: CombatBegan) -> Clock:
    return Clock(event.combat, True, 0, 0, clock.passed, canonical(event.situation).decode())


def _ended(clock: Clock, _: CombatEnded) -> Clock:
    return msgspec.structs.replace(clock, fighting=False)


def _round(clock: Clock, event: RoundBegan) -> Clock:
    return msgspec.structs.replace(clock, round=event.round, number=0)


def _pass(clock: Clock, event: PassBegan) -> Clock:
    return msgspec.structs.replace(clock, number=event.number)


def _time(clock: Clock, event: TimePassed) -> Clock:
    passed = {**clock.passed, event.unit: clock.passed.get(event.unit, 0) + event.amount}
    return msgspec.structs.replace(clock, passed=passed)


ROUTES: Routes = {
    CombatBegan: _began, CombatEnded: _ended, RoundBegan: _round, PassBegan: _pass, TimePassed: _time,
}  # fmt: skip
