"""Actions that both editions have: what each does, and the checks that refuse it."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ResourceSpent
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.refusals import ActionUsedUp, CannotAct, NotYourTurn
from machines.contract.toolkit import check_another, check_in_a_fight, check_nameable, frame, one_of
from machines.eclipse_phase.family.ambush import SURPRISED
from machines.eclipse_phase.family.attacks import SUPPRESSES, spoiled
from machines.eclipse_phase.family.edition import declared, edition
from projections.combat import Combat

DELAYING = "delaying"
"""Condition of a combatant who has delayed an action."""
AIMS_AT = FigureName("aims at", str, scope="combatant")
SINCE = FigureName("suppresses since", str, scope="combatant")
HAS_SUPPRESSED = FigureNames("has suppressed ", str, scope="combatant")
QUICK_AIM, FULL_AIM = 10, 30
"""Modifiers of a Quick and of a Complex aim (EP1 193 Aimed Shots; EP2 12/04 Aiming)."""


# ------------------------------------------------------------------------------------------------ effects


def complex_left(combat: Combat) -> bool:
    """Returns whether the acting combatant has a Complex Action left, given the Quick Actions already spent.

    Source: EP1 189 Complex Actions, Quick Actions; EP2 03/03 Action Turns, 03/05 Vigor
    """
    spent = combat.turn.spent
    if spent.get("complex"):
        return False
    quickly = spent.get("quick", 0)
    return not quickly or quickly <= edition(combat).quick_beside(combat)


TASK = FigureNames("task: ", int, scope="combatant")
_LAST_WORKED_ON = FigureNames("last worked on: ", str, scope="combatant")
"""Figures of a combatant, by task: Action Turns of work that are done; the last turn of work."""


def work_on(combat: Combat) -> Deed:
    """Spends a Complex Action on a task; the task is done after work in as many Action Turns as it takes.

    Ruling: EP1-N18
    """
    now, terms, source = frame(combat), declared(combat), edition(combat).printed.task
    combat = yield from edition(combat).pay(combat, now.by, "complex", now.key)
    moments, last = TASK[terms.what], _LAST_WORKED_ON[terms.what]
    turns = moments.of(combat, now.by)
    if last.of(combat, now.by) != combat.clock.period:
        turns += 1
    why = f"{turns} of {terms.turns} Action Turns"
    combat = yield last.found(now.key, combat.clock.period, "", source, who=now.by)
    combat = yield moments.found(now.key, turns % terms.turns, why, source, who=now.by)
    return "done" if turns >= terms.turns else "goes_on"


def take_aim(combat: Combat) -> Deed:
    """Aims at a target: +10 in this moment for a Quick Action, +30 in the next for a Complex one.

    The higher bonus counts when a combatant aims twice at one target.

    Ruling: EP1-N22, EP2-N14
    """
    here, now, terms = edition(combat), frame(combat), declared(combat)
    level, until = (FULL_AIM, here.words.next_moment) if terms.complex else (QUICK_AIM, here.words.this_moment)
    before = combat.conditions.of(now.by).get("aiming")
    if before is not None and AIMS_AT.of(combat, now.by) == terms.at:
        level = max(level, before.level or 0)
    for action in here.aiming[terms.complex]:
        combat = yield from here.pay(combat, now.by, action, now.key)
    source = here.printed.aim
    combat = yield AIMS_AT.found(now.key, terms.at, "", source, who=now.by)
    yield ConditionGained(now.by, "aiming", level, until, now.key, f"aiming at {terms.at}", source)
    return None


def wait(combat: Combat) -> Deed:
    """Delays the action: the combatant may take it at any time before their next moment."""
    here, now = edition(combat), frame(combat)
    yield ConditionGained(now.by, DELAYING, None, here.words.next_moment, now.key, "delays", HERE)
    return None


def suppress(combat: Combat) -> Deed:
    """Fires twenty rounds over an area; until the next moment, combatants who leave cover there may be attacked."""
    here, now, terms = edition(combat), frame(combat), declared(combat)
    source, until = here.printed.suppression, here.words.next_moment
    combat = yield from here.pay(combat, now.by, "complex", now.key)
    if combat.resources.resource(now.by, terms.using).of:
        rounds = here.suppressing_mode.rounds
        combat = yield ResourceSpent(now.by, terms.using, rounds, now.key, "suppressive fire")
    for name, value in ((SUPPRESSES, terms.using), (SINCE, now.key)):
        combat = yield name.found(now.key, value, "", source, who=now.by)
    yield ConditionGained(now.by, "suppressing", None, until, now.key, terms.area or "an area", source)
    return None


def automatic(combat: Combat, who: str) -> Iterator[str]:
    """Yields the combatant's weapons that can lay down suppressive fire.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    here = edition(combat)
    for name, weapon in here.sheets.arms(combat, who).items():
        if here.suppressing_mode.code in (here.firing_modes[mode].code for mode in weapon.modes):
            yield name


# ------------------------------------------------------------------------------------------------ checks


def spend_complex(combat: Combat, by: str) -> None:
    """Rejects a second Complex Action.

    Source: EP1 189 Complex Actions; EP2 03/03 Action Turns
    """
    if not complex_left(combat):
        raise ActionUsedUp(f"{by} has used up what a Complex Action takes", where="kind", accepts="quick or end")


def spend_quick(combat: Combat, by: str) -> None:
    """Rejects a Quick Action when none is left.

    Source: EP1 189 Quick Actions; EP2 03/03 Action Turns
    """
    if edition(combat).quick_left(combat) < 1:
        raise ActionUsedUp(f"{by} has no Quick Action left", where="kind", accepts="end")


def check_is_awake(combat: Combat, by: str) -> None:
    """Rejects a combatant who cannot interrupt: incapacitated, or surprised by an ambush.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    check_in_a_fight(combat)
    edition(combat).sheets.check_able(combat, by, "end")
    if combat.conditions.has(by, SURPRISED):
        raise CannotAct(f"{by} is surprised", where="by", accepts=edition(combat).words.second_moment)


def check_delay(combat: Combat, by: str, _: object) -> None:
    """Rejects a delay after the combatant has begun to act, and a delay of an extra action.

    Source: EP1 189 Delayed Actions; EP2 03/04 Delaying Actions
    """
    edition(combat).check_free(combat, by)
    if combat.turn.spent or edition(combat).acts_again(combat, by):
        raise ActionUsedUp(f"{by} has begun to act", where="kind", accepts="end")


def check_act(combat: Combat, by: str, _: object) -> None:
    """Rejects a delayed action of a combatant who delayed none, or outside the moment of another combatant.

    Source: EP1 189 Delayed Actions; EP2 03/04 Delaying Actions
    """
    words = edition(combat).words
    check_is_awake(combat, by)
    if not combat.conditions.has(by, DELAYING):
        accepts = f"delay first, in {words.moment_to_delay}"
        raise NotYourTurn(f"{by} has delayed no action", where="by", accepts=accepts)
    if combat.turn.who is None:
        raise NotYourTurn(words.nobody_acts, where="by", accepts=words.moment_to_act)


def check_task(combat: Combat, by: str, terms: object) -> None:
    """Rejects a Task Action whose description cannot name it, or without a Complex Action left.

    Source: EP1 189 Task Actions; EP2 03/03 Task Actions
    """
    check_nameable(str(getattr(terms, "what", "")), "what")
    edition(combat).check_work(combat, by, terms)
    spend_complex(combat, by)


def check_suppress(combat: Combat, by: str, terms: object) -> None:
    """Rejects suppressive fire with a weapon that is not fully automatic or has too few rounds.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    using = str(getattr(terms, "using", ""))
    edition(combat).check_free(combat, by)
    spend_complex(combat, by)
    one_of(using, tuple(automatic(combat, by)), "using")
    in_order(combat, by, using)
    enough_rounds(combat, by, using, edition(combat).suppressing_mode.rounds)


def suppressing_weapon(combat: Combat, by: str, at: str) -> str:
    """Returns the weapon that a combatant suppresses with.

    Rejects a combatant who lays down no suppressive fire, and a second shot at the same target.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    if not combat.conditions.has(by, "suppressing"):
        raise CannotAct(f"{by} lays down no suppressive fire", where="by", accepts="a combatant who does")
    check_another(combat, by, at)
    if HAS_SUPPRESSED[at].of(combat, by) == SINCE.of(combat, by):
        raise ActionUsedUp(f"{by} has fired at {at} already", where="at", accepts="each target once")
    using = SUPPRESSES.of(combat, by)
    one_of(using, tuple(edition(combat).sheets.arms(combat, by)), "using")
    in_order(combat, by, using)
    return using


def in_order(combat: Combat, by: str, weapon: str) -> None:
    """Rejects a weapon that is broken, jammed, dropped or otherwise unusable.

    Source: EP1 192 Step 5; EP2 12/12 Fragile, Single-Use
    """
    mine = combat.conditions.of(by)
    for word in edition(combat).spoiled if mine else ():
        if spoiled(weapon, word) in mine:
            problem = f"{by}'s {weapon} is {word.replace('_', ' ')}"
            raise CannotAct(problem, where="using", accepts="another weapon, or put it right")


def enough_rounds(combat: Combat, by: str, weapon: str, rounds: int) -> None:
    """Rejects a firing mode that needs more rounds than the magazine holds.

    Source: EP1 194 Ammunition and Reloading; EP2 12/04 Ammunition and Reloading
    """
    magazine = combat.resources.resource(by, weapon)
    if magazine.of and magazine.left < rounds:
        accepts = "another mode, or reload"
        raise CannotAct(f"{by}'s {weapon} has {magazine.left} of the {rounds} shots", where="mode", accepts=accepts)
