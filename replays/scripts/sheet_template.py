"""Writes a sheet as a commented TOML file: each field with its meaning, what it accepts and an example.

The required fields come first. Fields that a sheet does not state are comments with an example value.
"""

import textwrap
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec

from ledger.events import Json
from machines.contract.documents.accepted import (
    Catalog,
    alternatives,
    bare,
    keys_accepted,
    struct_of,
)
from machines.contract.documents.descriptions import DescribedField, described_fields
from machines.contract.documents.examples import example, required_fields
from machines.contract.ruleset import Ruleset
from replays.scripts.toml_text import toml_key, toml_text

_WIDTH = 80
_SHEET = "sheet"


def sheet_template(game: Ruleset, like: str = "", name: str = "") -> str:
    """Returns a commented TOML file with a sheet that a combatant can join with.

    Args:
        game: The ruleset.
        like: The ready sheet whose values it has; empty for the first one.
        name: The combatant's name; by default that of the ready sheet.
    """
    like = like or next(iter(game.sheets), "")
    values = dict(game.sheets[like]) if like else required_fields(game.sheet, Catalog(game.name, game.tables))
    lines = [*_head(game, like, name), *_Writer(game).table((_SHEET,), game.sheet, values)]
    return "\n".join(lines).strip() + "\n"


def _head(game: Ruleset, like: str, name: str) -> Iterator[str]:
    yield from _comment(f"A combatant for {game.title}{f', like the ready sheet {like}' if like else ''}.")
    yield from _comment("Lines that begin with # are comments. Remove the # before a field to set it.")
    yield from ("#", "#   affray sheet check FILE", f"#   affray fight {game.name} --with FILE", "")
    yield from (f"ruleset = {toml_text(game.name)}", f"name = {toml_text(name or like or 'somebody')}", "")
    yield from ('# The player; "gm" if omitted.', '# player = "kira"', "")


class _Writer:
    """Writes the fields of a ruleset's sheet.

    Args:
        game: The ruleset.
    """

    def __init__(self, game: Ruleset) -> None:
        self._catalog = Catalog(game.name, game.tables)
        self._ready = tuple(game.sheets.values())

    def table(self, path: tuple[str, ...], struct: type[msgspec.Struct], values: Json | None) -> Iterator[str]:
        """Yields a table with the fields of a struct; all of it as comments if there are no values.

        Args:
            path: The path of the table in the file.
            struct: The type of the table.
            values: The fields that are stated; None if the table is not.
        """
        yield f"{'# ' if values is None else ''}[{_dotted(path)}]"
        yield from self._fields(path, "", struct, values)
        for field in described_fields(struct):
            value = (values or {}).get(field.encoded)
            if _is_table(field, value) and not field.is_required:
                yield from self._nested((*path, field.encoded), field, value)
            elif isinstance(value, list):
                yield from self._instead_of_a_list((*path, field.encoded), field)

    def _fields(
        self, path: tuple[str, ...], prefix: str, struct: type[msgspec.Struct], values: Json | None
    ) -> Iterator[str]:
        """Yields the fields that stand in the table itself; those of a required struct as dotted keys."""
        for field in described_fields(struct):
            value, inner = (values or {}).get(field.encoded), struct_of(field.hint)
            where = (*path, field.encoded)
            if inner is not None and field.is_required:
                yield from self._fields(where, f"{prefix}{toml_key(field.encoded)}.", inner, value)
            elif field.is_required or not _is_table(field, value):
                yield from _comment((_of_lists(field) if isinstance(value, list) else field).words(self._catalog))
                shown = self._example(where, field) if value is None else value
                yield f"{'# ' if value is None else ''}{prefix}{toml_key(field.encoded)} = {toml_text(shown)}"
                yield ""

    def _nested(self, path: tuple[str, ...], field: DescribedField, value: Json | None) -> Iterator[str]:
        """Yields the table of an optional field."""
        struct, inner = struct_of(alternatives(field.hint)[0]), _values_of_table(field.hint)
        yield from _comment(field.meaning)
        if struct is not None:
            yield from self.table(path, struct, value)
        elif inner is not None:
            yield from self._of_names(path, field, inner, value)
        else:
            yield from _comment(f"{_sentence(field.accepts(self._catalog))}")
            yield from _entries(
                path, self._example(path, field) if value is None else value, "# " if value is None else ""
            )

    def _of_names(
        self, path: tuple[str, ...], field: DescribedField, struct: type[msgspec.Struct], value: Json | None
    ) -> Iterator[str]:
        """Yields a table of structs by name: what their fields mean, and then each with the fields that it states."""
        yield from self._documented(path, bare(alternatives(field.hint)[0]), struct)
        for name, each in (self._example(path, field) if value is None else value).items():
            if isinstance(each, dict):
                yield from _entries((*path, name), each, "# " if value is None else "")
        rows = {name: each for name, each in (value or {}).items() if not isinstance(each, dict)}
        if rows:
            yield from _entries(path, rows, "")

    def _instead_of_a_list(self, path: tuple[str, ...], field: DescribedField) -> Iterator[str]:
        """Yields the fields of the tables that may replace a list of rows."""
        struct = _values_of_table(field.hint)
        if struct is not None:
            yield from _comment(f"{field.encoded} may be tables instead of the list, with figures of your own.")
            yield from self._documented(path, bare(alternatives(field.hint)[0]), struct)

    def _documented(self, path: tuple[str, ...], table: Any, struct: type[msgspec.Struct]) -> Iterator[str]:
        names = keys_accepted(table, self._catalog)
        yield from _comment(f"[{_dotted(path)}.NAME] for each, with these fields{names}:")
        for field in described_fields(struct):
            yield from _comment(f"{field.encoded}: {field.words(self._catalog)}", indent=2)
        yield ""

    def _example(self, path: tuple[str, ...], field: DescribedField) -> Any:
        """Returns the value of the first ready sheet that states a field, or else a simple one."""
        for sheet in self._ready:
            found: Any = sheet
            for name in path[1:]:
                found = found.get(name) if isinstance(found, dict) else None
            if found is not None and (isinstance(found, dict) or not _is_table(field, None)):
                return found
        is_example = isinstance(field.default, int | str) and field.default
        return field.default if is_example else example(field.hint, self._catalog)


def _entries(path: tuple[str, ...], values: Json, mark: str) -> Iterator[str]:
    yield f"{mark}[{_dotted(path)}]"
    yield from (f"{mark}{toml_key(name)} = {toml_text(value)}" for name, value in values.items())
    yield ""


def _comment(text: str, indent: int = 0) -> Iterator[str]:
    first = "# " + " " * indent
    yield from textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=first + "  " * bool(indent), break_on_hyphens=False
    )


def _of_lists(field: DescribedField) -> DescribedField:
    """Returns a field that accepts lists only, of one that accepts tables as well."""
    lists = [each for each in alternatives(field.hint) if get_origin(bare(each)) in (tuple, list)]
    return field._replace(hint=lists[0])


def _is_table(field: DescribedField, value: Any) -> bool:
    """Returns whether a field is written as a separate table."""
    first = alternatives(field.hint)[0]
    return isinstance(value, dict) or (
        value is None and (struct_of(first) is not None or get_origin(bare(first)) is dict)
    )


def _values_of_table(hint: Any) -> type[msgspec.Struct] | None:
    """Returns the struct of the values of a table by name; None if the type is no such table."""
    first = bare(alternatives(hint)[0])
    if get_origin(first) is not dict:
        return None
    return next((struct for each in alternatives(get_args(first)[1]) if (struct := struct_of(each)) is not None), None)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(map(toml_key, path))
