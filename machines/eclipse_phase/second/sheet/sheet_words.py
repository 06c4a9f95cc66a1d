"""Sheets and weapons whose words no table has."""

from ledger.dice import parse
from machines.contract.toolkit import one_of
from machines.eclipse_phase.family.targeting import check_words_of_sheet
from machines.eclipse_phase.second.sheet.sheet import Sheet, Weapon
from machines.eclipse_phase.second.sheet.sheet_access import SHEETS, skill_row
from machines.eclipse_phase.second.tables.tables import (
    AMMUNITION,
    ARMOR,
    ATTACK_KINDS,
    FIRING_MODES,
    MOVEMENTS,
    SKILLS,
    TRAITS,
    WEAPON_TRAITS,
)


def check_weapon_words(weapon: Weapon, where: str) -> None:
    """Refuse a weapon with words that no table has.

    Raises:
        BadTerms: With the path of the field.
    """
    one_of(weapon.kind, tuple(ATTACK_KINDS), f"{where}.kind")
    row = skill_row(weapon.skill)
    if row is None or not row.attacks:
        one_of(weapon.skill, tuple(row.name for row in SKILLS.values() if row.attacks), f"{where}.skill")
    for mode in weapon.modes:
        one_of(mode, tuple(FIRING_MODES), f"{where}.modes")
    for trait in weapon.traits:
        one_of(trait, tuple(WEAPON_TRAITS), f"{where}.traits")
    one_of(weapon.load, ("", *AMMUNITION), f"{where}.load")
    if weapon.damage:
        parse(weapon.damage)


def check_owner(who: str, owner: Sheet) -> None:
    """Refuse a sheet with words that no table has.

    Raises:
        BadSheet: With the path of the field.
    """
    fields = (
        ("armor.worn", owner.armor.worn, ARMOR),
        ("traits", owner.traits, TRAITS),
        ("skills", map(_general, owner.skills), SKILLS),
        ("movement", owner.movement, MOVEMENTS),
    )
    check_words_of_sheet(who, owner, SHEETS, fields, check_weapon_words)


def _general(skill: str) -> str:
    """What stands before the colon of a skill that has fields; all of one that has none."""
    general, colon, _ = skill.partition(":")
    return general if colon and general in SKILLS and SKILLS[general].fields else skill
