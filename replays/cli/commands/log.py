"""The verbs that read the log: `log`, `replay`, `why`."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.entry import Seat
from projections.views.seen import redacted
from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument
from replays.cli.output import For, eyes_for, write
from replays.cli.views import log_view
from replays.exports import documents
from replays.views.frames import frames

if TYPE_CHECKING:
    from replays.api.session import Session

_LONGEST_PAUSE = 60.0


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (log, replay, why):
        app.command()(verb)


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
            log_view.entry_lines(console, redacted(frame.entry, eyes), frame.before, stands=stands, path=True)


def replay(
    context: typer.Context,
    session: SessionArgument = None,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="Begin at entry N.")] = None,
    speed: Annotated[
        float | None, typer.Option(min=0, help="Entries a second; 0 without pauses. By default 2 on a terminal.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the replay as one HTML file instead.")
    ] = None,
    for_: For = "gm",
    json: Json = False,
) -> None:
    """Replay what stands, entry by entry, with the tracker whenever it changes; or as a page that opens from disk."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    if html is not None:
        _check_whole(at, speed)
        _save(cli, opened, html, for_, json=json)
        return
    begin = 1 if at is None else at
    opened.log.check(begin)
    eyes, _ = eyes_for(cli, opened, for_)
    console = screen.console(json=json)
    pace = speed if speed is not None else 2.0 if sys.stdout.isatty() and not json else 0.0
    before = None
    for frame in frames(opened.log, begin, eyes=eyes):
        state = opened.state(at=frame.entry.seq, eyes=eyes)
        if json:
            screen.document(state)
            continue
        log_view.entry_lines(console, redacted(frame.entry, eyes), frame.before)
        if before is not None and state.combatants != before.combatants:
            screen.tracker(console, state, opened.seen(eyes, state.head).clock)
        before = state
        time.sleep(min(1 / pace, _LONGEST_PAUSE) if pace else 0)


def _check_whole(at: int | None, speed: float | None) -> None:
    """Refuses options of the replay in the terminal: the page has all entries, and buttons for speeds."""
    for option, value in (("--at", at), ("--speed", speed)):
        if value is not None:
            raise typer.BadParameter(f"{option} is for the replay in the terminal, not for --html")


def _save(cli: CliContext, opened: "Session", html: Path, seat: str, *, json: bool) -> None:
    """Writes the replay of a seat as one HTML file."""
    eyes, who = eyes_for(cli, opened, seat)
    name, entries = who.name if who.seat is Seat.PLAYER else "", opened.log.last
    write(html, [opened.replay_page(eyes, who.seat.value, name)], where="--html")
    if json:
        screen.document({"session": opened.id, "file": str(html), "seat": who.seat.value, "entries": entries})
    else:
        counted = "1 entry" if entries == 1 else f"{entries} entries"
        print(f"{counted} of {opened.id} in {html}: open it in a browser", file=sys.stderr)


def why(
    context: typer.Context,
    key: Annotated[
        str, typer.Argument(help="The key of a roll or exchange, or a shorthand; or WHO.WHAT, such as stoya.damage.")
    ],
    session: SessionArgument = None,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", help="As of entry N, also if it was undone since.")
    ] = None,
    json: Json = False,
) -> None:
    """Explain a number: its parts with pages, dice and persons."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    found = opened.why(key, cli.eyes(opened), at=at)
    if json:
        screen.document(found)
    else:
        log_view.explanation(screen.console(json=json), found)
