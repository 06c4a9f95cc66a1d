"""How much one caller may ask, how many may be open, how long a request may take."""

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
    problem,
)
from replays.server.runtime.app_state import Desk

_CALLERS = 10_000
"""So many are remembered; whoever asked longest ago is forgotten first."""
PROBES = frozenset({"/health", "/ready", "/metrics"})
"""Asked every few seconds by machines, which are nobody's callers."""
_BURST = 2.0
"""Seconds' worth of requests that may come at once."""


class Buckets:
    """For each caller a bucket of requests that fills up again as time goes by (by the clock that is never set back).

    Args:
        rate: Requests a second; 0 for any number.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """One request more.

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
            raise TooOften("more requests than one caller may make", accepts=f"{self._rate:g} a second")


class Limits:
    """Refuses what is too much before anything is done about it.

    Args:
        app: What answers.
        desk: The server's.
        cors: Which pages of other web sites may read what is refused; left out, none.
    """

    def __init__(self, app: ASGIApp, desk: Desk, cors: CORSConfig | None = None) -> None:
        self._app = app
        self._desk = desk
        self._cors = cors
        self._buckets = Buckets(desk.settings.rate)
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
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
        if self._open > self._desk.settings.connections:
            raise TooMuch("too many connections are open", accepts=f"{self._desk.settings.connections}")
        is_preflight = scope.get("method") == "OPTIONS"  # a browser's own question before it asks
        if scope["path"] not in PROBES and not is_preflight:
            self._buckets.take(self._caller(scope))

    def _caller(self, scope: Scope) -> str:
        """The token that asks, if it is one; else where it comes from."""
        for name, value in scope["headers"]:
            if name == b"authorization":
                try:
                    return self._desk.tokens.signer.read(value.decode("latin-1").partition(" ")[2].strip()).id
                except Refused:
                    break
        client: Any = scope.get("client")
        return str(client[0]) if client else "nobody"

    async def _in_time(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.WEBSOCKET:  # the feed has its own patience
            await self._app(scope, receive, send)
            return
        seconds, started = self._desk.settings.seconds, False
        body = _Body(receive)

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                if _streams(message):
                    limit.reschedule(None)  # who takes nothing of it in is cut off: see `Paced`
            await send(message)

        try:
            async with asyncio.timeout(seconds) as limit:
                await self._app(scope, body.receive, sending)
        except TimeoutError:
            if not started:
                await self._refuse(scope, receive, send, _late(scope, body, seconds))
        except asyncio.CancelledError:  # the server waits no longer for what was begun; nobody waits for this, either
            if not started:
                await self._refuse(scope, receive, send, _unknown(scope, Ending, "the server ends"))

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, refusal: Refused) -> None:
        told = problem(refusal)
        if scope["type"] == ScopeType.WEBSOCKET:
            await receive()
            await send({"type": "websocket.close", "code": 1013, "reason": told.slug})
            return
        headers = {"content-type": MEDIA_TYPE, **headers_of(told), **self._for_pages(scope)}
        if told.status != HTTPStatus.TOO_MANY_REQUESTS:
            headers["connection"] = "close"
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        body = msgspec.json.encode(told)
        raw.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": told.status, "headers": raw})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _for_pages(self, scope: Scope) -> dict[str, str]:
        """What lets a page of another web site read a refusal, where it may call."""
        asking = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"), "")
        if self._cors is None or not asking or not self._cors.is_origin_allowed(asking):
            return {}
        always = {name.lower(): value for name, value in self._cors.simple_headers.items()}
        return {"access-control-allow-origin": asking, **always, "vary": "Origin"}


class _Body:
    """What a client sends behind the head.

    Args:
        receive: Takes it in.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._is_awaited = False
        self._is_whole = False

    @property
    def is_slow(self) -> bool:
        """Whether more of it is waited for."""
        return self._is_awaited and not self._is_whole

    async def receive(self) -> Any:
        """Takes the next part in."""
        self._is_awaited = True
        message = await self._receive()
        self._is_awaited = False
        self._is_whole = self._is_whole or not message.get("more_body", False)
        return message


def _late(scope: Scope, body: _Body, seconds: float) -> Refused:
    """The refusal of a request that took too long: whose fault it is, and what may have come of it."""
    if body.is_slow:
        return SlowBody(f"the body was not there within {seconds:g} s, and nothing was done", accepts="the whole body")
    return _unknown(scope, TooSlow, f"it took longer than {seconds:g} s")


def _unknown(scope: Scope, kind: type[Refused], message: str) -> Refused:
    """A refusal of what goes on to its end, though nobody is told of that."""
    handler = scope.get("route_handler")
    reads = scope["method"] in ("GET", "HEAD") or (handler is not None and handler.opt.get("reads"))  # type: ignore[typeddict-item]
    if reads:
        return kind(message, accepts="the same a moment later")
    return kind(f"{message}; it may be written all the same", accepts="the same under its Idempotency-Key")


def _streams(start: Message) -> bool:
    kinds = (b"text/event-stream", b"application/jsonl")
    headers: Any = start.get("headers", ())
    return any(name == b"content-type" and value.startswith(kinds) for name, value in headers)
