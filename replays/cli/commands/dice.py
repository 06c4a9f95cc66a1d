"""Verbs for dice that can be believed: a player's share of the seed, and opening it."""

from typing import Annotated

import typer

from ledger.commands import GiveNonce, Reveal
from replays.audit.dice_proof import DiceBroken, document, verify
from replays.cli import screen
from replays.cli.context import Door, Json, No, SessionArgument
from replays.sessions import ports


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(nonce)
    app.command()(reveal)


def nonce(
    context: typer.Context,
    player: Annotated[str, typer.Argument(help="Whose it is; a player gives only their own.")],
    words: Annotated[str, typer.Argument(metavar="[NONCE]", help="Any words; left out or empty, some are made.")] = "",
    session: SessionArgument = None,
    agreed: Annotated[
        bool, typer.Option("--agreed", help="The table has agreed that the gamemaster gives it for the player.")
    ] = False,
    json: Json = False,
) -> None:
    """Add a player's share to the dice, before the first is drawn: then nobody has chosen them."""
    door: Door = context.obj
    opened = door.session(session)
    given = words or ports.new_nonce()
    entry = opened.perform(GiveNonce(player, given, agreed), by=door.who)
    screen.say(screen.people(json=json), f"{player}'s share in the dice of {opened.id}: {given} (entry {entry.seq})")
    if json:
        screen.document({"session": opened.id, "player": player, "nonce": given, "entry": entry.seq})


def reveal(
    context: typer.Context,
    session: SessionArgument = None,
    entry: Annotated[
        int | None, typer.Option("--entry", metavar="N", help="Show what this entry hides, and leave the seed alone.")
    ] = None,
    who: Annotated[
        str, typer.Option("--who", metavar="WHO", help="Reveal who joined in secret, and what is so of them.")
    ] = "",
    to: Annotated[list[str], typer.Option("--to", metavar="WHO", help="Combatants; left out, everybody.")] = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Open the dice's seed, for anybody to check every draw, after which nothing is drawn; or what one entry hides."""
    door: Door = context.obj
    opened = door.session(session)
    opened.perform(Reveal(entry, to=tuple(to) or None, who=who), by=door.who)
    if entry is not None or who:
        what = who or f"entry {entry}"
        screen.say(screen.people(json=json), f"{what} is shown to {', '.join(to) or 'everybody'}")
        if json:
            screen.document({"session": opened.id, "entry": entry, "to": to or None} | ({"who": who} if who else {}))
        return
    proof = verify(opened.log)
    console = screen.people(json=json)
    screen.say(console, f"seed {proof.seed}")
    screen.say(console, f"commitment {proof.commitment}, its SHA-256, is in entry 1")
    screen.say(console, f"dice: {proof}")
    if json:
        screen.document({"session": opened.id, **document(proof, draws=True)})
    try:
        proof.check()
    except DiceBroken as broken:
        raise No(broken) from broken
