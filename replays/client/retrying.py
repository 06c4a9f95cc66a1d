"""Builds what httpx is asked for, and decides when a failed call is sent again; sends nothing itself."""

import random
import time
from typing import Any

import httpx
import msgspec

from ledger.errors import Refused
from replays.client.call import Call
from replays.client.refusals import BadAddress, BadToken, NotAffray, Problem, Unreachable, refusal_of

TIMEOUT = 40.0
"""Seconds that an answer may take; the server itself gives up after 30."""
PATIENCE = 10.0
"""Seconds in which something is tried again."""
_FIRST, _LONGEST = 0.1, 2.0
_AGAIN = frozenset({408, 429, 502, 503, 504})
"""Statuses after which the same may go well a moment later."""
_TOO_SLOW = "server/too-slow"


class Tries:
    """How long something is tried again, and how long is waited in between.

    Args:
        patience: Seconds in all.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self.begin()

    def begin(self) -> None:
        """It went well: the next failure is the first one."""
        self._until: float | None = None
        self._pause = _FIRST

    def pause(self, refusal: Refused, asked: float = 0.0) -> float:
        """Seconds to wait before the next try.

        Args:
            refusal: What the last one came to.
            asked: So long the server wants to be left alone.

        Raises:
            Refused: That; there is no patience left for another.
        """
        now = time.monotonic()
        self._until = now + self._patience if self._until is None else self._until
        wait = max(asked, self._pause * random.uniform(0.5, 1.0))  # noqa: S311  so that not all come at once
        if now + wait > self._until:
            raise refusal
        self._pause = min(2 * self._pause, _LONGEST)
        return wait


class Way:
    """The way to a server, whoever walks it.

    Args:
        url: The server's address, ``https://affray.example``.
        token: Who asks.
        timeout: Seconds that an answer may take.
        patience: Seconds in which something is tried again.

    Raises:
        BadAddress: It is none.
        BadToken: It is none.
    """

    def __init__(self, url: str, token: str, timeout: float, patience: float) -> None:
        self._url = _checked(url)
        if not (token.isascii() and token.isprintable() and token and " " not in token):
            raise BadToken("this is no token", where="token", accepts="one that a server has handed out")
        self._token = token
        self.timeout = timeout
        self.patience = patience

    def request(self, call: Call[Any], silence: float | None = None) -> dict[str, Any]:
        """What httpx is asked for.

        Args:
            call: What is to be sent.
            silence: Seconds in which something must be heard, where that is another time than for the whole.
        """
        timeout = httpx.Timeout(self.timeout, read=silence or self.timeout, connect=min(self.timeout, 10.0))
        return {
            "method": call.method, "url": self._url + call.path, "params": dict(call.query), "content": call.body,
            "headers": call.all_headers(self._token), "timeout": timeout,
        }  # fmt: skip

    def lost(self, call: Call[Any], error: httpx.HTTPError, tries: Tries) -> float:
        """Nobody answered: seconds until the next try.

        Raises:
            Unreachable: There will be none.
        """
        never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        refusal = Unreachable(f"{self._url} does not answer: {_said(error)}", where="url", accepts="the same, later")
        hopeless = isinstance(error, httpx.UnsupportedProtocol | httpx.TooManyRedirects)
        if hopeless or not (never_sent or call.may_be_repeated):
            raise refusal from error
        return tries.pause(refusal)

    def refused(self, call: Call[Any], answer: httpx.Response, tries: Tries) -> float:
        """The answer is no: seconds until the next try.

        Raises:
            Refused: There will be none.
        """
        problem = _problem(answer)
        refusal = self._strange(answer) if problem is None else refusal_of(problem, call.expected)
        was_heard = answer.status_code not in (408, 429)
        in_vain = problem is not None and problem.slug == _TOO_SLOW and call.key is None  # it is reckoned as long again
        if answer.status_code not in _AGAIN or in_vain or (was_heard and not call.may_be_repeated):
            raise refusal
        return tries.pause(refusal, _asked(answer))

    def _strange(self, answer: httpx.Response) -> Refused:
        said = f"{answer.status_code} {answer.reason_phrase}".strip()
        if answer.is_server_error or answer.status_code in _AGAIN:
            return Unreachable(f"{self._url} answers {said}", where="url", accepts="the same, later")
        return NotAffray(f"{self._url} answers {said}", where="url", accepts="the address of `affray serve`")


def _checked(url: str) -> str:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise BadAddress(f"{url!r} is no address: {error}", where="url", accepts="https://host:port") from error
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.query or parsed.fragment:
        raise BadAddress(f"{url!r} is no server's address", where="url", accepts="https://host:port")
    return url.rstrip("/")


def _said(error: httpx.HTTPError) -> str:
    return str(error) or type(error).__name__


def _problem(answer: httpx.Response) -> Problem | None:
    if not answer.headers.get("content-type", "").startswith("application/problem+json"):
        return None
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _asked(answer: httpx.Response) -> float:
    """How long the server wants to be left alone."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdecimal() else 0.0
