"""`affray fight`: an interactive table."""

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add this verb."""
    app.command()(fight)


def fight(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(help="Such as `affray rules` lists.")],
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="The fight to go on with; left out, the latest open one.")
    ] = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", metavar="[ID=]WHAT[:N][@PLAYER]", help="Somebody who takes part.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="A new session, also where one is open.")] = False,
    title: Annotated[str, typer.Option(help="What people call the new session.")] = "",
    profile: Annotated[str, typer.Option(help="The printing of a new session.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="A field of the profile, set otherwise.")
    ] = None,
    dice: Annotated[str, typer.Option(help="Who rolls: ask, auto, all or typed.")] = "ask",
) -> None:
    """An interactive table: it asks for what the rules rest on, and takes `help` at any prompt."""
    from replays.cli import table_view  # noqa: PLC0415  other verbs need none of it

    said = table_view.Said(ruleset, session, tuple(with_ or ()), new, title, profile, tuple(option or ()), dice)
    table_view.sit(context.obj, said)
