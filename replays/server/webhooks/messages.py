"""The messages of a webhook: what the live feed sends to the same seat, in an envelope that names the session."""

from typing import Any, Literal

import msgspec

from replays.server.http.pages import EncodedEntry
from replays.sessions.ports import moment


class HookMessage(msgspec.Struct, frozen=True):
    """The body of a message to a webhook."""

    type: Literal["entry", "ping"]
    """`entry`, or `ping` for a test."""
    session: str
    timestamp: str
    """The time of the entry or of the test, in UTC; the time of sending is in the header `webhook-timestamp`."""
    data: Any
    """The entry as the live feed sends it to the same seat; for a test, an empty document."""


class _EntryTime(msgspec.Struct, frozen=True):
    at: str


def entry_message(session: str, entry: EncodedEntry) -> bytes:
    """Returns the body for an entry. Its data are the bytes of the live feed."""
    at = msgspec.json.decode(entry.json, type=_EntryTime).at
    return msgspec.json.encode(HookMessage("entry", session, at, msgspec.Raw(entry.json)))


def ping_message(session: str, now: float) -> bytes:
    """Returns the body of a test.

    Args:
        session: The session's id.
        now: Seconds since 1970.
    """
    return msgspec.json.encode(HookMessage("ping", session, moment(now), {}))


def message_id(hook: str, seq: int) -> str:
    """Returns the id of the message about an entry, the same for each attempt; a webhook belongs to one session."""
    return f"msg_{hook}_{seq}"
