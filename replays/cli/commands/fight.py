"""The verb `fight`: an interactive table."""

from typing import Annotated

import typer

Resumed = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="The session to resume; by default the latest open one.")
]
With = Annotated[
    list[str] | None, typer.Option("--with", metavar="[ID=]WHAT[:N][@PLAYER[/SIDE]]", help="A combatant to add.")
]
Side = Annotated[
    list[str] | None,
    typer.Option("--side", metavar="WHO=SIDE", help="The side of a combatant. By default: players, gamemaster."),
]
Title = Annotated[str, typer.Option(help="The title of a new session.")]
Profile = Annotated[str, typer.Option(help="The profile (printing of the rules) of a new session.")]
ProfileOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="Set a field of the profile differently.")
]
Dice = Annotated[
    str, typer.Option(help="Which rolls are drawn without asking: ask, auto, all or typed; kept with the session.")
]
Defaults = Annotated[
    str,
    typer.Option(
        help="Which choices are passed without asking: ask (none that matters), auto (those of the gamemaster's "
        "combatants, and the end of their turn) or all; kept with the session."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(fight)


def fight(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(help="The ruleset; `affray rules` lists them.")],
    session: Resumed = None,
    with_: With = None,
    side: Side = None,
    new: Annotated[bool, typer.Option("--new", help="Create a new session even if one is open.")] = False,
    title: Title = "",
    profile: Profile = "",
    option: ProfileOption = None,
    dice: Dice = "",
    defaults: Defaults = "",
) -> None:
    """Play a fight at an interactive table.

    The table asks for each roll and choice that the rules need. Type `help` at any prompt.
    """
    from replays.cli import table_view  # noqa: PLC0415  other verbs need none of it

    given = table_view.FightOptions(
        ruleset, session, tuple(with_ or ()), tuple(side or ()), new, title, profile, tuple(option or ()), dice,
        defaults,
    )  # fmt: skip
    table_view.open_table(context.obj, given)
