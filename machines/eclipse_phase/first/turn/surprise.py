"""Surprise: who notices an ambush, who does not, and the moment that the ambushers have for themselves."""

from ledger.events import ModifierApplied
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.ambush import ambush_key, caught_off_guard, forget_ambush, here, lurker
from machines.eclipse_phase.first.sheet.sheet_access import needed, situation
from machines.eclipse_phase.first.success_tests.success import prepare, resolve
from machines.eclipse_phase.first.turn.turn import FIRST_PHASE
from projections.combat import Combat

DISTRACTED = -20
"""Whoever does not expect an ambush perceives it only beside other things (EP1 189 Basic Perception)."""


def prepare_surprise(combat: Combat) -> Deed:
    """Infiltration against the Perception of everybody else; -20 for whoever is not alert.

    Ruling: EP1-N19
    """
    combat = yield from forget_ambush(combat)
    first = lurker(combat)
    value, why = needed(combat, first, "infiltration")
    combat = yield from prepare(combat, ambush_key(combat, first), first, value, why, HERE)
    for who in here(combat).walking_in(combat):
        value, why = needed(combat, who, "perception")
        distracted = ModifierApplied(ambush_key(combat, who), DISTRACTED, "distracted", "EP1 189 Basic Perception")
        modifiers = () if who in situation(combat).alert else (distracted,)
        combat = yield from prepare(combat, ambush_key(combat, who), who, value, why, HERE, modifiers)
    return None


def read_surprise(combat: Combat) -> Deed:
    """All surprised: the ambushers have an Action Phase for themselves. None: the ambushed lose Initiative. Else both.

    Ruling: EP1-N20
    """
    for key in (ambush_key(combat, who) for who in combat.roster.who):
        if combat.rolls[key].faces:
            combat = yield resolve(combat, key)
    return (yield from caught_off_guard(combat, here(combat).caught(combat), FIRST_PHASE, HERE))
