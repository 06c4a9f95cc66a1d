"""The verb `rules`, which prints rulesets."""

from typing import Annotated

import typer
from rich.console import Console

from machines.contract import refusals
from machines.contract.diagram import mermaid
from machines.contract.ruleset import Ruleset, ruleset
from machines.contract.schemas import schemas
from machines.registry import installed
from replays.cli import screen
from replays.cli.context import Json
from replays.cli.views import rules_view, tables_view
from replays.table import rule_tables

_SHEETS = "sheets"
_MORE = "sheets, --schema, --chart"
"""What can be printed of a game beside its tables."""


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
    """Print a ruleset's tables, charts and schemas; without TABLE a list of the tables."""
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
    screen.print_line(
        console,
        "affray rules RULESET: its tables; RULESET TABLE: one; RULESET sheets; RULESET --schema; RULESET --chart",
    )


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
    known = rule_tables.tables_of(game)
    if json:
        screen.document({name: rule_tables.rows_of(game, name)} if name else known)
    else:
        tables_view.tables(
            screen.console(json=json), game, name or "", "affray rules {} TABLE", f"; {game.name} {_MORE}"
        )
