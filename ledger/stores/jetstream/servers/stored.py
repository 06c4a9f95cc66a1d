"""A message as it is stored in a stream, and as an answer has it."""

from collections.abc import Mapping

import msgspec


class Stored(msgspec.Struct, frozen=True, gc=False):
    """A message as it is stored in a stream."""

    seq: int
    """Its number in the stream."""
    subject: str
    payload: bytes
    at: str
    """When the server stored it: RFC 3339 with nanoseconds."""
    behind: int = 0
    """How many more messages matched the request for several messages when it was answered."""


def stored(headers: Mapping[str, str], payload: bytes) -> Stored:
    """Returns the message that an answer contains."""
    behind = int(headers.get("Nats-Num-Pending", 0))
    return Stored(int(headers["Nats-Sequence"]), headers["Nats-Subject"], payload, headers["Nats-Time-Stamp"], behind)
