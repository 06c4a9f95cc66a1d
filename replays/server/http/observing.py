"""ASGI middleware that gives each request an id, and records it in the log and the metrics."""

import re
import secrets
import time
from itertools import count
from typing import Any

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

from replays.server.http import metrics
from replays.server.http.problems import noted_refusal
from replays.server.limits.limits import PROBES

_PROCESS, _COUNTED = secrets.token_hex(6).encode(), count(1)
"""The parts of the id of a request that brings none: a prefix of this process, and a counter."""
_ID = re.compile(rb"[\w.-]{1,64}")
GONE = 499
"""Status in the log and the metrics if the client disconnected before the answer: not a fault of the server."""


class RequestLog:
    """Logs and counts requests with their status; never logs a token, a query or a body.

    Args:
        app: The application that answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._log = structlog.get_logger()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began, request_id = time.perf_counter(), _request_id(scope)
        status = 500 if scope["type"] == ScopeType.HTTP else 101
        is_gone = False

        async def receiving() -> ReceiveMessage:
            nonlocal is_gone
            message = await receive()
            is_gone = is_gone or message["type"] == "http.disconnect"
            return message

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = GONE if is_gone else message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
            await send(message)

        try:
            await self._app(scope, receiving, sending if scope["type"] == ScopeType.HTTP else send)
        finally:
            self._record(scope, status, request_id, time.perf_counter() - began)

    def _record(self, scope: Scope, status: int, request_id: bytes, seconds: float) -> None:
        found: dict[str, Any] = dict(scope)
        method, route = str(found.get("method", "WEBSOCKET")), str(found.get("path_template") or "none")
        metrics.count(method, route, status, None if route.endswith("/feed") else seconds)
        if route not in PROBES or status >= 400:
            session = (found.get("path_params") or {}).get("session")
            slug = noted_refusal(scope) if status != GONE else None
            refused = {"slug": slug} if slug is not None else {}
            self._log.info(
                "request", method=method, route=route, status=status, ms=round(seconds * 1000, 2), session=session,
                id=request_id.decode(), **refused,
            )  # fmt: skip


def _request_id(scope: Scope) -> bytes:
    """Returns the id of a request: the caller's if it is a short plain word, else a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ID.fullmatch(value):
            return value
    return b"%b-%x" % (_PROCESS, next(_COUNTED))
