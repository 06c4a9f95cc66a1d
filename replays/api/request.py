"""A request: a command that somebody asks for, and how they ask. `replays.api.pipeline` handles it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from ledger.asking import check_command
from ledger.commands import Amend, Command, DrawDice, TypeDice
from ledger.entry import Who
from ledger.events import Audience
from ledger.fingerprint import fingerprint
from replays.corrections.change import Change, change_of, checked, plain
from replays.corrections.which_entry import dropped, meant
from replays.sessions.log import Log
from replays.sessions.permissions import GM

ANYWHERE = 0
"""Placeholder for the number of an entry in a command, where `Request.entry_meant` finds it."""
_BY_HAND = {"typed", "scripted"}
"""What faces that a person gives may be said to be."""


class Request(NamedTuple):
    """A command that somebody asks for, and how they ask."""

    command: Command
    by: Who = GM
    expected: int | None = None
    """The number of the last entry that the caller knew; None for whatever is there."""
    batch: str | None = None
    """The idempotency key."""
    binds: tuple[Any, ...] = ()
    """What the fingerprint binds, where the request says more or less than its command."""
    entry_meant: Callable[[Log], int] | None = None
    """Finds the entry that the command is about, where it depends on the log which one is: of an undo, for example."""
    only: tuple[str, ...] | None = None
    """The combatants for whom may be asked; None for all of a player's."""
    consent: bool = False
    """Of an amendment: may today's rules decide what followed, even where they decide it otherwise than then?"""

    @property
    def fingerprint(self) -> str:
        """Recognizes the request when it is repeated; see `ledger.fingerprint`."""
        return fingerprint(self.by, self.binds or (self.command,))

    def on(self, log: Log, command: Command) -> Command:
        """Returns the request's command with the entry that it is about on a log.

        Args:
            log: The session's.
            command: The request's, as far as it is prepared.

        Raises:
            Refused: There is no entry on it that could be meant.
        """
        if self.entry_meant is None:
            return command
        field = "entry" if isinstance(command, Amend) else "to"
        return msgspec.structs.replace(command, **{field: self.entry_meant(log)})


def by_hand(command: Command, by: Who) -> Command:
    """Returns a command as a person may give it: what only the session can say is taken out.

    Dice are drawn by the session alone, typed faces were not drawn, and at which rest a command was given is looked up.

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


def amending(entry: int | str, change: Change, *, why: str, seen_by: Audience, by: Who) -> Request:
    """Returns the request to correct an entry.

    Args:
        entry: Its number; or the key of a roll or an exchange, or a shorthand of one.
        change: What was otherwise.
        why: The reason, for the record.
        seen_by: Who may see what is said of it.
        by: Who asks.

    Raises:
        BadChange: It is no change, or has a wrong field.
        BadCommand: Something is beyond its bound.
    """
    fields = plain(checked(change))
    command = by_hand(Amend(ANYWHERE, fields, why, seen_by=seen_by), by)
    binds = "amend", entry, fields, why, *secretly(seen_by)
    which = dropped if change.drop else meant
    return Request(command, by, binds=binds, entry_meant=lambda log: which(log, entry))


def amending_by(command: Amend, by: Who) -> Request:
    """Returns the same request for an amendment that is given as a command.

    Raises:
        BadChange: It is no change, or has a wrong field.
        BadCommand: Something is beyond its bound.
    """
    change = change_of(command.change)
    return amending(command.entry, change, why=command.why, seen_by=command.seen_by, by=by)


def secretly(seen_by: Audience) -> tuple[Any, ...]:
    """Returns what a request that is made in secret has more; nothing of one that is made openly."""
    return () if seen_by is None else ("seen by", list(seen_by))
