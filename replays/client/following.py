"""Decodes the live feed, and keeps the position of its reader; it does no IO."""

import httpx

from replays.client.answers import Heard, one_entry
from replays.client.call import Call, decoded
from replays.client.refusals import Problem, Unreachable, refusal_of
from replays.client.retrying import Endpoint, Retries

PATIENCE = 60.0
"""Seconds in which a disconnected feed is resumed."""
SILENCE = 30.0
"""Seconds without data after which a connection is given up; the server sends a sign of life every 5 seconds."""


class FeedReader:
    """Decodes a feed and remembers the last entry.

    Args:
        path: The path of the session.
        after: The number of the last entry that the reader has.
        patience: Seconds in which the feed is resumed after a disconnection.
    """

    def __init__(self, path: str, after: int, patience: float) -> None:
        self._path = path
        self._after = after
        self._incomplete = b""
        self.retries = Retries(patience)

    def call(self) -> Call[bytes]:
        """Returns the request for the entries after the last one."""
        self._incomplete = b""
        headers = {"accept": "text/event-stream", "cache-control": "no-store"}
        return Call(
            method="GET",
            path=f"{self._path}/feed",
            read=bytes,
            query={"after": self._after},
            headers=headers,
            repeatable=True,
        )

    def decode(self, chunk: bytes) -> list[Heard]:
        """Returns the entries that are complete with these bytes; skips those that the reader has.

        Raises:
            Ended: The server has ended the feed with a refusal.
        """
        *blocks, self._incomplete = (self._incomplete + chunk).replace(b"\r\n", b"\n").split(b"\n\n")
        found = [entry for block in blocks for entry in self._entries(block)]
        if blocks and blocks != [_GREETING]:
            self.retries.begin()
        return found

    def _entries(self, block: bytes) -> list[Heard]:
        fields = dict(line.partition(b": ")[::2] for line in block.split(b"\n"))
        match fields.get(b"event"):
            case b"entry":
                entry = one_entry(fields.get(b"data", b""))
                if entry.seq > self._after:
                    self._after = entry.seq
                    return [entry]
            case b"refused":
                raise Ended(decoded(Problem, fields.get(b"data", b"")))
            case _:
                pass
        return []

    def pause(self, endpoint: Endpoint, call: Call[bytes], end: "httpx.HTTPError | Ended | Declined | None") -> float:
        """Returns the seconds until the feed is resumed.

        Args:
            endpoint: The server.
            call: The request.
            end: How the feed ended; None if the server closed it.

        Raises:
            Refused: The feed is not resumed.
        """
        match end:
            case httpx.HTTPError():
                return endpoint.pause_after_loss(call, end, self.retries)
            case Declined():
                return endpoint.pause_after_refusal(call, end.answer, self.retries)
            case Ended() if end.problem.status not in _FOR_NOW:
                raise refusal_of(end.problem)
            case Ended():
                return self.retries.pause(refusal_of(end.problem))
            case None:
                return self.retries.pause(
                    Unreachable("the server repeatedly closes the feed", where="feed", accepts="a later attempt")
                )


def has_expired(end: "httpx.HTTPError | Ended | Declined | None") -> bool:
    """Returns whether a feed ended because its token expired; the connection may have a renewed one."""
    return isinstance(end, Ended) and end.problem.slug == "token/expired"


_GREETING = b": from here on"
_FOR_NOW = (429, 503)
"""Statuses after which the feed is resumed."""


class Ended(Exception):
    """The server ended the feed with a refusal."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.slug)
        self.problem = problem


class Declined(Exception):
    """The server refused to open the feed."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer
