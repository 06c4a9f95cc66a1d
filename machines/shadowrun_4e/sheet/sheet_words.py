"""Sheets and weapons whose words no table has."""

from machines.contract import refusals as no
from machines.contract.sheet_words import check_own_weapons, check_rows, weapons_by_name
from machines.contract.toolkit import one_of
from machines.shadowrun_4e.sheet.sheet import Sheet, Spell, Weapon
from machines.shadowrun_4e.tables.tables import (
    AMMUNITION,
    BARRIER_DAMAGE,
    BARRIERS,
    GRENADES,
    MOVEMENT,
    PLANES,
    SCATTER,
    SKILLS,
    SPELLS,
    TRADITIONS,
    WEAPON_RANGES,
    WEAPONS,
)

METATYPES = tuple(word for row in MOVEMENT.values() for word in row.metatypes)


def check_weapon_words(weapon: Weapon, where: str) -> None:
    """Refuse a weapon with words that no table has.

    Raises:
        BadTerms: With the path of the field.
    """
    one_of(weapon.skill.partition(":")[0], tuple(SKILLS), f"{where}.skill")
    one_of(weapon.other_skill.partition(":")[0], ("", *SKILLS), f"{where}.other_skill")
    one_of(weapon.range, ("", *WEAPON_RANGES), f"{where}.range")
    one_of(weapon.load, ("", *AMMUNITION), f"{where}.load")
    one_of(weapon.grenade, ("", *GRENADES), f"{where}.grenade")
    one_of(weapon.scatter, ("", *SCATTER), f"{where}.scatter")
    one_of(weapon.barrier, ("", *BARRIER_DAMAGE), f"{where}.barrier")
    if not weapon.damage and not weapon.grenade:
        raise no.BadTerms("it does no damage", where=f"{where}.damage", accepts="damage, or grenade")


def check_owner(who: str, owner: Sheet) -> None:
    """Refuse a sheet with words that no table has.

    Raises:
        BadSheet: With the path of the field.
    """
    weapons = weapons_by_name(owner.weapons).items()
    spells = weapons_by_name(owner.spells).values()
    check_rows(
        who,
        (
            ("weapons", [each for _, each in weapons if isinstance(each, str)], WEAPONS),
            ("spells", [each for each in spells if not isinstance(each, Spell)], SPELLS),
            ("skills", [name.partition(":")[0] for name in owner.skills], SKILLS),
            ("specializations", [name.partition(":")[0] for name in owner.specializations], SKILLS),
            ("plane", [owner.plane], PLANES),
            ("metatype", [owner.metatype], METATYPES),
            ("tradition", [owner.tradition] if owner.tradition else [], TRADITIONS),
            ("material", [owner.material] if owner.material else [], BARRIERS),
        ),
    )
    check_own_weapons(who, [(name, each) for name, each in weapons if isinstance(each, Weapon)], check_weapon_words)
