"""Reads the weapons of a sheet, and checks that its words name rows of tables."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from machines.contract.refusals import BadSheet, BadTerms
from machines.contract.tables import Row, filled

W = TypeVar("W", bound=msgspec.Struct)


def weapons_by_name(weapons: Mapping[str, str | W] | Sequence[str]) -> Mapping[str, str | W]:
    """Returns the weapons of a sheet by name; a list of rows uses the names of the rows."""
    return weapons if isinstance(weapons, Mapping) else {name: name for name in weapons}


def armed(weapons: Mapping[str, str | W] | Sequence[str], rows: Mapping[str, Row], kind: type[W]) -> dict[str, W]:
    """Returns the weapons of a sheet by name, with names of rows replaced by the rows.

    Raises:
        KeyError: The sheet names a row that the table does not have.
    """
    named = weapons_by_name(weapons).items()
    return {name: filled(rows[each], kind) if isinstance(each, str) else each for name, each in named}


def check_rows(who: str, fields: Iterable[tuple[str, Iterable[str], Collection[str]]]) -> None:
    """Checks that the words of a sheet name rows.

    Args:
        who: The combatant whose sheet it is.
        fields: Path, words and known rows of each field.

    Raises:
        BadSheet: A word names no row; `where` has the path of the field.
    """
    for field, words, rows in fields:
        for word in words:
            if word not in rows:
                where = f"combatants.{who}.sheet.{field}"
                raise BadSheet(f"{who}: no row {word!r}", where=where, accepts=", ".join(rows))


def check_own_weapons(who: str, weapons: Iterable[tuple[str, W]], check: Callable[[W, str], None]) -> None:
    """Checks the weapons that a sheet defines itself.

    Args:
        who: The combatant whose sheet it is.
        weapons: Pairs of name and weapon.
        check: (weapon, where): raises `BadTerms` if a word of the weapon names no row.

    Raises:
        BadSheet: A word names no row; `where` has the path of the field.
    """
    for name, weapon in weapons:
        try:
            check(weapon, f"combatants.{who}.sheet.weapons.{name}")
        except BadTerms as refusal:
            problem = f"{who}'s {name}: {refusal.message}"
            raise BadSheet(problem, where=refusal.where, accepts=refusal.accepts) from None
