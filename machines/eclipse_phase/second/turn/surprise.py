"""Surprise: who notices an ambush, who does not, and the action that the ambushers have for themselves."""

from ledger.events import ModifierApplied
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.ambush import ambush_key, caught_off_guard, forget_ambush, here, lurker
from machines.eclipse_phase.second.attack.attack import deaf
from machines.eclipse_phase.second.sheet.sheet_access import needed, situation
from machines.eclipse_phase.second.success_tests.roles import PERCEIVE
from machines.eclipse_phase.second.success_tests.success import prepare, read
from machines.eclipse_phase.second.turn.turn import FIRST_TURN
from projections.combat import Combat

INFILTRATE = "infiltrate"
DISTRACTED = -20
"""Whoever does not expect an ambush perceives it only beside other things (EP2 12/21 Perception)."""


def prepare_surprise(combat: Combat) -> Deed:
    """Infiltrate against the Perceive of everybody else; -20 for whoever is not alert."""
    combat = yield from forget_ambush(combat)
    first = lurker(combat)
    combat = yield from prepare(combat, ambush_key(combat, first), first, needed(combat, first, INFILTRATE), HERE)
    for who in here(combat).walking_in(combat):
        key = ambush_key(combat, who)
        distracted = ModifierApplied(key, DISTRACTED, "distracted", "EP2 12/21 Perception")
        alert = who in situation(combat).alert
        modifiers = (*(() if alert else (distracted,)), *deaf(combat, who, key))
        combat = yield from prepare(combat, key, who, needed(combat, who, PERCEIVE), HERE, modifiers)
    return None


def read_surprise(combat: Combat) -> Deed:
    """Each against their own target."""
    for key in (ambush_key(combat, who) for who in combat.roster.who):
        if combat.rolls[key].faces:
            combat = yield from read(combat, key)
    return None


def spring(combat: Combat) -> Deed:
    """All surprised: the ambushers have an action for themselves. None: the ambushed lose Initiative. Else both.

    Ruling: EP2-N16
    """
    return (yield from caught_off_guard(combat, here(combat).beaten(combat), FIRST_TURN, HERE))
