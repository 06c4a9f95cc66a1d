"""The verb `migrate`, for the operator of a database."""

import typer

from ledger.stores import migrate as migrate_store
from replays.cli import screen
from replays.cli.context import CliContext, Json


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    app.command()(migrate)


def migrate(context: typer.Context, json: Json = False) -> None:
    """Create or update the tables of a database. A ledger in a file needs no migration."""
    cli: CliContext = context.obj
    applied = migrate_store(cli.ledger)
    if json:
        screen.document({"applied": applied})
        return
    console = screen.console(json=json)
    for name in applied:
        screen.print_line(console, f"applied: {name}")
    if not applied:
        screen.print_line(console, "nothing to do")
