"""Actions of a moment: menu line, chart, terms, check and offers of each."""

from collections.abc import Iterable, Iterator

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Json, Option
from machines.contract.action import Action, Actions, Line, once
from machines.contract.assumptions import assuming
from machines.contract.offering import Words, next_action, others
from machines.eclipse_phase.family.actions import check_delay, check_suppress, check_task, complex_left
from machines.eclipse_phase.family.attacks import TO_HIT
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
from machines.eclipse_phase.first import chart
from machines.eclipse_phase.first.actions import assumptions, validation
from machines.eclipse_phase.first.actions import terms as t
from machines.eclipse_phase.first.actions.actions import is_free, quick_left
from machines.eclipse_phase.first.attack.attack_context import attacks_left
from machines.eclipse_phase.first.attack.targeting import attack_skills, check_attack
from machines.eclipse_phase.first.figure_names import ATTACKS_WITH
from machines.eclipse_phase.first.sheet.sheet_access import HELD, UNABLE, arms
from projections.combat import Combat


def ask_action(combat: Combat, options: Iterable[Option]) -> ChoiceRequested:
    """Asks for the next declaration; the default ends the moment."""
    return next_action(combat, unless_out(combat, options), within=f"/p{combat.clock.number}")


# ------------------------------------------------------------------------------------------------ what is possible


def can_struggle(combat: Combat, who: str) -> bool:
    """Returns whether a held combatant who is not disoriented has a Complex Action left."""
    held, disoriented = combat.conditions.has(who, HELD), combat.conditions.has(who, "disoriented")
    return held and not disoriented and complex_left(combat)


def can_guard(combat: Combat, who: str) -> str | bool:
    """Returns whether full defense is possible; a held combatant can still defend their mind."""
    return "full defense of the mind" if can_struggle(combat, who) else at_length(combat, who)


def can_attack(combat: Combat, who: str) -> str | bool:
    """Returns whether an attack is possible, with the number of attacks left in a Complex Action that was begun."""
    left = attacks_left(combat, who) if is_free(combat, who) else 0
    return f"attack again ({left} left)" if left else at_length(combat, who)


def can_act_quickly(combat: Combat, _: str) -> str | bool:
    """Returns whether a Quick Action is possible, with the number left."""
    left = quick_left(combat)
    return left > 0 and f"Quick Action ({left} left)"


# ------------------------------------------------------------------------------------------------ what is offered


def _attacks(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each weapon at each target; a Complex Action that was begun continues with the weapon it began with."""
    for at in others(combat, who, *UNABLE):
        yield from ({"at": at, **using} for using in _ways(combat, who))


def _ways(combat: Combat, who: str) -> Iterator[Json]:
    """Yields the weapons in their default mode, or the weapon and mode that the action began with."""
    mine = arms(combat, who)
    if not attacks_left(combat, who):
        yield from ({"using": name} for name in mine)
        return
    begun = ATTACKS_WITH.of(combat, who)
    name, _, mode = begun.rpartition(", ")
    if name in mine and mode in mine[name].modes:
        yield {"using": name, "mode": mode}
    else:
        yield from ({"using": each} for each in begun.split(", ") if each in mine)


def _words_of_attack(combat: Combat, declaration: Declare) -> Words:
    """Returns completions for the fields of an attack, with related skills if the weapon's is missing."""
    own = attack_skills(combat, declaration.by) if declaration.by in combat.roster else ()
    weapon = arms(combat, declaration.by).get(str(declaration.terms.get("using", ""))) if own else None
    is_missing = weapon is not None and weapon.skill not in own
    return {**words_of_attack(combat, declaration), "related": own if is_missing else ()}


IN_MOMENT: Actions = {
    "break_free": Action(
        title="break free",
        chart=chart.BREAK_FREE,
        terms=t.BreakFreeTerms,
        check=validation.check_break_free,
        assumes=assuming(t.BreakFreeTerms, "EP1 204 Subdual", "by"),
        urgent=while_in(HELD),
        line=Line(number="3k", title="Break free", see="EP1 204", possible=can_struggle),
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
        line=Line(number="3b", title="Attack", see="EP1 191", possible=can_attack),
    ),
    "full_defense": Action(
        title="full defense",
        chart=chart.FULL_DEFENSE,
        terms=t.FullDefenseTerms,
        check=validation.check_whole_phase,
        urgent=while_in(HELD, mental=True),
        offers=once(),
        line=Line(number="3f", title="Full defense", see="EP1 198", possible=can_guard),
    ),
    "suppress": Action(
        title="suppressive fire",
        chart=chart.SUPPRESS,
        terms=t.SuppressTerms,
        check=check_suppress,
        offers=suppressions,
        words=words_of_weapons,
        line=Line(number="3j", title="Suppressive fire", see="EP1 204", possible=at_length),
    ),
    "task": Action(
        title="Task Action",
        chart=chart.TASK,
        terms=t.TaskTerms,
        check=check_task,
        line=Line(number="3e", title="Task Action", see="EP1 189", possible=at_length),
    ),
    "aim": Action(
        title="aim",
        is_minor=True,
        chart=chart.AIM,
        terms=t.AimTerms,
        check=validation.check_aim,
        offers=aims,
        line=Line(number="3g", title="Aim", see="EP1 190", possible=somehow),
    ),
    "reload": Action(
        title="reload",
        chart=chart.RELOAD,
        terms=t.ReloadTerms,
        check=validation.check_reload,
        offers=reloads,
        words=words_of_weapons,
        line=Line(number="3h", title="Reload", see="EP1 194", possible=somehow),
    ),
    "move": Action(
        title="move",
        is_minor=True,
        chart=chart.MOVE,
        terms=t.MoveTerms,
        check=validation.check_move,
        offers=in_ways("walk", "run", "sprint"),
        line=Line(number="3i", title="Move", see="EP1 190", possible=somehow),
    ),
    "delay": Action(
        title="delay",
        chart=chart.DELAY,
        terms=t.NoTerms,
        check=check_delay,
        offers=once(),
        line=Line(number="3l", title="Delay", see="EP1 189", possible=before_acting, goto="3m"),
    ),
    "complex": Action(
        title="Complex Action",
        chart=chart.COMPLEX,
        terms=t.ComplexTerms,
        check=validation.check_complex,
        urgent=while_in("disoriented", what="regains their wits", regain=True),
        offers=once(what="does something that takes the whole phase"),
        line=Line(number="3d", title="Complex Action", see="EP1 189", possible=lambda combat, _: complex_left(combat)),
    ),
    "quick": Action(
        title="Quick Action",
        is_minor=True,
        chart=chart.QUICK,
        terms=t.QuickTerms,
        check=validation.check_quick,
        urgent=while_in("prone", what="stands up", stand=True),
        offers=once(what="does something quick"),
        line=Line(number="3c", title="Quick Action", see="EP1 189", possible=can_act_quickly),
    ),
}
"""Actions of a moment in menu order."""
