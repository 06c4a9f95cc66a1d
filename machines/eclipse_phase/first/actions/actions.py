"""What somebody does in their Action Phase: actions and what they cost."""

from collections.abc import Iterator

from ledger.events import (
    ActionSpent,
    ChoiceRequested,
    ConditionGained,
    ConditionLost,
    Event,
    Option,
    ResourceGained,
    ResourceSpent,
    TurnEnded,
)
from machines.contract.chart import Deed
from machines.contract.offering import next_action
from machines.contract.ruleset import typed
from machines.contract.toolkit import figure, frame
from machines.eclipse_phase.first.actions.terms import (
    AimTerms,
    ComplexTerms,
    FullDefenseTerms,
    QuickTerms,
    ReloadTerms,
    SuppressTerms,
    TaskTerms,
)
from machines.eclipse_phase.first.attack.attack_context import attacks_left
from machines.eclipse_phase.first.sheet.sheet_access import HELD, UNABLE, arms
from machines.eclipse_phase.first.tables.tables import FIRING_MODES
from projections.combat import Combat

NEXT_PHASE = "their next Action Phase"
"""What ends a full defense, a delay, a run."""
THIS_PHASE = "the end of this Action Phase"
"""What ends an aim."""
QUICK_ALONE, QUICK_BESIDE = 3, 1
"""Quick Actions in an Action Phase: without, and beside a Complex Action (EP1 189 Quick Actions)."""
_COMPLEX = "EP1 189 Complex Actions"


# ------------------------------------------------------------------------------------------------ beginning and ending


def offer_actions(combat: Combat) -> ChoiceRequested:
    """What may still be declared; ending the phase is the default.

    Source: EP1 189 Actions
    """
    who = combat.turn.who or ""
    options = () if combat.conditions.has(who, *UNABLE) else _possible(combat, who)
    return next_action(combat, options, within=f"/p{combat.clock.number}")


def _possible(combat: Combat, who: str) -> Iterator[Option]:
    left, free, quick = attacks_left(combat, who), complex_left(combat), quick_left(combat)
    held, disoriented = combat.conditions.has(who, HELD), combat.conditions.has(who, "disoriented")
    if held and free and not disoriented:
        yield Option("break_free", "break free")
        yield Option("full_defense", "full defense of the mind")
    if not held and not disoriented:
        yield from _physical(combat, left, free, quick)
    if free:
        yield Option("complex", "Complex Action")
    if quick > 0:
        yield Option("quick", f"Quick Action ({quick} left)")


def _physical(combat: Combat, left: int, free: bool, quick: int) -> Iterator[Option]:
    if left:
        yield Option("attack", f"attack again ({left} left)")
    elif free:
        yield Option("attack", "attack")
    if free:
        yield Option("full_defense", "full defense")
        yield Option("suppress", "suppressive fire")
        yield Option("task", "Task Action")
    if free or quick > 0:
        yield from (Option(name, name) for name in ("aim", "reload", "move"))
    if not combat.turn.spent:
        yield Option("delay", "delay")


def complex_left(combat: Combat) -> bool:
    """Has whoever acts a Complex Action left? Not beside more Quick Actions than go with one.

    Source: EP1 189 Complex Actions, Quick Actions
    """
    spent = combat.turn.spent
    quickly = spent.get("quick", 0)
    return not spent.get("complex") and quickly <= QUICK_BESIDE


def quick_left(combat: Combat) -> int:
    """Quick Actions that whoever acts still has; none beside aiming.

    Source: EP1 189 Quick Actions, 190 Aiming
    """
    spent = combat.turn.spent
    if spent.get("aim"):
        return 0
    return (QUICK_BESIDE if spent.get("complex") else QUICK_ALONE) - spent.get("quick", 0)


def end_moment(combat: Combat) -> Deed:
    """Their moment is over; an aim that was not used is lost, unless they delay: then it waits with the action.

    Source: EP1 188 Action Turns, 190 Aiming
    """
    who = combat.turn.who or ""
    aiming = combat.conditions.of(who).get("aiming")
    if aiming is not None and aiming.until == THIS_PHASE and not combat.conditions.has(who, DELAYING):
        combat = yield ConditionLost(who, "aiming", "not used")
    yield TurnEnded(who)
    return None


def what_ends_now(combat: Combat, who: str) -> Iterator[Event]:
    """Full defense, a run, suppressive fire and a delayed action end when somebody's next moment begins.

    A hold ends, too, where whoever held them can hold nobody any more.

    Source: EP1 198 Full Defense, 189 Delayed Actions, 204 Suppressive Fire, 190 Aiming; Ruling: EP1-N21
    """
    for name, condition in combat.conditions.of(who).items():
        if name == "aiming" and condition.until == NEXT_PHASE:
            yield ConditionGained(who, name, condition.level, THIS_PHASE, "", "still aiming", "EP1 193 Aimed Shots")
        elif condition.until in (NEXT_PHASE, THIS_PHASE):
            yield ConditionLost(who, name, condition.until)
    if combat.conditions.has(who, HELD) and has_let_go(combat, who):
        yield ConditionLost(who, HELD, "nobody holds them any more")


def holder(combat: Combat, who: str) -> str:
    """Who holds somebody; empty where nobody is known to, or whoever did cannot any more.

    Source: EP1 204 Subdual
    """
    found = str(combat.figures.of(who, "held by") or "")
    able = found in combat.roster.here() and not combat.conditions.has(found, *UNABLE)
    return found if able else ""


def has_let_go(combat: Combat, who: str) -> bool:
    """Was somebody held by one who is out or gone?

    Source: EP1 204 Subdual; Ruling: EP1-N21
    """
    return combat.figures.of(who, "held by") is not None and not holder(combat, who)


# ------------------------------------------------------------------------------------------------ actions


def act_quickly(combat: Combat) -> Deed:
    """A Quick Action; standing up is one.

    Source: EP1 189 Quick Actions
    """
    now = frame(combat)
    combat = yield ActionSpent(now.by, "quick", 1)
    if typed(now.terms, QuickTerms).stand and combat.conditions.has(now.by, "prone"):
        yield ConditionLost(now.by, "prone", "stands up")
    return None


def act_at_length(combat: Combat) -> Deed:
    """A Complex Action other than an attack; it may bring back one's wits, or put a weapon right.

    Source: EP1 189 Complex Actions, 209 Trauma Effects; Ruling: EP1-N17
    """
    now = frame(combat)
    combat = yield ActionSpent(now.by, "complex", 1)
    terms = typed(now.terms, ComplexTerms)
    if terms.regain and combat.conditions.has(now.by, "disoriented"):
        combat = yield ConditionLost(now.by, "disoriented", "wits regained")
    if terms.repair and combat.conditions.has(now.by, terms.repair):
        yield ConditionLost(now.by, terms.repair, "put right")
    return None


def work_on(combat: Combat) -> Deed:
    """An Action Phase of a Task Action; it is done once it was worked on in as many Action Turns as it takes.

    Source: EP1 189 Task Actions; Ruling: EP1-N18
    """
    now = frame(combat)
    terms = typed(now.terms, TaskTerms)
    combat = yield ActionSpent(now.by, "complex", 1)
    name, last = f"task: {terms.what}", f"last worked on: {terms.what}"
    turns = int(combat.figures.of(now.by, name) or 0)
    if combat.figures.of(now.by, last) != combat.clock.period:
        turns += 1
    why = f"{turns} of {terms.turns} Action Turns"
    combat = yield figure(now.key, last, combat.clock.period, "", _COMPLEX, scope="combatant", who=now.by)
    combat = yield figure(now.key, name, turns % terms.turns, why, _COMPLEX, scope="combatant", who=now.by)
    return "done" if turns >= terms.turns else "goes_on"


def defend_fully(combat: Combat) -> Deed:
    """+30 to defense until the next Action Phase, of the body or of the mind.

    Source: EP1 198 Full Defense, 191 Step 2
    """
    now = frame(combat)
    yield ActionSpent(now.by, "complex", 1)
    condition = "mental_defense" if typed(now.terms, FullDefenseTerms).mental else "full_defense"
    source = "EP1 198 Full Defense"
    yield ConditionGained(now.by, condition, None, NEXT_PHASE, now.key, "full defense", source)
    return None


def take_aim(combat: Combat) -> Deed:
    """A Quick Action gives +10 in this phase and leaves room for no other; a Complex one +30 in the next.

    The two do not add up: whoever aims at the same target again keeps the better one.

    Source: EP1 190 Aiming, 193 Aimed Shots; Ruling: EP1-N22
    """
    now = frame(combat)
    terms = typed(now.terms, AimTerms)
    action, level, until = ("complex", 30, NEXT_PHASE) if terms.complex else ("quick", 10, THIS_PHASE)
    before = combat.conditions.of(now.by).get("aiming")
    if before is not None and combat.figures.of(now.by, "aims at") == terms.at:
        level = max(level, before.level or 0)
    combat = yield ActionSpent(now.by, action, 1)
    if not terms.complex:
        combat = yield ActionSpent(now.by, "aim", 1)
    source = "EP1 193 Aimed Shots"
    combat = yield figure(now.key, "aims at", terms.at, "", source, scope="combatant", who=now.by)
    yield ConditionGained(now.by, "aiming", level, until, now.key, f"aiming at {terms.at}", source)
    return None


def reload(combat: Combat) -> Deed:
    """A full magazine; a Complex Action, or a Quick one where the new one is at hand.

    Source: EP1 194 Ammunition and Reloading
    """
    now = frame(combat)
    terms = typed(now.terms, ReloadTerms)
    yield ActionSpent(now.by, "quick" if terms.quick else "complex", 1)
    magazine = combat.resources.resource(now.by, terms.weapon)
    yield ResourceGained(now.by, terms.weapon, magazine.of - magazine.left, now.key, "reloads")
    return None


def suppress(combat: Combat) -> Deed:
    """Twenty rounds over an area until the next Action Phase: one free attack on each who leaves cover there.

    Source: EP1 204 Suppressive Fire
    """
    now = frame(combat)
    terms = typed(now.terms, SuppressTerms)
    source = "EP1 204 Suppressive Fire"
    combat = yield ActionSpent(now.by, "complex", 1)
    if combat.resources.resource(now.by, terms.using).of:
        rounds = next(mode.rounds for mode in FIRING_MODES.values() if mode.suppresses)
        combat = yield ResourceSpent(now.by, terms.using, rounds, now.key, "suppressive fire")
    for name, value in (("suppresses with", terms.using), ("suppresses since", now.key)):
        combat = yield figure(now.key, name, value, "", source, scope="combatant", who=now.by)
    yield ConditionGained(now.by, "suppressing", None, NEXT_PHASE, now.key, terms.area or "an area", source)
    return None


def automatic(combat: Combat, who: str) -> Iterator[str]:
    """The weapons with which somebody could lay down suppressive fire.

    Source: EP1 204 Suppressive Fire
    """
    code = next(mode.code for mode in FIRING_MODES.values() if mode.suppresses)
    for name, weapon in arms(combat, who).items():
        if code in (FIRING_MODES[mode].code for mode in weapon.modes):
            yield name


def wait(combat: Combat) -> Deed:
    """The action is delayed: until their next Action Phase they may take it at any moment.

    Source: EP1 189 Delayed Actions
    """
    now = frame(combat)
    source = "EP1 189 Delayed Actions"
    yield ConditionGained(now.by, DELAYING, None, NEXT_PHASE, now.key, "delays", source)
    return None


DELAYING = "delaying"
"""The condition of whoever waits with an action."""
