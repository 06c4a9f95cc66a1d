"""Harm that nobody aims: a blast, a fall, a fire. Its damage is rolled once, and each who is caught takes theirs."""

import msgspec

from ledger.dice import parse
from machines.contract import refusals as no
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_here, counted, floored, frame, key_of
from machines.eclipse_phase.family.damage import DAMAGE, Blast, blast_from, caught
from machines.eclipse_phase.family.figure_names import ARMOR, DV
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.first.actions.terms import ExplosionTerms
from machines.eclipse_phase.first.harm.damage import FALLOFF, HALVED, PIERCED, spent
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import armor, row_as_weapon, sheet
from projections.combat import Combat

CAUGHT = FigureName("caught", str)
"""The figure of each who is dealt with."""


def check_explosion(combat: Combat, _: str, terms: ExplosionTerms) -> None:
    """Refuse harm to nobody, to whoever is not here, and to minds that a sheet does not have."""
    if not terms.caught:
        raise no.BadTerms("it catches nobody", where="caught", accepts="who, and how many meters from the center")
    harm = does(terms)
    parse(harm.damage)
    for who in terms.caught:
        check_here(combat, who, "caught")
        check_can_be_harmed(combat, who, harm.harms, wounds=terms.wounds)


def does(terms: ExplosionTerms) -> Blast:
    """What it does, as said or as the weapons table has it."""
    if not terms.weapon:
        return blast_from(terms, terms.ap, half=terms.half_armor)
    row = row_as_weapon(terms.weapon)
    return blast_from(row, row.ap)


def place_of(key: str, nth: int) -> str:
    """The key under which the figures of a victim are kept."""
    return f"{key}/t{nth}"


def nth_caught(combat: Combat) -> int:
    """Which of those who are caught is dealt with.

    Source: EP1 193 Area Effect Weapons
    """
    now, most = frame(combat), len(typed(frame(combat).terms, ExplosionTerms).caught)
    return sum(CAUGHT.is_at(combat, place_of(now.key, each)) for each in range(1, most + 1))


def read_blast(combat: Combat) -> Deed:
    """What the dice come to.

    Ruling: EP1-N5
    """
    key = key_of(combat, DAMAGE)
    value, why = counted(combat, key, caught(combat).does.damage, HALVED[profile(combat).halved_damage])
    yield DV.found(key, value, why, HERE)
    return None


def next_caught(combat: Combat) -> Deed:
    """One after the other."""
    now = caught(combat)
    if now.nth >= len(now.terms.caught):
        return "nobody"
    place = place_of(frame(combat).key, now.nth + 1)
    following = msgspec.structs.replace(now, place=place, nth=now.nth + 1)
    yield CAUGHT.found(following.place, following.who, f"{following.meters} m from the center", HERE)
    return "someone"


def modify_armor(combat: Combat) -> Deed:
    """The right kind of armor, reduced by Armor Penetration; in a fall half of it, rounded down."""
    now = caught(combat)
    value = armor(sheet(combat, now.who).armor, now.does.armor)
    why = f"{now.does.armor} armor {value}"
    if now.does.half:
        value, why = value // 2, f"half of {why}"
    left = PIERCED[profile(combat).armor_piercing](value, now.does.pierces)
    why += f", AP {now.does.pierces}{spent(combat, value, now.does.pierces)}" if now.does.pierces else ""
    yield ARMOR.found(now.place, left, why, HERE, who=now.who)
    return None


def lose_force(combat: Combat) -> Deed:
    """2 DV less for each meter from the center of a blast, or outside the radius of a uniform one."""
    now = caught(combat)
    dv = DV.at(combat, key_of(combat, DAMAGE))
    away = FALLOFF[now.does.area](now.meters, now.does.radius)
    left, why = floored(dv - 2 * away, f"{dv} - {2 * away} at {now.meters} m" if away else f"{dv}")
    yield DV.found(now.role(DAMAGE), left, why, HERE, who=now.who)
    return None
