"""Time outside a fight: bleeding continues, shocks fade, and timed conditions end."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, Event
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.spans import (
    TURN,
    as_moment,
    ends,
    seconds_left,
)
from machines.eclipse_phase.family.turn import bleed_for
from machines.eclipse_phase.first.harm.shock import FADES
from projections.combat import Combat
from projections.combatants.conditions import Condition


def time_goes_by(combat: Combat, seconds: int) -> Telling:
    """Applies the passing of time to each combatant: bleeding, then conditions that end.

    Source: EP1 207 Bleeding, 204 Shock Attacks, 210 Derangements
    """
    for who in combat.roster.who:
        combat = yield from bleed_for(combat, who, seconds)
        for name, condition in combat.conditions.of(who).items():
            combat = yield from emit(combat, ENDS.get(name, ends)(combat, who, name, condition, seconds))
    return combat


def _fades(combat: Combat, who: str, name: str, condition: Condition, seconds: int) -> Iterator[Event]:
    """Yields the fading of a shock: 10 every minute, or every Action Turn if it was resisted.

    Source: EP1 204 Shock Attacks
    """
    every, level = (FADES.of(combat, who) or 1) * TURN, condition.level or 0
    left = (seconds_left(combat, condition.until) or 0) - seconds
    while left <= 0 < level:
        left, level = left + every, level - 10
    if level <= 0:
        yield ConditionLost(who, name, "it has faded")
        return
    until = as_moment(combat, left)
    if (level, until) != (condition.level, condition.until):
        yield ConditionGained(who, name, level, until, "", "fades as time passes", "EP1 204 Shock Attacks")


def _come_round(_: Combat, who: str, name: str, __: Condition, seconds: int) -> Iterator[Event]:
    """Yields the end of disorientation, which lasts seconds.

    Source: EP1 209 Trauma Effects
    """
    if seconds >= TURN:
        yield ConditionLost(who, name, "wits regained")


ENDS: Mapping[str, Callable[[Combat, str, str, Condition, int], Iterator[Event]]] = {
    "shocked": _fades,
    "disoriented": _come_round,
}
"""Conditions with a special way of ending."""
