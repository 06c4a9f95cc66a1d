"""The verb `rules`, which prints rulesets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from ledger.events import Json as JsonObject
from machines.contract import refusals
from machines.contract.diagram import mermaid
from machines.contract.ruleset import Ruleset, ruleset
from machines.contract.schemas import schemas
from machines.contract.tables import Row
from machines.registry import installed
from replays.cli import screen
from replays.cli.context import Json
from replays.cli.screen import safe
from replays.cli.views import rules_view

_SHEETS = "sheets"
_FIRST = ("id", "code", "name")
_SOURCE = "source"
_SENTENCE = 24
"""Length in characters above which a cell of a table may be wrapped."""


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(rules)


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="[RULESET]", help="The ruleset; by default all are listed.")
    ] = None,
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="The name of a table, or profiles, rulings, sheets.")
    ] = None,
    chart: Annotated[bool, typer.Option("--chart", help="Print the charts as Mermaid diagrams.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the fields of sheets and declarations; JSON Schemas with --json.")
    ] = False,
    json: Json = False,
) -> None:
    """Print a ruleset's tables, charts and schemas."""
    console = screen.console(json=json)
    if name is None:
        if json:
            screen.document({each: ruleset(each).title for each in installed()})
        else:
            _games(console)
        return
    game = ruleset(name)
    if chart:
        _charts(game, table)
    elif schema and json:
        screen.document(schemas(game))
    elif schema:
        rules_view.schemas_in_words(console, game)
    elif table == _SHEETS:
        _ready_sheets(console, game, json=json)
    else:
        _tables(game, table, json=json)


def _games(console: Console) -> None:
    """Shows each game with its ready sheets, and how to see more of it."""
    for each in installed():
        rules_view.game(console, ruleset(each))
    screen.print_line(console, "affray rules RULESET: its tables; RULESET sheets; RULESET --schema; RULESET --chart")


def _ready_sheets(console: Console, game: Ruleset, *, json: bool) -> None:
    if json:
        screen.document(game.sheets)
    else:
        rules_view.ready_sheets(console, game)


def _charts(game: Ruleset, name: str | None) -> None:
    if name is not None and name not in game.charts:
        raise refusals.BadTable(f"{game.name} has no chart {name!r}", where="chart", accepts=", ".join(game.charts))
    for each in game.charts.values():
        if name in (None, each.name):
            print(f"%% {each.title} ({each.source})")
            print(mermaid(each))


def _tables(game: Ruleset, name: str | None, *, json: bool) -> None:
    known = {**game.tables, "profiles": game.profiles, "rulings": game.rulings, "books": game.books}
    if name is not None and name not in known:
        raise refusals.BadTable(
            f"{game.name} has no table {name!r}", where="table", accepts=", ".join([*known, _SHEETS])
        )
    chosen = {name: known[name]} if name else known
    if json:
        screen.document(chosen)
        return
    console = screen.console(json=json)
    for title, table_rows in chosen.items():
        _rows(console, title, table_rows)


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
