"""The clock: the current combat, round and pass, and the time that passed between fights."""

from collections.abc import Mapping

import msgspec

from ledger.codec import canonical
from ledger.events import CombatBegan, CombatEnded, PassBegan, RoundBegan, TimePassed
from ledger.key import moment_of, period
from projections.fold import Routes


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The current time of the game."""

    combat: int = 1
    """The number of the current combat, or of the next one."""
    fighting: bool = False
    round: int = 0
    number: int = 0
    """The number of the pass."""
    passed: Mapping[str, int] = {}
    """The time passed outside fights, by unit."""
    situation: str = "{}"
    """The situation given at the beginning of the combat, as canonical JSON; typed by the ruleset."""

    @property
    def period(self) -> str:
        """The first part of the keys of the current round."""
        return period(self.combat, self.round)

    def has_come(self, moment: str) -> bool:
        """Returns whether a period has begun; always False for a text that is not a period."""
        began = moment_of(moment)
        return began is not None and began <= (self.combat, self.round)

    def ahead(self, rounds: int) -> str:
        """Returns the period that begins `rounds` rounds from now; rules read it again, so the number must be known."""
        return period(self.combat, int(self.round + rounds))


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
