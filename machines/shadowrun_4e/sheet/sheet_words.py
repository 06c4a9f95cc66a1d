"""Words of sheets and weapons that are no plain rows: skills with what they are told apart by, metatypes."""

from machines.contract import refusals as no
from machines.contract.sheet_words import check_own_weapons, check_rows, weapons_by_name
from machines.contract.toolkit import one_of
from machines.shadowrun_4e.sheet.sheet import Sheet, Weapon
from machines.shadowrun_4e.tables.tables import MOVEMENT, SKILLS

METATYPES = tuple(word for row in MOVEMENT.values() for word in row.metatypes)


def check_weapon_words(weapon: Weapon, where: str) -> None:
    """Refuse a weapon with a skill that there is not, or one that does no damage.

    Raises:
        BadTerms: With the path of the field.
    """
    one_of(weapon.skill.partition(":")[0], tuple(SKILLS), f"{where}.skill")
    one_of(weapon.other_skill.partition(":")[0], ("", *SKILLS), f"{where}.other_skill")
    if not weapon.damage and not weapon.grenade:
        raise no.BadTerms("it does no damage", where=f"{where}.damage", accepts="damage, or grenade")


def check_owner(who: str, owner: Sheet) -> None:
    """Refuse a sheet with a skill or a metatype that there is not.

    Raises:
        BadSheet: With the path of the field.
    """
    check_rows(
        who,
        (
            ("skills", [name.partition(":")[0] for name in owner.skills], SKILLS),
            ("specializations", [name.partition(":")[0] for name in owner.specializations], SKILLS),
            ("metatype", [owner.metatype], METATYPES),
        ),
    )
    weapons = weapons_by_name(owner.weapons).items()
    check_own_weapons(who, [(name, each) for name, each in weapons if isinstance(each, Weapon)], check_weapon_words)
