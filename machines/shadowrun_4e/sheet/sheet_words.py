"""Rejects unknown skills and metatypes on sheets, and weapons without damage."""

from machines.contract.refusals import BadTerms
from machines.contract.sheet_words import check_own_weapons, check_rows, weapons_by_name
from machines.contract.toolkit import one_of
from machines.shadowrun_4e.sheet.sheet import Sheet, Weapon
from machines.shadowrun_4e.sheet.specializations import check_specializations
from machines.shadowrun_4e.tables.tables import MOVEMENT, SKILLS

METATYPES = tuple(word for row in MOVEMENT.values() for word in row.metatypes)


def check_weapon_words(weapon: Weapon, where: str) -> None:
    """Rejects a weapon with an unknown skill, or without damage.

    Raises:
        BadTerms: It names the path of the field.
    """
    one_of(weapon.skill.partition(":")[0], tuple(SKILLS), f"{where}.skill")
    one_of(weapon.other_skill.partition(":")[0], ("", *SKILLS), f"{where}.other_skill")
    if not weapon.damage and not weapon.grenade:
        raise BadTerms("it does no damage", where=f"{where}.damage", accepts="damage, or grenade")


def check_owner(who: str, owner: Sheet) -> None:
    """Rejects a sheet with an unknown skill or metatype.

    Raises:
        BadSheet: It names the path of the field.
    """
    check_rows(
        who,
        (
            ("skills", [name.partition(":")[0] for name in owner.skills], SKILLS),
            ("specializations", [name.partition(":")[0] for name in owner.specializations], SKILLS),
            ("metatype", [owner.metatype], METATYPES),
        ),
    )
    check_specializations(who, owner)
    weapons = weapons_by_name(owner.weapons).items()
    check_own_weapons(who, [(name, each) for name, each in weapons if isinstance(each, Weapon)], check_weapon_words)
