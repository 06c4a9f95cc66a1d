"""The words of a sheet: its weapons, and what no table has."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from machines.contract import refusals as no
from machines.contract.tables import Row, filled

W = TypeVar("W", bound=msgspec.Struct)


def weapons_by_name(weapons: Mapping[str, str | W] | Sequence[str]) -> Mapping[str, str | W]:
    """A sheet's weapons by name: rows of the table under their own, or under another."""
    return weapons if isinstance(weapons, Mapping) else {name: name for name in weapons}


def armed(weapons: Mapping[str, str | W] | Sequence[str], rows: Mapping[str, Row], kind: type[W]) -> dict[str, W]:
    """A sheet's weapons by name, rows of the table filled in.

    Raises:
        KeyError: It names a row that the table does not have.
    """
    named = weapons_by_name(weapons).items()
    return {name: filled(rows[each], kind) if isinstance(each, str) else each for name, each in named}


def check_rows(who: str, fields: Iterable[tuple[str, Iterable[str], Collection[str]]]) -> None:
    """Refuse a sheet that names a row which its table does not have.

    Args:
        who: Whose sheet it is.
        fields: The field's path, its words, the rows there are.

    Raises:
        BadSheet: With the path of the field.
    """
    for field, words, rows in fields:
        for word in words:
            if word not in rows:
                where = f"combatants.{who}.sheet.{field}"
                raise no.BadSheet(f"{who}: no row {word!r}", where=where, accepts=", ".join(rows))


def check_own_weapons(who: str, weapons: Iterable[tuple[str, W]], check: Callable[[W, str], None]) -> None:
    """Refuse a sheet with a weapon of its own that has words which no table has.

    Args:
        who: Whose sheet it is.
        weapons: By name.
        check: (weapon, where): refuses its words.

    Raises:
        BadSheet: With the path of the field.
    """
    for name, weapon in weapons:
        try:
            check(weapon, f"combatants.{who}.sheet.weapons.{name}")
        except no.BadTerms as refusal:
            problem = f"{who}'s {name}: {refusal.message}"
            raise no.BadSheet(problem, where=refusal.where, accepts=refusal.accepts) from None
