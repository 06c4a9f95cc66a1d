"""The verb that shows the state: `show`. It loads no rules."""

from typing import Annotated

import typer

from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument, public

At = Annotated[int | None, typer.Option("--at", metavar="N", help="The state after entry N was appended.")]


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(show)


def show(context: typer.Context, session: SessionArgument = None, at: At = None, json: Json = False) -> None:
    """Show the state of a fight."""
    cli: CliContext = context.obj
    opened = cli.view(session)
    eyes = cli.eyes(opened)
    state = opened.state(at=at, eyes=eyes)
    if json:
        screen.document(state)
    else:
        clock = opened.seen(eyes, state.head).clock
        screen.tracker(screen.console(json=json), state, clock, public(opened, eyes, at))
