"""Actions of a moment: what each does and costs."""

from collections.abc import Iterator

from ledger.events import (
    ConditionGained,
    ConditionLost,
    Event,
    ResourceGained,
    TurnEnded,
)
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import emit, frame
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.second.actions.terms import (
    ComplexTerms,
    FullDefenseTerms,
    QuickTerms,
    ReloadTerms,
)
from machines.eclipse_phase.second.attack.attack import NEXT_MOMENT
from machines.eclipse_phase.second.attack.grappling import holds_end, not_kept_up
from machines.eclipse_phase.second.attack.modifiers import spend
from machines.eclipse_phase.second.sheet.sheet import Weapon
from machines.eclipse_phase.second.sheet.sheet_access import arms, states
from projections.combat import Combat

THIS_MOMENT = "the end of this moment"
"""What ends a quick aim."""
END_OF_MOMENT = "the end of their next moment"
"""What ends fleeing from pain."""
QUICK_ALONE, QUICK_BESIDE, QUICK_EXTRA = 3, 1, 2
"""Quick Actions: without a Complex one, beside one, and as an extra action (EP2 03/03 Action Turns, 03/05 Vigor)."""
EXTRA = FigureName("extra action", str, scope="turn")
TAKEN = FigureName("extra actions taken", int, scope="round")
"""Figures of a combatant: the kind of the present extra action, and the extra actions taken in this Action Turn."""
MENTAL_ONLY = FigureName("mental actions only", str, scope="turn")
"""Figure of a combatant who has gone first by Insight."""


# ------------------------------------------------------------------------------------------------ beginning and ending


def is_free(combat: Combat, who: str) -> bool:
    """Returns whether a combatant's conditions allow physical actions other than moving.

    Source: EP2 12/21 Conditions
    """
    return not {row.acts for row in states(combat, who)} & {"none", "flee"}


def is_extra(combat: Combat) -> bool:
    """Returns whether the acting combatant is taking an extra action.

    Source: EP2 03/04 Extra Actions
    """
    return EXTRA.is_of(combat, combat.turn.who or "")


def quick_left(combat: Combat) -> int:
    """Returns the Quick Actions that the acting combatant has left.

    Source: EP2 03/03 Action Turns, 03/05 Vigor
    """
    spent = combat.turn.spent
    alone, beside = (QUICK_EXTRA, 0) if is_extra(combat) else (QUICK_ALONE, QUICK_BESIDE)
    return (beside if spent.get("complex") else alone) - spent.get("quick", 0)


def end_moment(combat: Combat) -> Deed:
    """Ends a moment. An unused quick aim is lost, unless the combatant delays: then it waits with the action."""
    who = combat.turn.who or ""
    for name, condition in combat.conditions.of(who).items():
        delays = name == "aiming" and combat.conditions.has(who, DELAYING)
        if condition.until in (THIS_MOMENT, END_OF_MOMENT) and not delays:
            combat = yield ConditionLost(who, name, condition.until)
    combat = yield from emit(combat, holds_end(combat, who))
    yield TurnEnded(who)
    return None


def what_ends_now(combat: Combat, who: str, *, waits: bool = False) -> Iterator[Event]:
    """Yields the end of full defense, aggressive attacks, suppressive fire and delays when a moment begins.

    A full aim lasts through the moment, and a delay lasts through an extra action. A hold ends if its holder did not
    keep it up, or no longer can.

    Source: EP2 12/21 Full Defense, 12/02 Aggressive Attacks, Grappling, 12/04 Aiming, Suppressive Fire
    """
    if combat.conditions.has(who, DELAYING) and not waits:
        yield from not_kept_up(combat, who)
    for name, condition in combat.conditions.of(who).items():
        if name == "aiming" and condition.until == NEXT_MOMENT:
            yield ConditionGained(who, name, condition.level, THIS_MOMENT, "", "still aiming", "EP2 12/04 Aiming")
        elif condition.until in (NEXT_MOMENT, THIS_MOMENT) and not (waits and name == DELAYING):
            yield ConditionLost(who, name, condition.until)


# ------------------------------------------------------------------------------------------------ actions


def act_quickly(combat: Combat) -> Deed:
    """Takes a Quick Action, such as standing up, which halves the movement of the turn."""
    now = frame(combat)
    combat = yield from spend(combat, now.by, "quick", now.key)
    if typed(now.terms, QuickTerms).stand and combat.conditions.has(now.by, "prone"):
        combat = yield ConditionLost(now.by, "prone", "stands up")
        yield STOOD_UP.found(now.key, 1, "stood up", "EP2 12/24 Standing Up", who=now.by)
    return None


STOOD_UP = FigureName("stood up", int, scope="round")


def act_at_length(combat: Combat) -> Deed:
    """Takes a Complex Action other than an attack: it may end disorientation, repair a weapon or put out a fire."""
    now = frame(combat)
    terms = typed(now.terms, ComplexTerms)
    combat = yield from spend(combat, now.by, "complex", now.key)
    if terms.regain and combat.conditions.has(now.by, "disoriented"):
        combat = yield ConditionLost(now.by, "disoriented", "wits regained")
    if terms.repair and combat.conditions.has(now.by, terms.repair):
        combat = yield ConditionLost(now.by, terms.repair, "put right")
    if terms.extinguish and combat.conditions.has(terms.extinguish, "on_fire"):
        yield ConditionLost(terms.extinguish, "on_fire", "extinguished")
    return None


def defend_fully(combat: Combat) -> Deed:
    """Takes full defense: +30 to the defense of body or mind until the next moment."""
    now = frame(combat)
    mental = typed(now.terms, FullDefenseTerms).mental
    combat = yield from spend(combat, now.by, "complex", now.key)
    condition, source = CONDITIONS[mental]
    yield ConditionGained(now.by, condition, None, NEXT_MOMENT, now.key, "full defense", source)
    return None


CONDITIONS = {False: ("full_defense", "EP2 12/21 Full Defense"), True: ("mental_defense", "EP2 14/04 Psi Full Defense")}
"""Condition and citation of full defense, by whether it is mental."""


def reload(combat: Combat) -> Deed:
    """Refills a magazine; rounds in the chamber stay there.

    Ruling: EP2-N15
    """
    now = frame(combat)
    name = typed(now.terms, ReloadTerms).weapon
    weapon, magazine = arms(combat, now.by)[name], combat.resources.resource(now.by, name)
    combat = yield from spend(combat, now.by, "complex", now.key)
    full = (weapon.ammo or 0) + min(weapon.chamber, magazine.left)
    yield ResourceGained(now.by, name, max(0, full - magazine.left), now.key, "reloads")
    return None


def needs_rounds(combat: Combat, who: str, name: str, weapon: Weapon) -> bool:
    """Returns whether a weapon is not fully loaded, apart from its chamber.

    Source: EP2 12/04 Ammunition and Reloading
    """
    return weapon.ammo is not None and combat.resources.resource(who, name).left < weapon.ammo
