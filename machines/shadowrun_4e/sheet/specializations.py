"""Specializations: the categories of weapons, spells, spirits and defenses, and the words that a sheet may have."""

from collections.abc import Iterator

from machines.contract.refusals import BadSheet
from machines.contract.sheet_words import armed, weapons_by_name
from machines.shadowrun_4e.sheet.sheet import Sheet, Spell, Weapon
from machines.shadowrun_4e.tables.tables import SPECIALIZATIONS, SPELLS, WEAPONS

SPECIALIZATION = 2
"""The dice of a specialization."""


def of_weapon(owner: Sheet, name: str, weapon: Weapon) -> tuple[str, ...]:
    """Returns the words under which a weapon counts: its name, its row, and its categories.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    named = _rows(owner.weapons).get(name, name)
    found = (
        each.name
        for each in SPECIALIZATIONS.values()
        if weapon.range in each.ranges or set(weapon.modes[:1]) & set(each.modes) or named in each.rows
    )
    return tuple(dict.fromkeys((name, named, *found)))


def of_spell(owner: Sheet, name: str, spell: Spell) -> tuple[str, ...]:
    """Returns the words under which a spell counts: its name, its row, and its categories.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    named = _rows(owner.spells).get(name, name)
    rows = SPECIALIZATIONS.values()
    found = (each.name for each in rows if spell.effect in each.effects or named in each.rows)
    return tuple(dict.fromkeys((name, named, *found)))


def of_spirit(name: str) -> tuple[str, ...]:
    """Returns the words under which a spirit counts: its name, and its categories.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    plain = name.lower().removeprefix("a ").removeprefix("an ")
    return (name, plain, *(each.name for each in SPECIALIZATIONS.values() if plain in each.spirits))


def of_defense(against: str) -> tuple[str, ...]:
    """Returns the words under which a defense counts.

    Args:
        against: ``melee`` or ``ranged``.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    return tuple(each.name for each in SPECIALIZATIONS.values() if against in each.defense)


def _rows(named: object) -> dict[str, str]:
    """Returns the names of rows by the names under which a sheet has them."""
    pairs = weapons_by_name(named).items() if isinstance(named, (dict, tuple)) else ()
    return {name: each for name, each in pairs if isinstance(each, str)}


def check_specializations(who: str, owner: Sheet) -> None:
    """Rejects a specialization that can never count in its skill.

    Raises:
        BadSheet: It accepts the categories of the skill.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    for skill, word in owner.specializations.items():
        accepted = tuple(dict.fromkeys(_words(owner, skill)))
        if accepted and word.lower() not in [each.lower() for each in accepted]:
            where = f"combatants.{who}.sheet.specializations.{skill}"
            raise BadSheet(
                f"{who}: no weapon or category {word!r} of {skill}", where=where, accepts=", ".join(accepted)
            )


def _words(owner: Sheet, skill: str) -> Iterator[str]:
    """Yields the words of a skill of attacks, spells or spirits; none of other skills, where any word is accepted."""
    row = skill.partition(":")[0]
    categories = [each.name for each in SPECIALIZATIONS.values() if row in each.skills]
    yield from categories
    for name, weapon in armed(owner.weapons, WEAPONS, Weapon).items():
        if skill in (weapon.skill, weapon.other_skill):
            yield from (name, _rows(owner.weapons).get(name, name))
    if categories and row == "spellcasting":
        yield from (*weapons_by_name(owner.spells), *SPELLS)
    elif categories:
        yield from (name for name, each in WEAPONS.items() if each.skill == row)
