"""Builds the arguments of httpx requests, and decides when a failed call is repeated; it does no IO."""

import random
import time
from typing import Any

import httpx
import msgspec

from ledger.errors import Refused
from replays.client.call import Call
from replays.client.refusals import BadAddress, BadToken, NotAffray, Problem, Unreachable, refusal_of

TIMEOUT = 40.0
"""Seconds that an answer may take; the server gives up after 30."""
PATIENCE = 10.0
"""Seconds in which a failed call is repeated."""
_FIRST, _LONGEST = 0.1, 2.0
_AGAIN = frozenset({408, 429, 502, 503, 504})
"""Statuses after which the same call may succeed a moment later."""
_TOO_SLOW = "server/too-slow"


class Retries:
    """Decides how long a call is repeated, and computes the pauses in between.

    Args:
        patience: Seconds in all.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self.begin()

    def begin(self) -> None:
        """Starts anew after a success: the next failure counts as the first."""
        self._until: float | None = None
        self._pause = _FIRST

    def pause(self, refusal: Refused, requested: float = 0.0) -> float:
        """Returns the seconds to wait before the next attempt.

        Args:
            refusal: The refusal of the last attempt.
            requested: The seconds that the server asked to wait.

        Raises:
            Refused: The given refusal, if the time is used up.
        """
        now = time.monotonic()
        self._until = now + self._patience if self._until is None else self._until
        wait = max(requested, self._pause * random.uniform(0.5, 1.0))  # noqa: S311  so that clients do not retry simultaneously
        if now + wait > self._until:
            raise refusal
        self._pause = min(2 * self._pause, _LONGEST)
        return wait


class Endpoint:
    """A server with the caller's token and time limits.

    Args:
        url: The server's address, ``https://affray.example``.
        token: The caller's token.
        timeout: Seconds that an answer may take.
        patience: Seconds in which a failed call is repeated.

    Raises:
        BadAddress: The address is not one of a server.
        BadToken: The text cannot be a token.
    """

    def __init__(self, url: str, token: str, timeout: float, patience: float) -> None:
        self._url = _checked(url)
        if not (token.isascii() and token.isprintable() and token and " " not in token):
            raise BadToken("the text cannot be a token", where="token", accepts="a token that a server has issued")
        self._token = token
        self.timeout = timeout
        self.patience = patience

    def with_token(self, token: str) -> "Endpoint":
        """Returns the same server with another token."""
        return Endpoint(self._url, token, self.timeout, self.patience)

    def request(self, call: Call[Any], read_timeout: float | None = None) -> dict[str, Any]:
        """Returns the arguments of the httpx request.

        Args:
            call: The call to be sent.
            read_timeout: Seconds without data after which the request fails; None for the timeout.
        """
        timeout = httpx.Timeout(self.timeout, read=read_timeout or self.timeout, connect=min(self.timeout, 10.0))
        return {
            "method": call.method, "url": self._url + call.path, "params": dict(call.query), "content": call.body,
            "headers": call.all_headers(self._token), "timeout": timeout,
        }  # fmt: skip

    def pause_after_loss(self, call: Call[Any], error: httpx.HTTPError, retries: Retries) -> float:
        """Returns the seconds until the next attempt after a call without an answer.

        Raises:
            Unreachable: The call is not repeated.
        """
        never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        message = f"{self._url} does not answer: {str(error) or type(error).__name__}"
        refusal = Unreachable(message, where="url", accepts="the same call, later")
        hopeless = isinstance(error, httpx.UnsupportedProtocol | httpx.TooManyRedirects)
        if hopeless or not (never_sent or call.may_be_repeated):
            raise refusal from error
        return retries.pause(refusal)

    def pause_after_refusal(self, call: Call[Any], answer: httpx.Response, retries: Retries) -> float:
        """Returns the seconds until the next attempt after a refusal.

        Raises:
            Refused: The call is not repeated.
        """
        problem = _problem(answer)
        refusal = self._unexpected(answer) if problem is None else refusal_of(problem, call.expected)
        was_heard = answer.status_code not in (408, 429)
        in_vain = problem is not None and problem.slug == _TOO_SLOW and call.key is None  # it would take as long again
        if answer.status_code not in _AGAIN or in_vain or (was_heard and not call.may_be_repeated):
            raise refusal
        return retries.pause(refusal, _retry_after(answer))

    def _unexpected(self, answer: httpx.Response) -> Refused:
        """Returns the refusal for a response without a problem document."""
        status = f"{answer.status_code} {answer.reason_phrase}".strip()
        if answer.is_server_error or answer.status_code in _AGAIN:
            return Unreachable(f"{self._url} answers {status}", where="url", accepts="the same call, later")
        return NotAffray(f"{self._url} answers {status}", where="url", accepts="the address of `affray serve`")


def _checked(url: str) -> str:
    """Returns the address of a server without a trailing slash; rejects other addresses."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise BadAddress(f"{url!r} is not an address: {error}", where="url", accepts="https://host:port") from error
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.query or parsed.fragment:
        raise BadAddress(f"{url!r} is not the address of a server", where="url", accepts="https://host:port")
    return url.rstrip("/")


def _problem(answer: httpx.Response) -> Problem | None:
    """Returns the problem document of a response; None if it has none."""
    if not answer.headers.get("content-type", "").startswith("application/problem+json"):
        return None
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _retry_after(answer: httpx.Response) -> float:
    """Returns the seconds of the Retry-After header; 0 without one."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdecimal() else 0.0
