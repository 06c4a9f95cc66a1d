"""Time outside a fight: bleeding continues, and timed conditions end."""

from ledger.events import ConditionLost
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.care import harm
from machines.eclipse_phase.family.spans import TURN, ends
from machines.eclipse_phase.family.turn import bleed_for
from machines.eclipse_phase.second.care.recovery import treated
from projections.combat import Combat

SOON_OVER = ("disoriented", "hurting", "loses_action", "on_the_move", "full_defense", "mental_defense", "aiming")
"""Conditions that a few seconds outside a fight end."""
TOO_LATE = 24 * 60 * 60
"""Seconds after which first aid is too late (EP2 12/17 First Aid)."""


def time_goes_by(combat: Combat, seconds: int) -> Telling:
    """Applies the passing of time to each combatant: bleeding, then conditions that end.

    Source: EP2 12/16 Bleeding Out, 12/17 First Aid, 12/18 Trauma Effects; Ruling: EP2-N26
    """
    for who in combat.roster.who:
        combat = yield from bleed_for(combat, who, seconds)
        if seconds >= TOO_LATE and any(harm(combat, who).values()):
            combat = yield from treated(combat, who)
        for name, condition in combat.conditions.of(who).items():
            if name in SOON_OVER and seconds >= TURN:
                combat = yield ConditionLost(who, name, "the fight is over")
                continue
            combat = yield from emit(combat, ends(combat, who, name, condition, seconds))
    return combat
