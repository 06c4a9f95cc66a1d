"""Verbs that read: sessions, state, log, replay, explanations, rules."""

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
from replays.cli.context import Door, Json, SessionArgument, public
from replays.exports import documents
from replays.exports.listing import summaries
from replays.views.frames import frames

_LONGEST_PAUSE = 60.0
At = Annotated[int | None, typer.Option("--at", metavar="N", help="As it stood when entry N had been appended.")]


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    for verb in (sessions, show, log, replay, why, rules):
        app.command()(verb)


def sessions(context: typer.Context, json: Json = False) -> None:
    """List the ledger's sessions, the latest last."""
    door: Door = context.obj
    listed = list(summaries(door.store()))
    if json:
        screen.document(listed)
        return
    console = screen.people(json=json)
    for one in listed:
        what = one.damaged or f"{one.title} ({one.ruleset})"
        screen.say(console, f"{one.session}  {one.at[:16]}  {one.entries:>5} entries  {what}")
    if not listed:
        screen.say(console, "no session yet")


def show(context: typer.Context, session: SessionArgument = None, at: At = None, json: Json = False) -> None:
    """Show the state of a fight."""
    door: Door = context.obj
    opened = door.session(session)
    eyes = door.eyes(opened)
    state = opened.state(at=at, eyes=eyes)
    if json:
        screen.document(state)
    else:
        clock = opened.seen(eyes, state.head).clock
        screen.tracker(screen.people(json=json), state, clock, public(opened, eyes, at))


def log(
    context: typer.Context,
    session: SessionArgument = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what no longer stands, struck through.")] = False,
    json: Json = False,
) -> None:
    """Show the log, an entry at a time."""
    door: Door = context.obj
    opened = door.session(session)
    eyes, line = door.eyes(opened), set(opened.log.timeline.line())
    console = screen.people(json=json)
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
        float | None, typer.Option(min=0, help="Entries a second; 0 is at once. Left out: 2 on a terminal.")
    ] = None,
    json: Json = False,
) -> None:
    """Replay what stands, an entry at a time, with the tracker wherever it changed."""
    door: Door = context.obj
    opened = door.session(session)
    opened.log.check(at)
    eyes = door.eyes(opened)
    console = screen.people(json=json)
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
        str, typer.Argument(help="A roll or exchange, shortened or not; or WHO.WHAT, such as stoya.damage.")
    ],
    session: SessionArgument = None,
    json: Json = False,
) -> None:
    """Explain a number down to the person, the page and the die."""
    door: Door = context.obj
    opened = door.session(session)
    found = opened.why(key, door.eyes(opened))
    if json:
        screen.document(found)
    else:
        screen.explanation(screen.people(json=json), found)


# ------------------------------------------------------------------------------------------------ rules


def rules(
    name: Annotated[str | None, typer.Argument(metavar="[RULESET]")] = None,
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="A table, or profiles, rulings.")] = None,
    chart: Annotated[bool, typer.Option("--chart", help="The charts as Mermaid.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="JSON Schema of the sheet and of each declaration.")] = False,
    json: Json = False,
) -> None:
    """Print a ruleset's tables, charts and schemas."""
    console = screen.people(json=json)
    if name is None:
        games = {each: ruleset(each).title for each in installed()}
        if json:
            screen.document(games)
        else:
            for each, title in games.items():
                screen.say(console, f"{each}  {title}")
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
    console = screen.people(json=json)
    for title, table_rows in chosen.items():
        screen.rows(console, title, table_rows)
