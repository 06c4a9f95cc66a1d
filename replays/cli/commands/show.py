"""The verbs that show the state: `sessions`, `show`. They load no rules."""

from typing import Annotated

import typer

from replays.cli import screen
from replays.cli.context import CliContext, Json, SessionArgument, public
from replays.exports.listing import summaries

At = Annotated[int | None, typer.Option("--at", metavar="N", help="The state after entry N was appended.")]


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (sessions, show):
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
    opened = cli.view(session)
    eyes = cli.eyes(opened)
    state = opened.state(at=at, eyes=eyes)
    if json:
        screen.document(state)
    else:
        clock = opened.seen(eyes, state.head).clock
        screen.tracker(screen.console(json=json), state, clock, public(opened, eyes, at))
