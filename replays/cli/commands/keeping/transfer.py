"""The verbs `export` and `import`: move sessions between ledgers as files."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.errors import Unreadable
from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument
from replays.cli.output import For, Output, eyes_for, write
from replays.exports import jsonl


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    app.command()(export)
    app.command("import")(import_)


def export(
    context: typer.Context,
    session: SessionArgument = None,
    for_: For = "gm",
    output: Output = None,
) -> None:
    """Write a session as JSON lines that can be verified."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    eyes, who = eyes_for(cli, opened, for_)
    lines = jsonl.export(opened.log, eyes, who.seat.value)
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
    """Import an exported session into the ledger, whole or not at all."""
    cli: CliContext = context.obj
    try:
        lines = [line for line in file.read_bytes().splitlines() if line]
    except OSError as error:
        message = f"the file {file} cannot be read: {error.strerror}"
        raise Unreadable(message, where="file", accepts="a file that `affray export` has written") from error
    jsonl.check(lines)
    header = jsonl.bring_in(lines, cli.store(create=True))
    screen.print_line(
        screen.console(json=json), f"session {header.session}: {header.entries} entries, verified and kept"
    )
    if json:
        screen.document({"session": header.session, "entries": header.entries, "digest": header.digest})
