"""The verb that writes a page to print."""

import sys

import typer

from replays.cli import screen
from replays.cli.context import Door, SessionArgument
from replays.cli.output import For, Output, eyes_for, write
from replays.exports.report import report as page


def add_to(app: typer.Typer) -> None:
    """Add this verb."""
    app.command()(report)


def report(
    context: typer.Context,
    session: SessionArgument = None,
    for_: For = "gm",
    output: Output = None,
) -> None:
    """Write a fight as a page to print: one file of HTML, without script."""
    door: Door = context.obj
    opened = door.session(session)
    eyes, seat = eyes_for(door, opened, for_)
    text = page(opened.log, eyes, seat).encode()
    if output is None:
        screen.line(text.removesuffix(b"\n"))
        return
    write(output, [text])
    print(f"{opened.log.last} entries of {opened.id} in {output}", file=sys.stderr)
