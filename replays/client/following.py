"""Where the reader of a feed is, and what its bytes say; reads no bytes itself."""

import httpx

from replays.client.answers import Heard, one_entry
from replays.client.call import Call, as_
from replays.client.refusals import Problem, Unreachable, refusal_of
from replays.client.retrying import Tries, Way

PATIENCE = 60.0
"""Seconds in which a feed that was cut is taken up again."""
SILENCE = 30.0
"""Seconds without a word after which a connection is given up; the server has one every 5."""


class Following:
    """Where a reader is, and what comes in; who reads the bytes is not said here.

    Args:
        path: Of the session.
        after: The last entry that the reader has.
        patience: Seconds in which the feed is taken up again after a cut.
    """

    def __init__(self, path: str, after: int, patience: float) -> None:
        self._path = path
        self._after = after
        self._begun = b""
        self.tries = Tries(patience)

    def call(self) -> Call[bytes]:
        """What is asked, from where the reader is."""
        self._begun = b""
        headers = {"accept": "text/event-stream", "cache-control": "no-store"}
        return Call(
            method="GET",
            path=f"{self._path}/feed",
            read=bytes,
            query={"after": self._after},
            headers=headers,
            repeatable=True,
        )

    def heard(self, chunk: bytes) -> list[Heard]:
        """The entries that are whole with these bytes, those left out that the reader has.

        Raises:
            Refused: The server says that it tells no more.
        """
        *blocks, self._begun = (self._begun + chunk).replace(b"\r\n", b"\n").split(b"\n\n")
        found = [entry for block in blocks for entry in self._told(block)]
        if blocks and blocks != [_GREETING]:
            self.tries.begin()
        return found

    def _told(self, block: bytes) -> list[Heard]:
        fields = dict(line.partition(b": ")[::2] for line in block.split(b"\n"))
        match fields.get(b"event"):
            case b"entry":
                entry = one_entry(fields.get(b"data", b""))
                if entry.seq > self._after:
                    self._after = entry.seq
                    return [entry]
            case b"refused":
                raise Ended(as_(Problem, fields.get(b"data", b"")))
            case _:
                pass
        return []

    def pause(self, way: Way, call: Call[bytes], end: "httpx.HTTPError | Ended | Declined | None") -> float:
        """Seconds until the feed is taken up again.

        Args:
            way: To the server.
            call: What was asked.
            end: How it came to an end.

        Raises:
            Refused: It is not.
        """
        match end:
            case httpx.HTTPError():
                return way.lost(call, end, self.tries)
            case Declined():
                return way.refused(call, end.answer, self.tries)
            case Ended() if end.problem.status not in _FOR_NOW:
                raise refusal_of(end.problem)
            case Ended():
                return self.tries.pause(refusal_of(end.problem))
            case None:
                return self.tries.pause(Unreachable("the feed ends again and again", where="feed", accepts="later"))


_GREETING = b": from here on"
_FOR_NOW = (429, 503)


class Ended(Exception):
    """The server's last word in a feed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.slug)
        self.problem = problem


class Declined(Exception):
    """The server's answer in the place of a feed."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer
