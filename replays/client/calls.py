"""Builds the calls of one session: what all of them have alike, and the bodies that several of them send."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from ledger import codec
from ledger.commands import Amend, Command
from ledger.entry import Who
from ledger.events import Audience
from replays.client import call
from replays.client.call import SESSIONS, Call, part
from replays.corrections.change import Change

T = TypeVar("T")
C = TypeVar("C", bound=Command)

PAGE = 1_000
"""Entries that are asked for at once."""
_ANYBODY = Who("")
"""Who asks is what the token says."""


class Calls:
    """Builds the calls of one session. Names are those of what is asked, below its path.

    Args:
        session: Its id.
    """

    def __init__(self, session: str) -> None:
        self.path = f"{SESSIONS}/{part(session)}"

    def get(self, name: str, read: Callable[[bytes], T], **query: str | int | None) -> Call[T]:
        """Something to read; what is None is not asked for."""
        return call.get(f"{self.path}/{name}", read, **query)

    def post(self, name: str, body: Any, read: Callable[[bytes], T]) -> Call[T]:
        """Something to be reckoned, and not written."""
        return call.post(f"{self.path}/{name}", body, read)

    def write(
        self, name: str, body: Any, read: Callable[[bytes], T], expected: int | None, batch: str | None
    ) -> Call[T]:
        """Something to be written, once."""
        return call.write(f"{self.path}/{name}", body, read, expected, batch)

    def command(self, command: Command, read: Callable[[bytes], T], expected: int | None, batch: str | None) -> Call[T]:
        """A command to be performed, once."""
        return self.write("commands", checked(command), read, expected, batch)


def checked(command: C) -> C:
    """The command, if it can be recorded.

    Raises:
        BadCommand: It has values that no command can have.
    """
    codec.check_command(_ANYBODY, command)
    return command


def audience_field(seen_by: Audience) -> dict[str, Any]:
    """Who may see the reason; left out of a request where everyone may, as servers know it that have no such field."""
    return {} if seen_by is None else {"seen_by": seen_by}


def correction(entry: int | str, change: Change, why: str, *, consent: bool) -> dict[str, Any]:
    """The body of an amendment, of its preview, and of a what-if.

    Raises:
        BadCommand: The change has values that no command can have.
    """
    plain = msgspec.to_builtins(change)
    checked(Amend(entry if isinstance(entry, int) else 0, plain, why))
    return {"entry": entry, "change": plain, "why": why, "consent": consent}
