"""Rejects declarations other than attacks that cannot be made, and armor for unknown parts of the body."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from machines.contract.refusals import ActionUsedUp, BadTerms, CannotAct, StillNeeded
from machines.contract.toolkit import check_another, check_not_lost, check_quiet, one_of
from machines.gurps_3e.actions import terms as t
from machines.gurps_3e.attack.attack_context import is_strict
from machines.gurps_3e.attack.spending import MANEUVER
from machines.gurps_3e.attack.targeting import check_weapon
from machines.gurps_3e.harm.dying import death_rolls_due
from machines.gurps_3e.sheet.sheet_access import (
    BROKEN,
    DEAD,
    SHIELD_UNREADY,
    SPOILED,
    UNABLE,
    UNCONSCIOUS,
    can_stand,
    check_able,
    hits_left,
    item_of,
    kind_of,
    move,
    posture,
    required_skill,
    unready_conditions,
    weapons_of,
)
from machines.gurps_3e.tables.tables import MANEUVERS, POSTURES
from projections.combat import Combat


def _may_act(combat: Combat, by: str) -> None:
    check_able(combat, by)
    if combat.turn.spent.get(MANEUVER):
        raise ActionUsedUp(f"{by}'s maneuver is used", where="kind", accepts="end")


SHIELD = "shield"


def check_plain(combat: Combat, by: str, _: object) -> None:
    """Rejects a maneuver where the combatant cannot act or the maneuver is used."""
    _may_act(combat, by)


def check_aim(combat: Combat, by: str, terms: t.AimTerms) -> None:
    """Rejects aiming at a target that cannot be aimed at, or with a weapon that does not shoot or is not ready."""
    _may_act(combat, by)
    check_another(combat, by, terms.at)
    check_not_lost(combat, terms.at, DEAD)
    one_of(terms.using, tuple(name for name, each in weapons_of(combat, by).items() if kind_of(each).ranged), "using")
    check_weapon(combat, by, terms.using)


def check_feint(combat: Combat, by: str, terms: t.FeintTerms) -> None:
    """Rejects a feint at a target that cannot be feinted, or with a weapon that is not for blows."""
    _may_act(combat, by)
    check_another(combat, by, terms.at)
    check_not_lost(combat, terms.at, *UNABLE)
    one_of(
        terms.using, tuple(name for name, each in weapons_of(combat, by).items() if not kind_of(each).ranged), "using"
    )
    check_weapon(combat, by, terms.using)
    required_skill(combat, by, weapons_of(combat, by)[terms.using].skill)


def check_posture(combat: Combat, by: str, terms: t.PostureTerms) -> None:
    """Rejects a posture that cannot be taken from the present one."""
    _may_act(combat, by)
    here = posture(combat, by)
    legs = can_stand(combat, by)
    one_of(terms.to, tuple(name for name in here.to if legs or POSTURES[name].defense), "to")


def repairs(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the conditions of weapons and shield that readying ends.

    Source: B 104 Ready Weapons
    """
    endings = tuple(f"_{word}" for word in SPOILED if word != BROKEN)
    return tuple(name for name in combat.conditions.of(who) if name.endswith(endings) or name == SHIELD_UNREADY)


def reloads(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the weapons that can be reloaded.

    Source: B 104 Ready Weapons
    """
    mine = (
        (name, combat.resources.resource(who, item_of(name, each))) for name, each in weapons_of(combat, who).items()
    )
    return tuple(name for name, magazine in mine if magazine.left < magazine.of)


def check_ready(combat: Combat, by: str, terms: t.ReadyTerms) -> None:
    """Rejects readying what is ready, and reloading what is full."""
    _may_act(combat, by)
    one_of(terms.repair, ("", *repairs(combat, by)), "repair")
    one_of(terms.reload, ("", *reloads(combat, by)), "reload")
    if terms.repair and terms.reload:
        raise BadTerms("one Ready maneuver readies one thing", where="reload", accepts="repair, or reload")
    unready = () if terms.repair or terms.reload else meant_to_repair(combat, by, terms.what)
    if unready and is_strict(combat):
        accepts = " or ".join(f"repair = {name!r}" for name in unready)
        raise BadTerms(f"words alone do not ready {by}'s {unready[0]}", where="repair", accepts=accepts)


def meant_to_repair(combat: Combat, who: str, what: str) -> tuple[str, ...]:
    """Returns the conditions of weapons and shield that the words of a Ready maneuver name.

    Ruling: G3-N40
    """
    words = what.lower()
    of_weapons = ((name, each) for name in weapons_of(combat, who) for each in unready_conditions(combat, who, name))
    of_shield = ((SHIELD, SHIELD_UNREADY),) if combat.conditions.has(who, SHIELD_UNREADY) else ()
    named = (each for name, each in (*of_weapons, *of_shield) if name.lower() in words)
    known = repairs(combat, who)
    return tuple(dict.fromkeys(each for each in named if each in known))


def check_move(combat: Combat, by: str, terms: t.MoveTerms) -> None:
    """Rejects moving farther than Move, or in a posture that does not walk."""
    _may_act(combat, by)
    here = posture(combat, by)
    if not here.walks:
        raise CannotAct(f"{by} is {here.name}", where="kind", accepts="posture first")
    check_yards(combat, by, "move", terms.yards)


MOVES: Mapping[str, Callable[[int], int]] = {
    "none": lambda _: 0,
    "step": lambda _: 1,
    "half": lambda most: most // 2,
    "whole": lambda most: most,
}
"""The yards that a maneuver allows, by the column of the table and by Move."""


def check_yards(combat: Combat, by: str, maneuver: str, yards: int | None) -> None:
    """Rejects moving farther than a maneuver allows.

    Source: B 203 Maneuvers
    """
    row = MANEUVERS[maneuver]
    most = MOVES[row.moves](move(combat, by))
    most = most if row.most is None else min(most, row.most)
    if yards is not None and yards > most:
        problem = f"{by} cannot go {yards} yards: {maneuver}"
        raise BadTerms(problem, where="yards", accepts=f"0 to {most}")


T = TypeVar("T", bound=t.StepTerms)
Check = Callable[[Combat, str, T], None]


def moving(maneuver: str, check: Check[T], all_out: str = "") -> Check[T]:
    """Returns the check of a maneuver, which also rejects moving farther than it allows.

    Args:
        maneuver: The row of the table.
        check: The other checks.
        all_out: The row of the table if it is declared as all out.
    """

    def checked(combat: Combat, by: str, terms: T) -> None:
        check(combat, by, terms)
        check_yards(combat, by, all_out if all_out and getattr(terms, "all_out") else maneuver, terms.yards)  # noqa: B009

    return checked


def check_survive(combat: Combat, by: str, _: object) -> None:
    """Rejects death rolls of a combatant who has none to make, or while something is being resolved."""
    now = combat.exchange.frame
    if now is not None:
        raise StillNeeded(f"{now.by}'s {now.kind} is being resolved", where=now.key, accepts="when it is over")
    if not death_rolls_due(combat, by):
        raise CannotAct(f"{by} has no death roll to make", where="by", accepts="a combatant at -HT or below")


def check_come_round(combat: Combat, by: str, _: object) -> None:
    """Rejects waking up in a fight, or for a combatant who is not unconscious or has no hit points left."""
    check_quiet(combat)
    check_not_lost(combat, by, DEAD)
    if not combat.conditions.has(by, UNCONSCIOUS):
        raise CannotAct(f"{by} is not unconscious", where="by", accepts="an unconscious combatant")
    if hits_left(combat, by) <= 0:
        raise CannotAct(f"{by} has no hit points left", where="by", accepts="more than 0 hit points")
