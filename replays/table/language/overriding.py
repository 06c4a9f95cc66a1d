"""Sets values of a sheet differently by plain names: ``st=13 broadsword=16 pistol="ares predator iv"``.

A name is a field of the sheet or of a part of it, an entry of one of its tables, or a skill. A value that names a row
of weapons replaces the weapon of that name, or is added. ``weapons.pistol.damage=3d`` names a place in full.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
from msgspec import inspect

from ledger.events import Json
from machines.contract.documents.accepted import Catalog, accepted, alternatives, bare, struct_of
from machines.contract.documents.nearest import did_you_mean, same_name
from machines.contract.documents.spelling import spelled
from machines.contract.refusals import BadSheet
from machines.contract.row_fields import RowOf, mark_of, typed_fields
from machines.contract.ruleset import Ruleset
from replays.table.language.grammar import Ambiguous, plain, unquoted, value

Path = tuple[str, ...]


class Place(NamedTuple):
    """A place of a sheet that a name means."""

    path: Path
    hint: Any


def overridden(game: Ruleset, sheet: Json, name: str, raw: str) -> Json:
    """Returns a sheet with one value set differently.

    Args:
        game: The ruleset.
        sheet: The sheet.
        name: The name of the value, in any case.
        raw: The value as it was typed.

    Raises:
        BadSheet: The sheet has no such place, or does not accept the value there.
        Ambiguous: The name means several places or weapons.
    """
    catalog = Catalog(game.name, game.tables)
    with_row = _with_row(game, sheet, name, unquoted(raw))
    if with_row is not None:
        return with_row
    places = _named(game, sheet, name)
    if not places:
        raise _unknown(game, sheet, name)
    fitting = [(place, given) for place in places if (given := _fitting(place, raw, catalog)) is not None]
    if not fitting:
        path, hint = places[0]
        raise BadSheet(
            f"{'.'.join(path)}: {raw} is not accepted", where=".".join(path), accepts=accepted(hint, catalog)
        )
    place, given = fitting[0]
    return _set(sheet, place.path, given)


def names_place(game: Ruleset, sheet: Json, name: str) -> bool:
    """Returns whether a name means a place of a sheet.

    Args:
        game: The ruleset.
        sheet: The sheet.
        name: The name, in any case.
    """
    return bool(_named(game, sheet, name))


# ------------------------------------------------------------------------------------------------ places


def _named(game: Ruleset, sheet: Json, name: str) -> list[Place]:
    """Returns the places that a name means, the likeliest first."""
    names = [unquoted(each) for each in name.split(".")]
    if len(names) > 1:
        return list(_in_full(Place((), game.sheet), names, game))
    return [place for place in _places(game, sheet) if plain(place.path[-1]) == plain(names[0])]


def _in_full(place: Place, names: list[str], game: Ruleset) -> Iterator[Place]:
    """Yields the place that is named from the top of the sheet."""
    if not names:
        yield place
        return
    for each in alternatives(place.hint):
        struct, table = struct_of(each), bare(each)
        hints = {field.encoded: field.hint for field in typed_fields(struct)} if struct is not None else {}
        found = same_name(names[0], hints)
        if found:
            yield from _in_full(Place((*place.path, found), hints[found]), names[1:], game)
        elif get_origin(table) is dict:
            key, inner = get_args(table)
            word = spelled(names[0], key, Catalog(game.name, game.tables))
            yield from _in_full(Place((*place.path, word), inner), names[1:], game)


def _places(game: Ruleset, sheet: Json) -> Iterator[Place]:
    """Yields the places of a sheet that have plain names: fields, fields of its parts, entries and rows of tables."""
    fields = typed_fields(game.sheet)
    yield from (Place((field.encoded,), field.hint) for field in fields)
    for field in fields:
        for each in alternatives(field.hint):
            struct, table = struct_of(each), bare(each)
            if struct is not None:
                yield from (Place((field.encoded, inner.encoded), inner.hint) for inner in typed_fields(struct))
            elif get_origin(table) is dict:
                key, inner = get_args(table)
                for name in _entries(game, sheet, field.encoded, key):
                    yield Place((field.encoded, name), inner)


def _entries(game: Ruleset, sheet: Json, field: str, key: Any) -> Iterator[str]:
    """Yields the entries that a table of a sheet may have: its own, rows, and those of the game's ready sheets."""
    mark, seen = mark_of(key), dict[str, None]()
    for each in (sheet, *game.sheets.values()):
        entries = each.get(field)
        seen.update(dict.fromkeys(entries if isinstance(entries, dict) else ()))
    yield from dict.fromkeys((*seen, *(mark.names(game.tables) if mark is not None else ())))


def _fitting(place: Place, raw: str, catalog: Catalog) -> Any:
    """Returns a typed value if a place accepts it, else None."""
    given = spelled(value(unquoted(raw), inspect.type_info(place.hint)), place.hint, catalog)
    try:
        msgspec.convert(given, place.hint)
    except msgspec.ValidationError:
        return None
    mark = next((mark_of(each) for each in alternatives(place.hint) if mark_of(each) is not None), None)
    return None if mark is not None and isinstance(given, str) and not mark.has(given, catalog.tables) else given


def _set(sheet: Json, path: Path, given: Any) -> Json:
    """Returns a sheet with a value at a place."""
    first, *others = path
    inside = sheet.get(first)
    return {**sheet, first: _set(inside if isinstance(inside, dict) else {}, tuple(others), given) if others else given}


def _unknown(game: Ruleset, sheet: Json, name: str) -> BadSheet:
    known = list(dict.fromkeys(place.path[-1] for place in _places(game, sheet)))
    accepts = f"a field, a skill or a weapon of the sheet, such as {', '.join(list(sheet)[:3])}; or PLACE.NAME"
    return BadSheet(f"the sheet has no {name!r}{did_you_mean(name, known)}", where=name, accepts=accepts)


# ------------------------------------------------------------------------------------------------ rows


def _with_row(game: Ruleset, sheet: Json, name: str, raw: str) -> Json | None:
    """Returns a sheet with a row in place of the entry that a name means, or added; None if the value is no row."""
    if same_name(name, [field.encoded for field in typed_fields(game.sheet)]):
        return None
    for field, mark in _lists_of_rows(game):
        row = same_name(raw, mark.names(game.tables))
        if row:
            return _with_entry(sheet, field, row, _meant(game, sheet, name))
    return None


def _lists_of_rows(game: Ruleset) -> Iterator[tuple[str, RowOf]]:
    """Yields the fields of a sheet that list rows, or have rows as values."""
    for field in typed_fields(game.sheet):
        for each in alternatives(field.hint):
            inner = get_args(bare(each))
            item = inner[-1] if get_origin(bare(each)) is dict else inner[0] if inner else None
            if get_origin(bare(each)) in (dict, tuple, list):
                yield from ((field.encoded, mark) for one in alternatives(item) if (mark := mark_of(one)) is not None)


def _meant(game: Ruleset, sheet: Json, name: str) -> tuple[str, str] | None:
    """Returns the entry that a name means, with its field: by its name, a word of it, or a word of its row.

    Raises:
        Ambiguous: Several entries are meant.
    """
    rows = dict(_lists_of_rows(game))
    entries = [
        (field, entry)
        for field, inside in sheet.items()
        if field in rows or (isinstance(inside, dict) and any(isinstance(each, dict) for each in inside.values()))
        for entry in inside
    ]
    by_name = [(field, entry) for field, entry in entries if plain(entry) == plain(name)]
    by_word = [(field, entry) for field, entry in entries if f"_{plain(entry)}".find(f"_{plain(name)}") >= 0]
    by_row = [(field, entry) for field, entry in entries if field in rows and _has_word(game, rows[field], entry, name)]
    found = by_name or by_word or by_row
    if len(found) > 1:
        raise Ambiguous(name, [f"{entry!r}" for _, entry in found], where="add")
    return found[0] if found else None


def _has_word(game: Ruleset, mark: RowOf, entry: str, name: str) -> bool:
    """Returns whether a text in the row of an entry begins with a word."""
    rows = (row for table in mark.tables for row in game.tables[table] if getattr(row, mark.column) == entry)
    texts = (text for row in rows for text in msgspec.structs.astuple(row) if isinstance(text, str))
    return any(plain(text).startswith(plain(name)) for text in texts)


def _with_entry(sheet: Json, field: str, row: str, meant: tuple[str, str] | None) -> Json:
    """Returns a sheet with a row in a field, where the entry was that it replaces, or at the end."""
    former_field, former = meant or (field, row)
    former_entries = sheet.get(former_field, [])
    if former_field != field and isinstance(former_entries, dict):
        sheet = {**sheet, former_field: {key: each for key, each in former_entries.items() if key != former}}
    entries = sheet.get(field, [])
    if isinstance(entries, dict):
        renamed = {row if key == former else key: row if key == former else each for key, each in entries.items()}
        return {**sheet, field: {**renamed, row: row}}
    replaced = [row if each == former else each for each in entries]
    return {**sheet, field: list(dict.fromkeys([*replaced, row]))}
