"""The verb `chances`: who is standing at the end of the fight."""

from typing import Annotated

import typer

from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument
from replays.cli.views import chances_view

At = Annotated[int | None, typer.Option("--at", metavar="N", help="As of entry N, also if it was undone since.")]


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(chances)


def chances(context: typer.Context, session: SessionArgument = None, at: At = None, json: Json = False) -> None:
    """Estimate who is standing at the end of the fight, by playing it on many times. Nothing is written."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    found = opened.chances(at, cli.eyes(opened))
    if json:
        screen.document(found)
    else:
        chances_view.chances(screen.console(json=json), found)
