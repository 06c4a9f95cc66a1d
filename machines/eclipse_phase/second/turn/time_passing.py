"""What time does outside a fight: the bleeding bleed on, and what was to last so long ends."""

from collections.abc import Iterator

from ledger.events import ConditionLost, DamageTaken, Event, TimePassed
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.spans import SECONDS, TURN, each_upon_the_last, ends, passing
from machines.eclipse_phase.second.care.recovery import harm, treated
from machines.eclipse_phase.second.harm.injury import limits
from machines.eclipse_phase.second.sheet.sheet_access import sheet
from projections.combat import Combat

SOON_OVER = ("disoriented", "hurting", "loses_action", "on_the_move", "full_defense", "mental_defense", "aiming")
"""What a few seconds end outside a fight."""
TOO_LATE = 24 * 60 * 60
"""Seconds after which first aid comes too late (EP2 12/17 First Aid)."""


def elapse(combat: Combat, passed: TimePassed) -> Iterator[Event]:
    """What follows from time that has passed, each event upon those before it.

    Source: EP2 12/16 Bleeding Out, 12/15 Shock Attacks
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

    Source: EP2 12/16 Bleeding Out, 12/17 First Aid, 12/18 Trauma Effects; Ruling: EP2-N26
    """
    for who in combat.roster.who:
        combat = yield from _bleed(combat, who, seconds)
        if seconds >= TOO_LATE and any(harm(combat, who).values()):
            combat = yield from treated(combat, who)
        for name, condition in combat.conditions.of(who).items():
            if name in SOON_OVER and seconds >= TURN:
                combat = yield ConditionLost(who, name, "the fight is over")
                continue
            for event in ends(combat, who, name, condition, seconds):
                combat = yield event
    return combat


def _bleed(combat: Combat, who: str, seconds: int) -> Telling:
    """Damage in every Action Turn, until it kills."""
    if not combat.conditions.has(who, "bleeding") or combat.conditions.has(who, "dead"):
        return combat
    rate = max(1, combat.wounds.count(who))
    left = sheet(combat, who).death - combat.health.track(who, "damage").taken
    amount = min(left, rate * (seconds // TURN))
    if amount > 0:
        why, source = f"bleeding, {rate} in an Action Turn", "EP2 12/16 Bleeding Out"
        combat = yield DamageTaken(who, "damage", amount, "", why, source)
        combat = yield from limits(combat, who, "damage", "")
    return combat
