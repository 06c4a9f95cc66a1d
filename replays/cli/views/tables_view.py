"""Shows the tables of a ruleset: a list of them, or the rows of one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from ledger.events import Json as JsonObject
from machines.contract.ruleset import Ruleset
from machines.contract.tables import Row
from replays.cli.screen import print_line, safe
from replays.cli.views.result_view import wrapped
from replays.table.rule_tables import rows_of, tables_of

_FIRST = ("id", "code", "name")
_SOURCE = "source"
_SENTENCE = 24
"""Length in characters above which a cell of a table may be wrapped."""


def tables_at_table(console: Console, game: Ruleset, name: str) -> None:
    """Shows the tables of a game at its table, where they are asked for by a word of the table."""
    tables(console, game, name, "rules TABLE")


def tables(console: Console, game: Ruleset, name: str, how: str, more: str = "") -> None:
    """Shows one table of a ruleset, or a list of all.

    Args:
        console: Where it is shown.
        game: The ruleset.
        name: The table; empty for a list.
        how: How one is asked for, with a place for the name of the ruleset.
        more: What else can be asked for.

    Raises:
        BadTable: There is no table of that name.
    """
    if name:
        _rows(console, name, rows_of(game, name))
        return
    known = tables_of(game)
    print_line(console, f"{len(known)} tables of {game.title}, with the number of their rows:")
    wrapped(console, ", ".join(f"{each} {len(tuple(rows))}" for each, rows in known.items()))
    print_line(console, f"{how.format(game.name)}: one of them{more}")


def _rows(console: Console, title: str, table_rows: Iterable[msgspec.Struct]) -> None:
    """Shows a table of a ruleset; each row is a paragraph if the table is too wide."""
    structs = list(table_rows)
    plain = [row.printed() if isinstance(row, Row) else msgspec.to_builtins(row) for row in structs]
    fields = sorted(plain[0] if plain else {}, key=lambda field: (field not in _FIRST, field == _SOURCE))
    shown = [f for f in fields if f == _SOURCE or any(_differs(row[f], f) for row in plain)]
    if _needed(plain, shown) > console.width:
        defaults = msgspec.structs.fields(type(structs[0]))
        _paragraphs(console, title, plain, shown, {each.encode_name: each.default for each in defaults})
        return
    table = Table(title=safe(title), title_justify="left")
    for field in shown:
        table.add_column(field.replace("_", " "), overflow="fold")
    for row in plain:
        table.add_row(*(safe(_cell(row[field])) for field in shown))
    console.print(table)


def _needed(plain: Sequence[Mapping[str, Any]], shown: Sequence[str]) -> int:
    """Returns the width of a table in characters; sentences may be wrapped."""
    widths = [max(len(field), *(min(_SENTENCE, len(_cell(row[field]))) for row in plain)) for field in shown]
    return sum(widths) + 3 * len(shown) + 1


def _paragraphs(
    console: Console, title: str, plain: Sequence[JsonObject], shown: Sequence[str], defaults: Mapping[str, Any]
) -> None:
    first, *others = (field for field in shown if field != _SOURCE)
    console.print(f"[italic]{safe(title)}[/]")
    for row in plain:
        shown_fields = (
            _named(field, row[field]) for field in others if _is_shown(row[field], field, defaults.get(field))
        )
        source = f"  [green]{safe(row[_SOURCE])}[/]" if row.get(_SOURCE) else ""
        words = f"[bold]{safe(_cell(row[first]))}[/]  {'  '.join(shown_fields)}".rstrip() + source
        console.print(Padding.indent(words, 2), soft_wrap=False)


def _is_shown(value: Any, field: str, default: Any) -> bool:
    plain = list(default) if isinstance(default, tuple) else default
    return _differs(value, field) and value is not False and value != plain


def _named(field: str, value: Any) -> str:
    name = f"[dim]{safe(field.replace('_', ' '))}[/]"
    return name if value is True else f"{name} {safe(_cell(value))}"


def _differs(value: Any, field: str) -> bool:
    return value not in ("", None, [], (), {}) and not (field == "confidence" and value == 100)


def _cell(value: Any) -> str:
    """Returns a value as text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{_cell(key)} {_cell(each)}" for key, each in value.items())
    return ", ".join(map(_cell, value)) if isinstance(value, list | tuple) else str(value)
