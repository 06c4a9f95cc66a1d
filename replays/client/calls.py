"""Builds the calls of one session, and the request bodies that several of them send."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from ledger import codec
from ledger.commands import Amend, Command
from ledger.entry import Who
from ledger.events import Audience
from replays.client import call
from replays.client.call import SESSIONS, Call, part
from replays.corrections.change import Change, EntryChange

T = TypeVar("T")
C = TypeVar("C", bound=Command)

PAGE = 1_000
"""Number of entries that are requested at once."""
_CALLER = Who("")
"""A placeholder: the server takes the caller from the token."""


Commands = Command | list[Command] | tuple[Command, ...]
"""A command, or several that are performed together."""


class Calls:
    """Builds the calls of one session; `name` is the rest of the path after that of the session.

    Args:
        session: The session's id.
    """

    def __init__(self, session: str) -> None:
        self.path = f"{SESSIONS}/{part(session)}"

    def get(self, name: str, read: Callable[[bytes], T], **query: str | int | None) -> Call[T]:
        """Builds a GET request; query parameters that are None are omitted."""
        return call.get(f"{self.path}/{name}", read, **query)

    def post(self, name: str, body: Any, read: Callable[[bytes], T]) -> Call[T]:
        """Builds a POST request that may be repeated, because it writes nothing, or the same."""
        return call.post(f"{self.path}/{name}", body, read)

    def write(
        self, name: str, body: Any, read: Callable[[bytes], T], expected: int | None, batch: str | None
    ) -> Call[T]:
        """Builds a POST request that writes, with an idempotency key."""
        return call.write(f"{self.path}/{name}", body, read, expected, batch)

    def command(
        self, command: Commands, read: Callable[[bytes], T], expected: int | None, batch: str | None
    ) -> Call[T]:
        """Builds the request that performs a command, or several together, with an idempotency key."""
        body = list(map(checked, command)) if isinstance(command, list | tuple) else checked(command)
        return self.write("commands", body, read, expected, batch)


def checked(command: C) -> C:
    """Returns a command that can be recorded.

    Raises:
        BadCommand: The command has values that cannot be recorded.
    """
    codec.check_command(_CALLER, command)
    return command


def audience_field(seen_by: Audience) -> dict[str, Any]:
    """Returns the field `seen_by`; omitted for None, so that servers without this field accept the request."""
    return {} if seen_by is None else {"seen_by": seen_by}


def changed_entry(given: EntryChange) -> dict[str, Any]:
    """Returns a change of a branch as the body of a request has it.

    Raises:
        BadCommand: The change has values that cannot be recorded.
    """
    if given.entry is not None:
        correction(given.entry, given.change, "", consent=True)
    for command in given.then:
        checked(command)
    plain: dict[str, Any] = msgspec.to_builtins(given)
    return plain


def correction(entry: int | str, change: Change, why: str, *, consent: bool) -> dict[str, Any]:
    """Returns the request body of an amendment, of its preview, and of a what-if question.

    Raises:
        BadCommand: The change has values that cannot be recorded.
    """
    plain = msgspec.to_builtins(change)
    checked(Amend(entry if isinstance(entry, int) else 0, plain, why))
    return {"entry": entry, "change": plain, "why": why, "consent": consent}
