"""Surprise: who notices an ambush, and the ambushers' free Action Phase."""

from ledger.events import ModifierApplied
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.ambush import ambush_key, caught_off_guard, forget_ambush, here, lurker
from machines.eclipse_phase.first.sheet.sheet_access import needed, situation
from machines.eclipse_phase.first.success_tests.success import prepare, resolve
from machines.eclipse_phase.first.turn.turn import FIRST_PHASE
from projections.combat import Combat

DISTRACTED = -20
"""Modifier of a combatant who does not expect an ambush (EP1 189 Basic Perception)."""


def prepare_surprise(combat: Combat) -> Deed:
    """Prepares Infiltration against Perception, at -20 for combatants who are not alert.

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
    """Applies the outcome of an ambush.

    Where all are surprised, the ambushers have a free Action Phase. Otherwise the ambushed lose Initiative, and any
    surprised among them miss the first Action Phase.

    Ruling: EP1-N20
    """
    for key in (ambush_key(combat, who) for who in combat.roster.who):
        if combat.rolls[key].faces:
            combat = yield resolve(combat, key)
    return (yield from caught_off_guard(combat, here(combat).caught(combat), FIRST_PHASE, HERE))
