"""Lists the actions of a combatant's turn: the menu line, chart, terms, check and offers of each."""

from collections.abc import Iterable, Iterator

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Json, Option
from machines.contract.action import Action, Actions, Line, once
from machines.contract.assumptions import assuming
from machines.contract.offering import Words, next_action, others
from machines.eclipse_phase.family.actions import check_delay, check_suppress, check_task, complex_left
from machines.eclipse_phase.family.menu import (
    aims,
    at_length,
    before_acting,
    in_ways,
    reloads,
    somehow,
    suppressions,
    unless_out,
    while_in,
    words_of_attack,
    words_of_weapons,
)
from machines.eclipse_phase.second import chart
from machines.eclipse_phase.second.actions import assumptions, validation
from machines.eclipse_phase.second.actions import terms as t
from machines.eclipse_phase.second.actions.actions import TAKEN, is_free, quick_left
from machines.eclipse_phase.second.attack.attack import HANDS_LEFT
from machines.eclipse_phase.second.attack.modifiers import SHOT_AT
from machines.eclipse_phase.second.attack.targeting import check_attack
from machines.eclipse_phase.second.sheet.sheet_access import HELD, UNABLE, arms, sheet, states
from machines.eclipse_phase.second.success_tests.roles import TO_HIT
from machines.eclipse_phase.second.tables.tables import AMMUNITION
from projections.combat import Combat


def ask_action(combat: Combat, options: Iterable[Option]) -> ChoiceRequested:
    """Asks for the next declaration; the default ends the moment. The key numbers extra actions."""
    taken = TAKEN.of(combat, combat.turn.who or "")
    return next_action(combat, unless_out(combat, options), taken=taken)


# ------------------------------------------------------------------------------------------------ what is possible


def can_do_something(combat: Combat, who: str) -> bool:
    """Returns whether a combatant's conditions allow any action other than moving."""
    return all(row.acts != "none" for row in states(combat, who))


def can_think(combat: Combat, who: str) -> bool:
    """Returns whether a combatant has a Complex Action left, physical or mental."""
    return can_do_something(combat, who) and complex_left(combat)


def can_struggle(combat: Combat, who: str) -> bool:
    """Returns whether a held or entangled combatant has a Complex Action left."""
    return combat.conditions.has(who, *HELD) and can_think(combat, who)


def can_keep_hold(combat: Combat, who: str) -> str | bool:
    """Returns whether keeping a hold is possible."""
    return combat.conditions.has(who, "grappling") and at_length(combat, who) and "keep hold of somebody"


def can_attack(combat: Combat, who: str) -> str | bool:
    """Returns whether an attack is possible, or which of several weapons fired at once are left."""
    left = HANDS_LEFT.of(combat, who) if is_free(combat, who) else None
    return f"fire {left}" if left else somehow(combat, who)


def can_act_quickly(combat: Combat, who: str) -> str | bool:
    """Returns whether a Quick Action is possible, with the number left."""
    return can_do_something(combat, who) and f"Quick Action ({quick_left(combat)} left)"


# ------------------------------------------------------------------------------------------------ what is offered


def _attacks(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each weapon at each target, innate ones last; of several weapons fired at once, those that are left."""
    left = HANDS_LEFT.of(combat, who)
    mine = arms(combat, who)
    names = [name for name in left.split(", ") if name] or sorted(mine, key=lambda name: mine[name].innate)
    targets = (SHOT_AT.of(combat, who),) if left else others(combat, who, *UNABLE)
    for at in targets:
        yield from ({"at": at, "using": name} for name in names)


def _actions_of_grappler(combat: Combat, who: str) -> Iterator[Json]:
    """Yields what a combatant who holds another can do: keep the hold, choke, damage or knock down."""
    if combat.conditions.has(who, "grappling"):
        yield from ({"do": do} if do else {} for do in ("", "choke", "damage", "knockdown"))


def _remedies(combat: Combat, who: str) -> Iterator[Json]:
    """Yields putting out flames, picking up or repairing weapons, and ending disorientation."""
    yield from while_in("on_fire", what="puts out the flames", extinguish=who)(combat, who)
    yield from ({"what": "sees to the weapon", "repair": each} for each in validation.spoiled_arms(combat, who))
    yield from while_in("disoriented", what="regains their wits", regain=True)(combat, who)


def _other_complex_actions(_: Combat, __: str) -> Iterator[Json]:
    """Yields other Complex Actions, physical and mental."""
    yield {"what": "does something that takes the whole turn"}
    yield {"what": "does something with the mind", "mental": True}


# ------------------------------------------------------------------------------------------------ completions


def _words_of_attack(combat: Combat, declared: Declare) -> Words:
    """Returns completions for the terms of an attack; ammunition is limited to what the weapon fires."""
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    rounds = (row.name for row in AMMUNITION.values() if weapon is None or row.fits == weapon.fires)
    return {**words_of_attack(combat, declared), "ammunition": tuple(rounds)}


def _words_of_move(combat: Combat, declared: Declare) -> Words:
    """Returns the ways in which the combatant can move."""
    return {"way": tuple(sheet(combat, declared.by).movement) if declared.by in combat.roster else ()}


def _words_of_complex(combat: Combat, declared: Declare) -> Words:
    """Returns completions for the weapons to repair and the combatants on fire."""
    mine = validation.spoiled_arms(combat, declared.by) if declared.by in combat.roster else ()
    return {"repair": mine, "extinguish": validation.burning(combat)}


IN_MOMENT: Actions = {
    "move": Action(
        title="move",
        is_minor=True,
        chart=chart.MOVE,
        terms=t.MoveTerms,
        check=validation.check_move,
        offers=in_ways("base", "full", "rush"),
        words=_words_of_move,
        line=Line(number="3i", title="Move", see="EP2 12/24", possible=lambda *_: True),
    ),
    "break_free": Action(
        title="break free",
        chart=chart.BREAK_FREE,
        terms=t.BreakFreeTerms,
        check=validation.check_break_free,
        assumes=assuming(t.BreakFreeTerms, "EP2 12/02 Grappling", "using"),
        urgent=while_in(*HELD),
        line=Line(number="3l", title="Break free", see="EP2 12/02", possible=can_struggle),
    ),
    "attack": Action(
        title="attack",
        chart=chart.ATTACK,
        terms=t.AttackTerms,
        check=check_attack,
        assumes=assumptions.of_attack,
        offers=_attacks,
        kept=("using", "mode"),
        roll=TO_HIT,
        words=_words_of_attack,
        line=Line(number="3b", title="Attack", see="EP2 12/01", possible=can_attack),
    ),
    "full_defense": Action(
        title="full defense",
        chart=chart.FULL_DEFENSE,
        terms=t.FullDefenseTerms,
        check=validation.check_full_defense,
        urgent=while_in(*HELD, mental=True),
        offers=once(),
        line=Line(number="3f", title="Full defense", see="EP2 12/21", possible=at_length),
    ),
    "suppress": Action(
        title="suppressive fire",
        chart=chart.SUPPRESS,
        terms=t.SuppressTerms,
        check=check_suppress,
        offers=suppressions,
        words=words_of_weapons,
        line=Line(number="3j", title="Suppressive fire", see="EP2 12/04", possible=at_length),
    ),
    "reload": Action(
        title="reload",
        chart=chart.RELOAD,
        terms=t.ReloadTerms,
        check=validation.check_reload,
        offers=reloads,
        words=words_of_weapons,
        line=Line(number="3h", title="Reload", see="EP2 12/04", possible=at_length),
    ),
    "task": Action(
        title="Task Action",
        chart=chart.TASK,
        terms=t.TaskTerms,
        check=check_task,
        line=Line(number="3e", title="Task Action", see="EP2 03/03", possible=at_length),
    ),
    "hold": Action(
        title="keep hold",
        chart=chart.HOLD,
        terms=t.HoldTerms,
        check=validation.check_hold,
        urgent=_actions_of_grappler,
        line=Line(number="3k", title="Keep hold", see="EP2 12/02", possible=can_keep_hold),
    ),
    "aim": Action(
        title="aim",
        is_minor=True,
        chart=chart.AIM,
        terms=t.AimTerms,
        check=validation.check_aim,
        offers=aims,
        line=Line(number="3g", title="Aim", see="EP2 12/04", possible=somehow),
    ),
    "delay": Action(
        title="delay",
        chart=chart.DELAY,
        terms=t.NoTerms,
        check=check_delay,
        offers=once(),
        line=Line(number="3m", title="Delay", see="EP2 03/04", possible=before_acting, goto="3n"),
    ),
    "quick": Action(
        title="Quick Action",
        is_minor=True,
        chart=chart.QUICK,
        terms=t.QuickTerms,
        check=validation.check_quick,
        urgent=while_in("prone", what="stands up", stand=True),
        offers=once(what="does something quick"),
        line=Line(number="3c", title="Quick Action", see="EP2 03/03", possible=can_act_quickly),
    ),
    "complex": Action(
        title="Complex Action",
        chart=chart.COMPLEX,
        terms=t.ComplexTerms,
        check=validation.check_complex,
        urgent=_remedies,
        offers=_other_complex_actions,
        words=_words_of_complex,
        line=Line(number="3d", title="Complex Action", see="EP2 03/03", possible=can_think),
    ),
}
"""Actions of a moment in menu order."""
