"""The verbs that only read: `sessions`, `show`, `log`, `replay`, `why`, `rules`."""

import sys
import time
from typing import Annotated

import typer

from machines.contract import refusals
from machines.contract.diagram import mermaid
from machines.contract.ruleset import Ruleset, installed, ruleset
from machines.contract.schemas import schemas
from projections.views.seen import redacted
from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument, public
from replays.exports import documents
from replays.exports.listing import summaries
from replays.views.frames import frames

_LONGEST_PAUSE = 60.0
At = Annotated[int | None, typer.Option("--at", metavar="N", help="The state after entry N was appended.")]


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (sessions, show, log, replay, why, rules):
        app.command()(verb)


def sessions(context: typer.Context, json: Json = False) -> None:
    """List the sessions of the ledger, the latest last."""
    cli: CliContext = context.obj
    listed = list(summaries(cli.store()))
    if json:
        screen.document(listed)
        return
    console = screen.console(json=json)
    for one in listed:
        what = one.damaged or f"{one.title} ({one.ruleset})"
        screen.print_line(console, f"{one.session}  {one.at[:16]}  {one.entries:>5} entries  {what}")
    if not listed:
        screen.print_line(console, "the ledger has no sessions yet")


def show(context: typer.Context, session: SessionArgument = None, at: At = None, json: Json = False) -> None:
    """Show the state of a fight."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    eyes = cli.eyes(opened)
    state = opened.state(at=at, eyes=eyes)
    if json:
        screen.document(state)
    else:
        clock = opened.seen(eyes, state.head).clock
        screen.tracker(screen.console(json=json), state, clock, public(opened, eyes, at))


def log(
    context: typer.Context,
    session: SessionArgument = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also show entries that no longer stand, struck through.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the log, entry by entry."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    eyes, line = cli.eyes(opened), set(opened.log.timeline.line())
    console = screen.console(json=json)
    for frame in frames(opened.log, everything=everything, eyes=eyes):
        stands = frame.entry.seq in line
        if json:
            screen.document(documents.entry(frame.entry, eyes, stands=stands))
        else:
            screen.entry_lines(console, redacted(frame.entry, eyes), frame.before, stands=stands, path=True)


def replay(
    context: typer.Context,
    session: SessionArgument = None,
    at: Annotated[int, typer.Option("--at", metavar="N", help="Begin at entry N.")] = 1,
    speed: Annotated[
        float | None, typer.Option(min=0, help="Entries a second; 0 without pauses. By default 2 on a terminal.")
    ] = None,
    json: Json = False,
) -> None:
    """Replay what stands, entry by entry. The tracker is shown whenever it changes."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    opened.log.check(at)
    eyes = cli.eyes(opened)
    console = screen.console(json=json)
    pace = speed if speed is not None else 2.0 if sys.stdout.isatty() and not json else 0.0
    before = None
    for frame in frames(opened.log, at, eyes=eyes):
        state = opened.state(at=frame.entry.seq, eyes=eyes)
        if json:
            screen.document(state)
            continue
        screen.entry_lines(console, redacted(frame.entry, eyes), frame.before)
        if before is not None and state.combatants != before.combatants:
            screen.tracker(console, state, opened.seen(eyes, state.head).clock)
        before = state
        time.sleep(min(1 / pace, _LONGEST_PAUSE) if pace else 0)


def why(
    context: typer.Context,
    key: Annotated[
        str, typer.Argument(help="The key of a roll or exchange, or a shorthand; or WHO.WHAT, such as stoya.damage.")
    ],
    session: SessionArgument = None,
    json: Json = False,
) -> None:
    """Explain a number: its parts with pages, dice and persons."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    found = opened.why(key, cli.eyes(opened))
    if json:
        screen.document(found)
    else:
        screen.explanation(screen.console(json=json), found)


# ------------------------------------------------------------------------------------------------ rules


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
        screen.rows(console, title, table_rows)
