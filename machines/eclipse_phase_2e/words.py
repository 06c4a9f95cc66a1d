"""Sheets and weapons whose words no table has."""

from ledger.dice import parse
from machines import refusals as no
from machines.boxes import one_of
from machines.eclipse_phase_2e.reading import skill_row
from machines.eclipse_phase_2e.sheet import Sheet, Weapon
from machines.eclipse_phase_2e.tables import (
    AMMUNITION,
    ARMOR,
    ATTACK_KINDS,
    FIRING_MODES,
    MOVEMENTS,
    SKILLS,
    TRAITS,
    WEAPON_TRAITS,
    WEAPONS,
)


def check_weapon_words(weapon: Weapon, *, where: str) -> None:
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
    where = f"combatants.{who}.sheet"
    named = owner.weapons.values() if isinstance(owner.weapons, dict) else owner.weapons
    for field, words, rows in (
        ("weapons", [each for each in named if isinstance(each, str)], WEAPONS),
        ("armor.worn", owner.armor.worn, ARMOR),
        ("traits", owner.traits, TRAITS),
        ("movement", owner.movement, MOVEMENTS),
    ):
        for word in words:
            if word not in rows:
                raise no.BadSheet(f"{who}: no row {word!r}", where=f"{where}.{field}", accepts=", ".join(rows))
    if isinstance(owner.weapons, dict):
        for name, weapon in owner.weapons.items():
            if isinstance(weapon, Weapon):
                _check_own(who, name, weapon, f"{where}.weapons.{name}")


def _check_own(who: str, name: str, weapon: Weapon, where: str) -> None:
    try:
        check_weapon_words(weapon, where=where)
    except no.BadTerms as refusal:
        raise no.BadSheet(f"{who}'s {name}: {refusal.message}", where=refusal.where, accepts=refusal.accepts) from None
