"""The verbs `nonce` and `reveal`: a player's share of the dice seed, and revealing the seed or a secret."""

from typing import Annotated

import typer

from ledger.commands import GiveNonce, Reveal
from replays.audit.dice_proof import DiceBroken, document, verify
from replays.cli import screen
from replays.cli.context import AnswerIsNo, CliContext, Json, SessionArgument
from replays.sessions import ports


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    app.command()(nonce)
    app.command()(reveal)


def nonce(
    context: typer.Context,
    player: Annotated[str, typer.Argument(help="The player who gives the share; players can give only their own.")],
    words: Annotated[str, typer.Argument(metavar="[NONCE]", help="Any text; by default a random one.")] = "",
    session: SessionArgument = None,
    agreed: Annotated[
        bool, typer.Option("--agreed", help="The table agreed that the gamemaster enters it for the player.")
    ] = False,
    json: Json = False,
) -> None:
    """Add a player's share to the seed of the dice. With it, no single person has chosen the seed.

    It must be added before the first draw.
    """
    cli: CliContext = context.obj
    opened = cli.session(session)
    given = words or ports.new_nonce()
    entry = opened.perform(GiveNonce(player, given, agreed), by=cli.who)
    screen.print_line(
        screen.console(json=json), f"{player}'s share in the dice of {opened.id}: {given} (entry {entry.seq})"
    )
    if json:
        screen.document({"session": opened.id, "player": player, "nonce": given, "entry": entry.seq})


def reveal(
    context: typer.Context,
    session: SessionArgument = None,
    entry: Annotated[
        int | None, typer.Option("--entry", metavar="N", help="Reveal what this entry hides, and not the seed.")
    ] = None,
    who: Annotated[str, typer.Option("--who", metavar="WHO", help="Reveal a combatant who joined in secret.")] = "",
    to: Annotated[
        list[str],
        typer.Option("--to", metavar="WHO", help="Reveal only to the players of these combatants; by default to all."),
    ] = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Reveal the seed of the dice, or something that is hidden.

    With the seed every draw can be checked, and no more dice can be drawn in this session. With --entry or --who, only
    what an entry hides, or a hidden combatant, is revealed.
    """
    cli: CliContext = context.obj
    opened = cli.session(session)
    opened.perform(Reveal(entry, to=tuple(to) or None, who=who), by=cli.who)
    if entry is not None or who:
        what = who or f"entry {entry}"
        screen.print_line(screen.console(json=json), f"{what} is shown to {', '.join(to) or 'all'}")
        if json:
            screen.document({"session": opened.id, "entry": entry, "to": to or None} | ({"who": who} if who else {}))
        return
    proof = verify(opened.log)
    console = screen.console(json=json)
    screen.print_line(console, f"seed {proof.seed}")
    screen.print_line(console, f"commitment {proof.commitment}, its SHA-256, is in entry 1")
    screen.print_line(console, f"dice: {proof}")
    if json:
        screen.document({"session": opened.id, **document(proof, draws=True)})
    try:
        proof.check()
    except DiceBroken as broken:
        raise AnswerIsNo(broken) from broken
