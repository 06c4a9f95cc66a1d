"""Harm that is not an attack: a blast, a fall, a fire. One damage roll counts for all victims."""

import msgspec

from ledger.dice import parse
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import BadTerms
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_here, counted, floored, frame, key_of
from machines.eclipse_phase.family.damage import DAMAGE, Blast, blast_from, caught
from machines.eclipse_phase.family.edition import ARMOR, DV
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.first.actions.terms import ExplosionTerms
from machines.eclipse_phase.first.harm.damage import FALLOFF, HALVED, PIERCED, spent
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import armor, row_as_weapon, sheet
from projections.combat import Combat

CAUGHT = FigureName("caught", str)
"""Figure of each victim."""


def check_explosion(combat: Combat, _: str, terms: ExplosionTerms) -> None:
    """Rejects harm without victims, to absent combatants, and to sheets that lack what its tests need."""
    if not terms.caught:
        raise BadTerms("no victims are named", where="caught", accepts="victims, with their meters from the center")
    harm = declared_blast(terms)
    parse(harm.damage)
    for who in terms.caught:
        check_here(combat, who, "caught")
        check_can_be_harmed(combat, who, harm.harms, wounds=terms.wounds)


def declared_blast(terms: ExplosionTerms) -> Blast:
    """Returns the blast of a declaration: its own figures, or those of the weapon that it names."""
    if not terms.weapon:
        return blast_from(terms, terms.ap, half=terms.half_armor)
    row = row_as_weapon(terms.weapon)
    return blast_from(row, row.ap)


def place_of(key: str, nth: int) -> str:
    """Returns the key prefix of a victim's figures."""
    return f"{key}/t{nth}"


def nth_caught(combat: Combat) -> int:
    """Returns the number of the victim being resolved.

    Source: EP1 193 Area Effect Weapons
    """
    now, most = frame(combat), len(typed(frame(combat).terms, ExplosionTerms).caught)
    return sum(CAUGHT.is_at(combat, place_of(now.key, each)) for each in range(1, most + 1))


def read_blast(combat: Combat) -> Deed:
    """Computes the Damage Value.

    Ruling: EP1-N5
    """
    key = key_of(combat, DAMAGE)
    value, why = counted(combat, key, caught(combat).does.damage, HALVED[profile(combat).halved_damage])
    yield DV.found(key, value, why, HERE)
    return None


def next_caught(combat: Combat) -> Deed:
    """Continues with the next victim."""
    now = caught(combat)
    if now.nth >= len(now.terms.caught):
        return "nobody"
    place = place_of(frame(combat).key, now.nth + 1)
    following = msgspec.structs.replace(now, place=place, nth=now.nth + 1)
    yield CAUGHT.found(following.place, following.who, f"{following.meters} m from the center", HERE)
    return "someone"


def modify_armor(combat: Combat) -> Deed:
    """Computes the armor that counts: of the right kind, halved in a fall, less Armor Penetration."""
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
    """Reduces damage by 2 DV for each meter from the center, or outside the radius of a uniform blast."""
    now = caught(combat)
    dv = DV.at(combat, key_of(combat, DAMAGE))
    away = FALLOFF[now.does.area](now.meters, now.does.radius)
    left, why = floored(dv - 2 * away, f"{dv} - {2 * away} at {now.meters} m" if away else f"{dv}")
    yield DV.found(now.role(DAMAGE), left, why, HERE, who=now.who)
    return None
