"""Actions of an Action Phase: what each does and costs."""

from collections.abc import Iterator

from ledger.events import (
    ActionSpent,
    ConditionGained,
    ConditionLost,
    Event,
    ResourceGained,
    TurnEnded,
)
from machines.contract.chart import Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.first.actions.terms import (
    ComplexTerms,
    FullDefenseTerms,
    QuickTerms,
    ReloadTerms,
)
from machines.eclipse_phase.first.attack.modifiers import POSITION
from machines.eclipse_phase.first.figure_names import HELD_BY
from machines.eclipse_phase.first.sheet.sheet import Weapon
from machines.eclipse_phase.first.sheet.sheet_access import END_OF_NEXT_PHASE, HELD, NEXT_PHASE, UNABLE
from projections.combat import Combat

THIS_PHASE = "the end of this Action Phase"
"""What ends an aim."""
QUICK_ALONE, QUICK_BESIDE = 3, 1
"""Quick Actions in an Action Phase: without a Complex Action, and beside one (EP1 189 Quick Actions)."""


# ------------------------------------------------------------------------------------------------ beginning and ending


def is_free(combat: Combat, who: str) -> bool:
    """Returns whether a combatant is neither held nor disoriented, and so can use their body.

    Source: EP1 204 Subdual, 209 Trauma Effects
    """
    return not combat.conditions.has(who, HELD, "disoriented")


def quick_left(combat: Combat) -> int:
    """Returns the Quick Actions that the acting combatant has left; none after aiming.

    Source: EP1 189 Quick Actions, 190 Aiming
    """
    spent = combat.turn.spent
    if spent.get("aim"):
        return 0
    return (QUICK_BESIDE if spent.get("complex") else QUICK_ALONE) - spent.get("quick", 0)


def end_moment(combat: Combat) -> Deed:
    """Ends a moment. An unused aim is lost, unless the combatant delays: then it waits with the action."""
    who = combat.turn.who or ""
    aiming = combat.conditions.of(who).get("aiming")
    if aiming is not None and aiming.until == THIS_PHASE and not combat.conditions.has(who, DELAYING):
        combat = yield ConditionLost(who, "aiming", "not used")
    position = combat.conditions.of(who).get(POSITION)
    if position is not None and position.until == THIS_PHASE:
        combat = yield ConditionLost(who, POSITION, END_OF_NEXT_PHASE)
    yield TurnEnded(who)
    return None


def what_ends_now(combat: Combat, who: str) -> Iterator[Event]:
    """Yields the end of full defense, runs, suppressive fire and delayed actions when a combatant's next moment begins.

    A hold also ends if its holder is out or gone.


    Source: EP1 198 Full Defense, 189 Delayed Actions, 204 Suppressive Fire, 190 Aiming; Ruling: EP1-N21
    """
    for name, condition in combat.conditions.of(who).items():
        if name == "aiming" and condition.until == NEXT_PHASE:
            yield ConditionGained(who, name, condition.level, THIS_PHASE, "", "still aiming", "EP1 193 Aimed Shots")
        elif condition.until == END_OF_NEXT_PHASE:
            yield ConditionGained(who, name, None, THIS_PHASE, "", "still in position", "EP1 192 Step 5")
        elif condition.until in (NEXT_PHASE, THIS_PHASE):
            yield ConditionLost(who, name, condition.until)
    if combat.conditions.has(who, HELD) and has_let_go(combat, who):
        yield ConditionLost(who, HELD, "nobody holds them any more")


def holder(combat: Combat, who: str) -> str:
    """Returns the combatant who holds this one; empty if none is known or the holder can no longer act.

    Source: EP1 204 Subdual
    """
    found = HELD_BY.of(combat, who)
    able = found in combat.roster.here() and not combat.conditions.has(found, *UNABLE)
    return found if able else ""


def has_let_go(combat: Combat, who: str) -> bool:
    """Returns whether the holder of a combatant is out or gone.

    Source: EP1 204 Subdual; Ruling: EP1-N21
    """
    return HELD_BY.is_of(combat, who) and not holder(combat, who)


# ------------------------------------------------------------------------------------------------ actions


def act_quickly(combat: Combat) -> Deed:
    """Takes a Quick Action, such as standing up."""
    now = frame(combat)
    combat = yield ActionSpent(now.by, "quick", 1)
    if typed(now.terms, QuickTerms).stand and combat.conditions.has(now.by, "prone"):
        yield ConditionLost(now.by, "prone", "stands up")
    return None


def act_at_length(combat: Combat) -> Deed:
    """Takes a Complex Action other than an attack: it may end disorientation or repair a weapon.

    Ruling: EP1-N17
    """
    now = frame(combat)
    combat = yield ActionSpent(now.by, "complex", 1)
    terms = typed(now.terms, ComplexTerms)
    if terms.regain and combat.conditions.has(now.by, "disoriented"):
        combat = yield ConditionLost(now.by, "disoriented", "wits regained")
    if terms.repair and combat.conditions.has(now.by, terms.repair):
        yield ConditionLost(now.by, terms.repair, "put right")
    return None


def defend_fully(combat: Combat) -> Deed:
    """Takes full defense: +30 to the defense of body or mind until the next Action Phase."""
    now = frame(combat)
    yield ActionSpent(now.by, "complex", 1)
    condition = "mental_defense" if typed(now.terms, FullDefenseTerms).mental else "full_defense"
    source = "EP1 198 Full Defense"
    yield ConditionGained(now.by, condition, None, NEXT_PHASE, now.key, "full defense", source)
    return None


def reload(combat: Combat) -> Deed:
    """Refills a magazine: a Complex Action, or a Quick one if the new magazine is at hand."""
    now = frame(combat)
    terms = typed(now.terms, ReloadTerms)
    yield ActionSpent(now.by, "quick" if terms.quick else "complex", 1)
    magazine = combat.resources.resource(now.by, terms.weapon)
    yield ResourceGained(now.by, terms.weapon, magazine.of - magazine.left, now.key, "reloads")
    return None


def pay(_: Combat, who: str, action: str, __: str) -> Telling:
    """Spends an action."""
    return (yield ActionSpent(who, action, 1))


def needs_rounds(combat: Combat, who: str, name: str, _: Weapon) -> bool:
    """Returns whether a weapon is not fully loaded.

    Source: EP1 194 Ammunition and Reloading
    """
    magazine = combat.resources.resource(who, name)
    return bool(magazine.of) and magazine.left < magazine.of
