"""Surprise: who notices an ambush, and the ambushers' free action."""

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
"""Modifier of a combatant who does not expect an ambush (EP2 12/21 Perception)."""


def prepare_surprise(combat: Combat) -> Deed:
    """Prepares Infiltrate against Perceive, at -20 for combatants who are not alert."""
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
    """Reads each test against its target."""
    for key in (ambush_key(combat, who) for who in combat.roster.who):
        if combat.rolls[key].faces:
            combat = yield from read(combat, key)
    return None


def spring(combat: Combat) -> Deed:
    """Applies the outcome of an ambush.

    Where all are surprised, the ambushers have a free action. Otherwise the ambushed lose Initiative, and any surprised
    among them miss the first Action Turn.

    Ruling: EP2-N16
    """
    return (yield from caught_off_guard(combat, here(combat).beaten(combat), FIRST_TURN, HERE))
