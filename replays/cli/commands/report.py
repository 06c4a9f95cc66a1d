"""The verb `report`: writes a fight as a printable page."""

import sys

import typer

from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument
from replays.cli.output import For, Output, eyes_for, write
from replays.exports import documents
from replays.exports.report import report as page


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(report)


def report(
    context: typer.Context,
    session: SessionArgument = None,
    for_: For = "gm",
    output: Output = None,
    json: Json = False,
) -> None:
    """Write a fight as a printable page: one HTML file without scripts. With --json the recap is printed."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    eyes, who = eyes_for(cli, opened, for_)
    if json:
        screen.document(documents.chances(opened.recap(eyes)))
        if output is None:
            return
    text = page(opened.log, eyes, who.seat.value).encode()
    if output is None:
        screen.line(text.removesuffix(b"\n"))
        return
    write(output, [text])
    print(f"{opened.log.last} entries of {opened.id} in {output}", file=sys.stderr)
