"""Limits the requests of each caller, the number of open requests, and the time that a request may take."""

import asyncio
import time
from collections import OrderedDict
from http import HTTPStatus
from typing import Any

import msgspec
from litestar.config.cors import CORSConfig
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from ledger.errors import Refused
from replays.server.http.problems import (
    MEDIA_TYPE,
    Ending,
    SlowBody,
    TooMuch,
    TooOften,
    TooSlow,
    headers_of,
    note_refusal,
    problem,
)
from replays.server.runtime.app_state import AppState

_CALLERS = 10_000
"""Maximum number of callers that are remembered; the one whose last request is oldest is forgotten first."""
PROBES = frozenset({"/health", "/ready", "/metrics"})
"""Paths that monitoring systems request every few seconds; they have no rate limit."""
_BURST = 2.0
"""A caller may send the requests of this many seconds at once."""


class Buckets:
    """A token bucket of requests for each caller, refilled by a monotonic clock.

    Args:
        rate: Requests a second; 0 for no limit.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Counts one more request.

        Raises:
            TooOften: The bucket is empty.
        """
        if not self._rate:
            return
        now, most = time.monotonic(), max(1.0, self._rate * _BURST)
        left, then = self._left.pop(caller, (most, now))
        left = min(most, left + (now - then) * self._rate)
        self._left[caller] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > _CALLERS:
            self._left.popitem(last=False)
        if left < 1:
            raise TooOften("more requests than one caller may make", accepts=f"up to {self._rate:g} a second")


class Limits:
    """ASGI middleware that refuses requests beyond the limits before any other work is done for them.

    Args:
        app: The application that answers.
        app_state: The state of this process.
        cors: Which pages of other web sites may read a refusal; None for none.
    """

    def __init__(self, app: ASGIApp, app_state: AppState, cors: CORSConfig | None = None) -> None:
        self._app = app
        self._app_state = app_state
        self._cors = cors
        self._buckets = Buckets(app_state.settings.rate)
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        self._open += 1
        try:
            self._check(scope)
        except Refused as refusal:
            await self._refuse(scope, receive, send, refusal)
        else:
            await self._in_time(scope, receive, send)
        finally:
            self._open -= 1

    def _check(self, scope: Scope) -> None:
        if self._open > self._app_state.settings.connections:
            most = self._app_state.settings.connections
            raise TooMuch("too many connections are open", accepts=f"up to {most}")
        is_preflight = scope.get("method") == "OPTIONS"  # a browser's own question before it asks
        if scope["path"] not in PROBES and not is_preflight:
            self._buckets.take(self._caller(scope))

    def _caller(self, scope: Scope) -> str:
        """Returns the id of the caller's token if it is valid, else the caller's address."""
        for name, value in scope["headers"]:
            if name == b"authorization":
                try:
                    return self._app_state.tokens.signer.read(value.decode("latin-1").partition(" ")[2].strip()).id
                except Refused:
                    break
        client: Any = scope.get("client")
        return str(client[0]) if client else "unknown"

    async def _in_time(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.WEBSOCKET:  # the feed has a time limit for each message
            await self._app(scope, receive, send)
            return
        seconds, started = self._app_state.settings.seconds, False
        body = _RequestBody(receive)

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                if _is_stream(message):
                    limit.reschedule(None)  # a stream may be long; `SlowReaderMixin` disconnects slow readers
            await send(message)

        try:
            async with asyncio.timeout(seconds) as limit:
                await self._app(scope, body.receive, sending)
        except TimeoutError:
            if not started:
                await self._refuse(scope, receive, send, _late(scope, body, seconds))
        except asyncio.CancelledError:  # the server ends and waits no longer for this request
            if not started:
                await self._refuse(scope, receive, send, _unknown(scope, Ending, "the server is shutting down"))

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, refusal: Refused) -> None:
        document = problem(refusal)
        note_refusal(scope, document.slug)
        if scope["type"] == ScopeType.WEBSOCKET:
            await receive()
            await send({"type": "websocket.close", "code": 1013, "reason": document.slug})
            return
        headers = {"content-type": MEDIA_TYPE, **headers_of(document), **self._cors_headers(scope)}
        if document.status != HTTPStatus.TOO_MANY_REQUESTS:
            headers["connection"] = "close"
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        body = msgspec.json.encode(document)
        raw.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": document.status, "headers": raw})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _cors_headers(self, scope: Scope) -> dict[str, str]:
        """Returns the headers that let a page of an allowed web site read a refusal."""
        origin = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"), "")
        if self._cors is None or not origin or not self._cors.is_origin_allowed(origin):
            return {}
        always = {name.lower(): value for name, value in self._cors.simple_headers.items()}
        return {"access-control-allow-origin": origin, **always, "vary": "Origin"}


class _RequestBody:
    """The body of a request; records whether the server is waiting for the client to send it.

    Args:
        receive: Receives the messages of the body.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._is_awaited = False
        self._is_whole = False

    @property
    def is_slow(self) -> bool:
        """Whether the server is waiting for more of the body."""
        return self._is_awaited and not self._is_whole

    async def receive(self) -> Any:
        """Receives the next part."""
        self._is_awaited = True
        message = await self._receive()
        self._is_awaited = False
        self._is_whole = self._is_whole or not message.get("more_body", False)
        return message


def _late(scope: Scope, body: _RequestBody, seconds: float) -> Refused:
    """Returns the refusal of a request that took too long: was the client slow to send it, or the server to answer?"""
    if body.is_slow:
        return SlowBody(f"the body was not complete within {seconds:g} s; nothing was done", accepts="the whole body")
    return _unknown(scope, TooSlow, f"the request took longer than {seconds:g} s")


def _unknown(scope: Scope, kind: type[Refused], message: str) -> Refused:
    """Returns the refusal of a request whose work may still be completed after this answer."""
    handler = scope.get("route_handler")
    reads = scope["method"] in ("GET", "HEAD") or (handler is not None and handler.opt.get("reads"))  # type: ignore[typeddict-item]
    if reads:
        return kind(message, accepts="the same request a moment later")
    return kind(f"{message}; it may be written all the same", accepts="the same request with its Idempotency-Key")


def _is_stream(start: Message) -> bool:
    kinds = (b"text/event-stream", b"application/jsonl")
    headers: Any = start.get("headers", ())
    return any(name == b"content-type" and value.startswith(kinds) for name, value in headers)
