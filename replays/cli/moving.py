"""Verbs that take a session out of a ledger and into another."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat
from ledger.errors import ReadOnly, Unreadable
from projections.views.seen import viewer
from replays import transfer
from replays.cli import screen
from replays.cli.door import BadWho, Door, Json, SessionArgument, parse_who
from replays.session import Session


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(export)
    app.command("import")(import_)


def export(
    context: typer.Context,
    session: SessionArgument = None,
    for_: Annotated[str, typer.Option("--for", metavar="SEAT", help="gm, spectator, or NAME:player.")] = "gm",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; left out, standard output.")] = None,
) -> None:
    """Write a session as JSON lines, with what it takes to verify it."""
    door: Door = context.obj
    opened = door.session(session)
    eyes, seat = _eyes(door, opened, for_)
    lines = transfer.export(opened.log, eyes, seat)
    if output is None:
        for each in lines:
            screen.line(each)
        return
    if output.is_dir() or not output.name:
        raise ReadOnly(f"{output} is a folder", where="--output", accepts="a file's name")
    part = output.with_name(output.name + ".part")
    try:
        part.write_bytes(b"".join(each + b"\n" for each in lines))
        os.replace(part, output)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ReadOnly(f"{output} cannot be written: {error.strerror}", where="--output") from error
    print(f"{opened.log.last} entries of {opened.id} in {output}", file=sys.stderr)


def _eyes(door: Door, session: Session, for_: str) -> tuple[Viewer, str]:
    """Whose view is exported; from a player's or spectator's seat never more than their own."""
    if door.who.seat is not Seat.GM:
        return viewer(door.who, session.combat), door.who.seat.value
    if for_ == Seat.GM:
        return EVERYTHING, for_
    who = parse_who(f":{for_}" if for_ == Seat.SPECTATOR else for_)
    players = {one.player for one in session.combat.roster.who.values()} - {"gm"}
    if who.seat is Seat.GM or (who.seat is Seat.PLAYER and who.name not in players):
        accepts = ", ".join(["gm", "spectator", *(f"{player}:player" for player in sorted(players))])
        raise BadWho(f"{for_!r} is no seat at this table", where="--for", accepts=accepts)
    return viewer(who, session.combat), who.seat.value


def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="An exported session.")],
    json: Json = False,
) -> None:
    """Put an exported session into the ledger, whole or not at all."""
    door: Door = context.obj
    try:
        lines = [line for line in file.read_bytes().splitlines() if line]
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}", where="file") from error
    transfer.check(lines)
    header = transfer.bring_in(lines, door.store(create=True))
    screen.say(screen.people(json=json), f"session {header.session}: {header.entries} entries, verified and kept")
    if json:
        screen.document({"session": header.session, "entries": header.entries, "digest": header.digest})
