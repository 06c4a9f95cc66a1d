"""What may be declared beside attacks, by whom and when; and what refuses a sheet."""

from machines.contract import refusals as no
from machines.contract.sheet_words import check_rows
from machines.contract.toolkit import check_another, check_not_lost, check_quiet, one_of
from machines.gurps_3e.actions import terms as t
from machines.gurps_3e.attack.spending import MANEUVER
from machines.gurps_3e.attack.targeting import check_weapon
from machines.gurps_3e.sheet.sheet import Sheet
from machines.gurps_3e.sheet.sheet_access import (
    BROKEN,
    DEAD,
    PARTS,
    SHIELD_UNREADY,
    SPOILED,
    UNABLE,
    UNCONSCIOUS,
    arms,
    can_stand,
    check_able,
    hits_left,
    kind_of,
    move,
    needed,
    posture,
    thing,
)
from machines.gurps_3e.tables.tables import POSTURES
from projections.combat import Combat


def check_armor(who: str, owner: Sheet) -> None:
    """Refuse armor for what is no part of the body.

    Raises:
        BadSheet: With the path of the field.
    """
    check_rows(who, [("armor", list(owner.armor), PARTS)])


def _may_act(combat: Combat, by: str) -> None:
    check_able(combat, by)
    if combat.turn.spent.get(MANEUVER):
        raise no.ActionUsedUp(f"{by}'s maneuver is used", where="kind", accepts="end")


def check_plain(combat: Combat, by: str, _: object) -> None:
    """A maneuver that nothing else stands in the way of."""
    _may_act(combat, by)


def check_aim(combat: Combat, by: str, terms: t.AimTerms) -> None:
    """Aiming at somebody, with a weapon that shoots and is ready."""
    _may_act(combat, by)
    check_another(combat, by, terms.at)
    check_not_lost(combat, terms.at, DEAD)
    one_of(terms.using, tuple(name for name, each in arms(combat, by).items() if kind_of(each).ranged), "using")
    check_weapon(combat, by, terms.using)


def check_feint(combat: Combat, by: str, terms: t.FeintTerms) -> None:
    """A feint with a weapon for blows, at somebody else."""
    _may_act(combat, by)
    check_another(combat, by, terms.at)
    check_not_lost(combat, terms.at, *UNABLE)
    one_of(terms.using, tuple(name for name, each in arms(combat, by).items() if not kind_of(each).ranged), "using")
    check_weapon(combat, by, terms.using)
    needed(combat, by, arms(combat, by)[terms.using].skill)


def check_posture(combat: Combat, by: str, terms: t.PostureTerms) -> None:
    """A posture that one comes to from the present one."""
    _may_act(combat, by)
    here = posture(combat, by)
    legs = can_stand(combat, by)
    one_of(terms.to, tuple(name for name in here.to if legs or POSTURES[name].defense), "to")


def repairs(combat: Combat, who: str) -> tuple[str, ...]:
    """Conditions of weapons and shield that readying ends.

    Source: B 104 Ready Weapons
    """
    endings = tuple(f"_{word}" for word in SPOILED if word != BROKEN)
    return tuple(name for name in combat.conditions.of(who) if name.endswith(endings) or name == SHIELD_UNREADY)


def reloads(combat: Combat, who: str) -> tuple[str, ...]:
    """Weapons that can be reloaded.

    Source: B 104 Ready Weapons
    """
    mine = ((name, combat.resources.resource(who, thing(name, each))) for name, each in arms(combat, who).items())
    return tuple(name for name, magazine in mine if magazine.left < magazine.of)


def check_ready(combat: Combat, by: str, terms: t.ReadyTerms) -> None:
    """What is unready, or not full."""
    _may_act(combat, by)
    one_of(terms.repair, ("", *repairs(combat, by)), "repair")
    one_of(terms.reload, ("", *reloads(combat, by)), "reload")
    if terms.repair and terms.reload:
        raise no.BadTerms("a turn readies one thing", where="reload", accepts="repair, or reload")


def check_move(combat: Combat, by: str, terms: t.MoveTerms) -> None:
    """No farther than Move; nobody walks who lies or sits."""
    _may_act(combat, by)
    here = posture(combat, by)
    if not here.walks:
        raise no.CannotAct(f"{by} is {here.name}", where="kind", accepts="posture first")
    most = move(combat, by)
    if terms.yards is not None and terms.yards > most:
        raise no.BadTerms(f"{by} cannot go {terms.yards} yards", where="yards", accepts=f"0 to {most}")


def check_come_round(combat: Combat, by: str, _: object) -> None:
    """Whoever is out, outside of a fight, and has a hit point left."""
    check_quiet(combat)
    check_not_lost(combat, by, DEAD)
    if not combat.conditions.has(by, UNCONSCIOUS):
        raise no.CannotAct(f"{by} is not unconscious", where="by", accepts="somebody who is")
    if hits_left(combat, by) <= 0:
        raise no.CannotAct(f"{by} has no hit points left", where="by", accepts="more than 0 hit points")
