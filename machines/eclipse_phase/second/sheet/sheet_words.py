"""Checks of words on sheets and weapons that are rows only in part: skills, which may have a field."""

from ledger.dice import parse
from machines.contract.sheet_words import check_own_weapons, check_rows
from machines.contract.toolkit import one_of
from machines.eclipse_phase.family.targeting import own_weapons
from machines.eclipse_phase.second.sheet.sheet import Sheet, Weapon
from machines.eclipse_phase.second.sheet.sheet_access import skill_row
from machines.eclipse_phase.second.tables.tables import SKILLS


def check_weapon_words(weapon: Weapon, where: str) -> None:
    """Rejects a weapon with a skill that is not used to attack, or with damage that is not dice.

    Raises:
        BadTerms: Names the path of the field.
    """
    row = skill_row(weapon.skill)
    if row is None or not row.attacks:
        one_of(weapon.skill, tuple(row.name for row in SKILLS.values() if row.attacks), f"{where}.skill")
    if weapon.damage:
        parse(weapon.damage)


def check_owner(who: str, owner: Sheet) -> None:
    """Rejects a sheet with skills that no table has.

    Raises:
        BadSheet: Names the path of the field.
    """
    check_rows(who, [("skills", map(_general, owner.skills), SKILLS)])
    check_own_weapons(who, own_weapons(owner), check_weapon_words)


def _general(skill: str) -> str:
    """Returns the part before the colon of a skill with fields; the whole name of others."""
    general, colon, _ = skill.partition(":")
    return general if colon and general in SKILLS and SKILLS[general].fields else skill
