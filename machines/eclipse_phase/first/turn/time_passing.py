"""What time does outside a fight: the bleeding bleed on, shocks fade, and what was to last so long ends."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, DamageTaken, Event, TimePassed
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.spans import (
    SECONDS,
    TURN,
    as_moment,
    each_upon_the_last,
    ends,
    passing,
    seconds_left,
)
from machines.eclipse_phase.first.harm.injury import blood_lost, limits
from machines.eclipse_phase.first.harm.shock import FADES
from machines.eclipse_phase.first.sheet.sheet_access import sheet
from projections.combat import Combat
from projections.conditions import Condition


def elapse(combat: Combat, passed: TimePassed) -> Iterator[Event]:
    """What follows from time that has passed, each event upon those before it.

    Source: EP1 207 Bleeding, 204 Shock Attacks, 210 Derangements
    """
    return each_upon_the_last(combat, time_goes_by(combat, passed.amount * SECONDS[passed.unit]))


def spend(combat: Combat, minutes: int) -> Telling:
    """Time that something takes outside a fight, and what follows from it; none where it takes none."""
    if minutes <= 0:
        return combat
    combat = yield passing(minutes)
    return (yield from time_goes_by(combat, minutes * 60))


def time_goes_by(combat: Combat, seconds: int) -> Telling:
    """Everybody in turn: blood lost, then what ends.

    Source: EP1 207 Bleeding, 204 Shock Attacks, 210 Derangements
    """
    for who in combat.roster.who:
        combat = yield from _bleed(combat, who, seconds)
        for name, condition in combat.conditions.of(who).items():
            for event in ENDS.get(name, ends)(combat, who, name, condition, seconds):
                combat = yield event
    return combat


def _bleed(combat: Combat, who: str, seconds: int) -> Telling:
    """Damage in every Action Turn, until it kills."""
    if not combat.conditions.has(who, "bleeding") or combat.conditions.has(who, "dead"):
        return combat
    rate = blood_lost(combat, who)
    left = sheet(combat, who).death - combat.health.track(who, "damage").taken
    amount = min(left, rate * (seconds // TURN))
    if amount > 0:
        why = f"bleeding, {rate} in an Action Turn"
        combat = yield DamageTaken(who, "damage", amount, "", why, "EP1 207 Bleeding")
        combat = yield from limits(combat, who, "damage", "")
    return combat


def _fades(combat: Combat, who: str, name: str, condition: Condition, seconds: int) -> Iterator[Event]:
    """A shock is 10 less every minute, or every Action Turn where it was resisted.

    Source: EP1 204 Shock Attacks
    """
    every, level = int(combat.figures.of(who, FADES) or 1) * TURN, condition.level or 0
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
    """The few seconds that it takes to regain one's wits are soon over outside a fight.

    Source: EP1 209 Trauma Effects
    """
    if seconds >= TURN:
        yield ConditionLost(who, name, "wits regained")


ENDS: Mapping[str, Callable[[Combat, str, str, Condition, int], Iterator[Event]]] = {
    "shocked": _fades,
    "disoriented": _come_round,
}
"""Conditions that end in a way of their own."""
