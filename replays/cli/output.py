"""Output of a session for a seat, and writing a file whole or not at all."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.errors import Full, ReadOnly
from projections.views.seen import viewer
from replays.api.session import Session
from replays.cli.context import BadWho, CliContext, parse_who
from replays.cli.system_words import worded

For = Annotated[
    str, typer.Option("--for", metavar="SEAT", help="The seat whose view is written: gm, spectator, or NAME:player.")
]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="The file to write; by default standard output.")]

_OURS = (b'{"affray"', b"<!DOCTYPE html>")
"""How exports and reports begin."""
_REPLACED = "a new file's name, or an earlier export or report"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def eyes_for(cli: CliContext, session: Session, seat: str) -> tuple[Viewer, Who]:
    """Returns the view to be written; players and spectators get only their own view.

    Args:
        cli: The context of this call, with the person.
        session: The session, with its players.
        seat: The seat as it was typed.

    Returns:
        The viewer, and the person at that seat.

    Raises:
        BadWho: There is no such seat at this table.
    """
    who = cli.who if cli.who.seat is not Seat.GM or seat == Seat.GM else _seated(session, seat)
    return EVERYTHING if who.seat is Seat.GM else viewer(who, session.combat), who


def _seated(session: Session, seat: str) -> Who:
    """Returns the player or spectator that a gamemaster means."""
    who = parse_who(f":{seat}" if seat == Seat.SPECTATOR else seat)
    players = {combatant.player for combatant in session.combat.roster.who.values()} - {"gm"}
    if who.seat is Seat.GM or (who.seat is Seat.PLAYER and who.name not in players):
        accepts = ", ".join(["gm", "spectator", *(f"{player}:player" for player in sorted(players))])
        raise BadWho(f"{seat!r} is not a seat at this table", where="--for", accepts=accepts)
    return who


def write(output: Path, lines: Iterable[bytes], where: str = "--output") -> None:
    """Writes a file whole or not at all. An existing file is replaced only if it is an export or a report.

    Args:
        output: The path of the file.
        lines: The lines, with their ends.
        where: The option that names the file, for refusals.

    Raises:
        Full: The disk is full, or the file would be too large.
        ReadOnly: The file cannot be written for another reason.
    """
    if output.is_dir() or not output.name:
        raise ReadOnly(f"{output} is a folder", where=where, accepts="a file's name")
    if not _may_be_replaced(output):
        raise ReadOnly(f"{output} is something else, and is not replaced", where=where, accepts=_REPLACED)
    part = output.with_name(output.name + ".part")
    try:
        part.write_bytes(b"".join(lines))
        os.replace(part, output)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.errno in _NO_ROOM:
            raise Full(f"there is no space left for {output}", where=where) from error
        raise ReadOnly(f"{output} cannot be written: {worded(error)}", where=where) from error


def _may_be_replaced(output: Path) -> bool:
    """Returns whether there is no file at a path, an empty one, or an export or a report.

    So a ledger, the files beside it, its keys, a sheet or a script are never overwritten by a mistyped name.
    """
    if not output.exists():
        return True
    if not output.is_file():
        return False
    try:
        with output.open("rb") as opened:
            begins = opened.read(max(map(len, _OURS)))
    except OSError:  # what cannot be read is refused with the reason when it is written
        return True
    return not begins or begins.startswith(_OURS)
