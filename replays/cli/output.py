"""What leaves the ledger: for which seat, and into which file."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat
from ledger.errors import Full, ReadOnly
from projections.views.seen import viewer
from replays.api.session import Session
from replays.cli.context import BadWho, Door, parse_who
from replays.cli.system_words import worded

For = Annotated[str, typer.Option("--for", metavar="SEAT", help="gm, spectator, or NAME:player.")]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="A file; left out, standard output.")]

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def eyes_for(door: Door, session: Session, seat: str) -> tuple[Viewer, str]:
    """Whose view is handed out; from a player's or spectator's seat never more than their own.

    Args:
        door: Who speaks.
        session: Whose players there are.
        seat: As somebody wrote it.

    Returns:
        The view, and the seat in a word.

    Raises:
        BadWho: There is no such seat at this table.
    """
    if door.who.seat is not Seat.GM:
        return viewer(door.who, session.combat), door.who.seat.value
    if seat == Seat.GM:
        return EVERYTHING, seat
    who = parse_who(f":{seat}" if seat == Seat.SPECTATOR else seat)
    players = {one.player for one in session.combat.roster.who.values()} - {"gm"}
    if who.seat is Seat.GM or (who.seat is Seat.PLAYER and who.name not in players):
        accepts = ", ".join(["gm", "spectator", *(f"{player}:player" for player in sorted(players))])
        raise BadWho(f"{seat!r} is no seat at this table", where="--for", accepts=accepts)
    return viewer(who, session.combat), who.seat.value


def write(output: Path, lines: Iterable[bytes]) -> None:
    """Write a file whole or not at all.

    Args:
        output: Its path.
        lines: With their line ends.

    Raises:
        Full: No room is left, or it would be too large.
        ReadOnly: It cannot be written for another reason.
    """
    if output.is_dir() or not output.name:
        raise ReadOnly(f"{output} is a folder", where="--output", accepts="a file's name")
    if output.exists() and not output.is_file():
        raise ReadOnly(f"{output} is not a file, and is not replaced", where="--output", accepts="a file's name")
    part = output.with_name(output.name + ".part")
    try:
        part.write_bytes(b"".join(lines))
        os.replace(part, output)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.errno in _NO_ROOM:
            raise Full(f"no room is left for {output}", where="--output") from error
        raise ReadOnly(f"{output} cannot be written: {worded(error)}", where="--output") from error
