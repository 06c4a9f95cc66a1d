"""Verbs that take a session out of a ledger and into another."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.errors import Unreadable
from replays.cli import screen
from replays.cli.context import Door, Json, SessionArgument
from replays.cli.output import For, Output, eyes_for, write
from replays.exports import jsonl


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(export)
    app.command("import")(import_)


def export(
    context: typer.Context,
    session: SessionArgument = None,
    for_: For = "gm",
    output: Output = None,
) -> None:
    """Write a session as JSON lines, with what it takes to verify it."""
    door: Door = context.obj
    opened = door.session(session)
    eyes, seat = eyes_for(door, opened, for_)
    lines = jsonl.export(opened.log, eyes, seat)
    if output is None:
        for each in lines:
            screen.line(each)
        return
    write(output, (each + b"\n" for each in lines))
    print(f"{opened.log.last} entries of {opened.id} in {output}", file=sys.stderr)


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
    jsonl.check(lines)
    header = jsonl.bring_in(lines, door.store(create=True))
    screen.say(screen.people(json=json), f"session {header.session}: {header.entries} entries, verified and kept")
    if json:
        screen.document({"session": header.session, "entries": header.entries, "digest": header.digest})
