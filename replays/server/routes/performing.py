"""Performs a command for a caller, and documents the entries that were written."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ledger.commands import (
    Adjust,
    AnyCommand,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    EndCombat,
    PassTime,
    TellDice,
    TypeDice,
)
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.key import meant
from ledger.requests.command_checks import check_command
from projections.path import Rest
from projections.views.document import OpenRest
from replays.api.session import Session
from replays.exports import documents
from replays.server.callers.callers import RequestCaller
from replays.server.callers.changes import changes
from replays.server.callers.tokens import Scope
from replays.server.routes.common import expected
from replays.views.state_document import rests

_ANSWERS = (Choose, TypeDice, DrawDice, TellDice)
_PLAY = (Declare, Choose, TypeDice, DrawDice, TellDice, BeginCombat, EndCombat, PassTime, Adjust)
"""Commands that are decided from the state alone; others may have to search the log, which takes longer."""


class Performed(msgspec.Struct, frozen=True):
    """The entries that were written for a command."""

    entries: tuple[documents.EntryDocument, ...]
    """The entry of the command first, then those performed anew after it, and what settings answered at once."""
    last: int
    """The number of the log's last entry."""
    head: int
    """The last entry that stands."""
    rests: tuple[OpenRest, ...]
    """The rolls and choices that the table is waiting for now."""
    patch: dict[str, Any]
    """The merge patch (RFC 7396) from the state before these entries to the state after them, as the seat sees both."""
    narration: tuple[str, ...]
    """The entries in sentences for people."""


class BareShorthand(Refused):
    """A shorthand of a key, without the header that keeps a late repeat from answering another roll."""

    slug = "request/bare-shorthand"


async def perform_command(
    caller: RequestCaller, command: Command | list[AnyCommand], match: str | None, key: str | None
) -> Performed:
    """Performs a command, or several together, and returns what was written, durably.

    Args:
        caller: The caller.
        command: The command as it was requested; or several, all or none.
        match: The header If-Match.
        key: The header Idempotency-Key.

    Raises:
        Refused: The headers, the command or the rules refuse it.
    """
    known = expected(match)
    commands = command if isinstance(command, list) else [command]
    for each in commands:
        check_command(caller.who, each)  # fields that are ignored for this caller are checked too
    accepted = [_accepted(each, caller) for each in commands]

    def work(session: Session) -> Performed:
        if known is None and key is None:
            _check_keys(session.seen(caller.eyes(session.combat)).rests, commands)
        whole, only = accepted if isinstance(command, list) else accepted[0], caller.token.combatants
        last = session.log.last
        written = session.perform_all(whole, by=caller.who, expected=known, batch=key, only=only)
        if session.log.last > last:  # else the request is repeated
            written += caller.app_state.tables.go_on(session, written, quickly=True)
        return performed(session, caller, written)

    return await caller.run(work, quickly=isinstance(command, _PLAY))


def _check_keys(rests: Sequence[Rest], commands: Sequence[Command]) -> None:
    """Rejects a shorthand in a request that has neither an idempotency key nor If-Match.

    Raises:
        BareShorthand: The key of an answer is a shorthand.
    """
    for command in commands:
        if isinstance(command, _ANSWERS) and _is_shorthand(rests, command.key):
            problem = f"{command.key!r} is a shorthand, and a late repeat of the request could answer another roll"
            raise BareShorthand(problem, where="key", accepts="the whole key; or If-Match or Idempotency-Key")


def _is_shorthand(rests: Sequence[Rest], key: str) -> bool:
    keys = [(rest.key, rest.by) for rest in rests]
    return all(key != each for each, _ in keys) and bool(meant(key, keys))


def performed(session: Session, caller: RequestCaller, entries: list[Entry]) -> Performed:
    """Returns the document of entries that were just written, as the caller may see them."""
    eyes = caller.eyes(session.combat)
    documented = tuple(caller.entry_document(session, entry, eyes) for entry in entries)
    found = changes(session, entries, eyes)
    waits = rests(session.seen(eyes))
    return Performed(documented, session.log.last, session.log.head, waits, found.patch, found.narration)


def waiting(session: Session, caller: RequestCaller) -> Performed:
    """Returns the document of a request that wrote nothing."""
    return Performed((), session.log.last, session.log.head, rests(session.seen(caller.eyes(session.combat))), {}, ())


def _accepted(command: Command, caller: RequestCaller) -> Command:
    """Returns the command without what this caller may not state: only the gamemaster may state faces' provenance."""
    if isinstance(command, TypeDice) and caller.token.seat is not Scope.GM:
        command = msgspec.structs.replace(command, provenance=())
    return command
