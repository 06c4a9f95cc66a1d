"""A request: a command with its caller and conditions; `replays.api.pipeline` handles it."""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import msgspec

from ledger.commands import Amend, Command, DrawDice, TypeDice
from ledger.entry import Who
from ledger.errors import BadCommand
from ledger.events import Audience
from ledger.requests.command_checks import check_command
from ledger.requests.fingerprint import fingerprint
from replays.corrections.change import Change, change_of, checked, plain
from replays.corrections.which_entry import dropped_entry_number, entry_number
from replays.sessions.log import Log
from replays.sessions.permissions import GM

ANYWHERE = 0
"""Placeholder for an entry's number in a command, where `Request.entry_meant` finds it."""
_BY_HAND = {"typed", "scripted"}
"""Provenances that a caller may give for faces."""


class Request(NamedTuple):
    """A command with its caller and conditions."""

    command: Command
    by: Who = GM
    expected: int | None = None
    """The number of the last entry that the caller knew; None where it does not matter."""
    batch: str | None = None
    """The idempotency key."""
    binds: tuple[Any, ...] = ()
    """What the fingerprint binds, where that is not the command."""
    entry_meant: Callable[[Log], int] | None = None
    """Finds the entry that the command is about, where it depends on the log: the entry of an undo, for example."""
    only: tuple[str, ...] | None = None
    """The combatants that the caller is limited to; None for all of a player's."""
    consent: bool = False
    """Of an amendment: whether today's rules may decide what followed differently than before."""

    @property
    def fingerprint(self) -> str:
        """Identifies the request when it is repeated; see `ledger.requests.fingerprint`."""
        return fingerprint(self.by, self.binds or (self.command,))

    def on(self, log: Log, command: Command) -> Command:
        """Returns the request's command with the entry that it is about on a log.

        Args:
            log: The session's log.
            command: The request's command, as far as it is prepared.

        Raises:
            Refused: No entry of the log can be meant.
        """
        if self.entry_meant is None:
            return command
        field = "entry" if isinstance(command, Amend) else "to"
        return msgspec.structs.replace(command, **{field: self.entry_meant(log)})


def by_hand(command: Command, by: Who) -> Command:
    """Returns a command without the fields that only the session may set.

    The session alone draws dice, typed faces cannot be marked as drawn, and the rest a command was given at is looked
    up.

    Raises:
        BadCommand: A field is of a wrong type, or beyond its bound.
    """
    check_command(by, command)
    if command.given_at is not None:
        command = msgspec.structs.replace(command, given_at=None)
    match command:
        case DrawDice():
            return DrawDice(command.key, seen_by=command.seen_by)
        case TypeDice(provenance=provenance) if not {*provenance} <= _BY_HAND:
            return msgspec.structs.replace(command, provenance=())
        case _:
            return command


def limited_to(only: Collection[str] | None) -> tuple[str, ...] | None:
    """Returns the combatants that a caller is limited to; None for no limit.

    Raises:
        BadCommand: It is not a collection of names; a single name must be in one.
    """
    if only is None:
        return None
    is_collection = isinstance(only, Collection) and not isinstance(only, str | bytes)
    if not is_collection or not all(isinstance(who, str) for who in only):
        accepts = "a collection of combatants' names; None where only the seat limits the caller"
        raise BadCommand(f"{only!r:.60} is not a collection of combatants' names", where="only", accepts=accepts)
    return tuple(only)


def amendment_request(entry: int | str, change: Change, *, why: str, seen_by: Audience, by: Who) -> Request:
    """Returns the request to amend an entry.

    Args:
        entry: Its number; or the key of a roll or an exchange, or a shorthand of one.
        change: The correction.
        why: The reason, for the record.
        seen_by: Who may see the amendment.
        by: The caller.

    Raises:
        BadChange: It is not a `Change`, or a field is wrong.
        BadCommand: A value is beyond its bound.
    """
    fields = plain(checked(change))
    command = by_hand(Amend(ANYWHERE, fields, why, seen_by=seen_by), by)
    binds = "amend", entry, fields, why, *bound_audience(seen_by)
    number_of = dropped_entry_number if change.drop else entry_number
    return Request(command, by, binds=binds, entry_meant=lambda log: number_of(log, entry))


def amendment_request_of(command: Amend, by: Who) -> Request:
    """Returns the same request for an amendment that is given as a command.

    Raises:
        BadChange: The change has a wrong field.
        BadCommand: A value is beyond its bound.
    """
    change = change_of(command.change)
    return amendment_request(command.entry, change, why=command.why, seen_by=command.seen_by, by=by)


def bound_audience(seen_by: Audience) -> tuple[Any, ...]:
    """Returns what a fingerprint binds of an audience; nothing for a public request."""
    return () if seen_by is None else ("seen by", list(seen_by))
