"""The verb `rules`, which prints rulesets."""

from typing import Annotated

import typer

from machines.contract import refusals
from machines.contract.diagram import mermaid
from machines.contract.registry import installed
from machines.contract.ruleset import Ruleset, ruleset
from machines.contract.schemas import schemas
from replays.cli import rules_view, screen
from replays.cli.context import Json


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(rules)


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="[RULESET]", help="The ruleset; by default all are listed.")
    ] = None,
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="The name of a table, or profiles, rulings.")
    ] = None,
    chart: Annotated[bool, typer.Option("--chart", help="Print the charts as Mermaid diagrams.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print JSON Schemas of the sheet and of each declaration.")
    ] = False,
    json: Json = False,
) -> None:
    """Print a ruleset's tables, charts and schemas."""
    console = screen.console(json=json)
    if name is None:
        games = {each: ruleset(each).title for each in installed()}
        if json:
            screen.document(games)
        else:
            for each, title in games.items():
                screen.print_line(console, f"{each}  {title}")
        return
    game = ruleset(name)
    if chart:
        _charts(game, table)
    elif schema:
        screen.document(schemas(game))
    else:
        _tables(game, table, json=json)


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
        raise refusals.BadTable(f"{game.name} has no table {name!r}", where="table", accepts=", ".join(known))
    chosen = {name: known[name]} if name else known
    if json:
        screen.document(chosen)
        return
    console = screen.console(json=json)
    for title, table_rows in chosen.items():
        rules_view.rows(console, title, table_rows)
