"""Performs a command for a caller, and documents the entries that were written."""

from typing import Any

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, TellDice, TypeDice
from ledger.entry import Entry
from ledger.requests.command_checks import check_command
from replays.api.session import Session
from replays.exports import documents
from replays.server.callers.callers import RequestCaller
from replays.server.callers.tokens import Scope
from replays.server.routes.common import expected
from replays.views.state_document import rests

_PLAY = (Declare, Choose, TypeDice, DrawDice, TellDice)
"""Commands that are decided from the state alone; others may have to search the log, which takes longer."""


class Performed(msgspec.Struct, frozen=True):
    """The entries that were written for a command."""

    entries: tuple[documents.EntryDocument, ...]
    """The entry of the command first, then those of commands that were performed anew after it."""
    last: int
    """The number of the log's last entry."""
    head: int
    """The last entry that stands."""
    rests: tuple[dict[str, Any], ...]
    """The rolls and choices that the table is waiting for now."""


async def perform_command(caller: RequestCaller, command: Command, match: str | None, key: str | None) -> Performed:
    """Performs a command, and returns what was written, durably.

    Args:
        caller: The caller.
        command: The command as it was requested.
        match: The header If-Match.
        key: The header Idempotency-Key.

    Raises:
        Refused: The headers, the command or the rules refuse it.
    """
    known = expected(match)
    check_command(caller.who, command)  # fields that are ignored for this caller are checked too

    def work(session: Session) -> Performed:
        accepted, only = _accepted(command, caller), caller.token.combatants
        written = session.perform_all(accepted, by=caller.who, expected=known, batch=key, only=only)
        return performed(session, caller, written)

    return await caller.run(work, quickly=isinstance(command, _PLAY))


def performed(session: Session, caller: RequestCaller, entries: list[Entry]) -> Performed:
    """Returns the document of entries that were just written, as the caller may see them."""
    eyes = caller.eyes(session.combat)
    documented = tuple(caller.entry_document(session, entry, eyes) for entry in entries)
    return Performed(documented, session.log.last, session.log.head, rests(session.seen(eyes)))


def _accepted(command: Command, caller: RequestCaller) -> Command:
    """Returns the command without what this caller may not state: only the gamemaster may state faces' provenance."""
    if isinstance(command, TypeDice) and caller.token.seat is not Scope.GM:
        command = msgspec.structs.replace(command, provenance=())
    return command
