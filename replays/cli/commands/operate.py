"""Verbs for whoever keeps a ledger running."""

import typer

from ledger.stores import migrate as migrate_store
from replays.cli import screen
from replays.cli.context import Door, Json


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(migrate)


def migrate(context: typer.Context, json: Json = False) -> None:
    """Make the tables of a database, or bring them up to date; a file needs none."""
    door: Door = context.obj
    applied = migrate_store(door.ledger)
    if json:
        screen.document({"applied": applied})
        return
    console = screen.people(json=json)
    for name in applied:
        screen.say(console, f"applied: {name}")
    if not applied:
        screen.say(console, "nothing to do")
