"""Around every request: its number, a line in the log, the metrics."""

import re
import secrets
import time
from itertools import count
from typing import Any

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

from replays.server.http import metrics
from replays.server.limits.limits import PROBES

_PROCESS, _COUNTED = secrets.token_hex(6).encode(), count(1)
"""A request that brings no number has one of this process's."""
_ID = re.compile(rb"[\w.-]{1,64}")
GONE = 499
"""In the log and the metrics: the client hung up before it was answered, which is nobody's fault."""


class Observing:
    """Tells what was asked and what came of it; never who with which token, nor a query or a body.

    Args:
        app: What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._log = structlog.get_logger()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began, number, status = time.perf_counter(), _number(scope), 500 if scope["type"] == ScopeType.HTTP else 101
        is_gone = False

        async def receiving() -> ReceiveMessage:
            nonlocal is_gone
            message = await receive()
            is_gone = is_gone or message["type"] == "http.disconnect"
            return message

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = GONE if is_gone else message["status"]  # what is answered then, nobody hears
                message["headers"] = [*message["headers"], (b"x-request-id", number)]
            await send(message)

        try:
            await self._app(scope, receiving, sending)
        finally:
            self._tell(scope, status, number, time.perf_counter() - began)

    def _tell(self, scope: Scope, status: int, number: bytes, seconds: float) -> None:
        told: dict[str, Any] = dict(scope)
        method, route = str(told.get("method", "WEBSOCKET")), str(told.get("path_template") or "none")
        metrics.count(method, route, status, None if route.endswith("/feed") else seconds)
        if route not in PROBES or status >= 400:
            session = (told.get("path_params") or {}).get("session")
            self._log.info(
                "request", method=method, route=route, status=status, ms=round(seconds * 1000, 2), session=session,
                id=number.decode(),
            )  # fmt: skip


def _number(scope: Scope) -> bytes:
    """The request's number: the caller's own, where it is a plain one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ID.fullmatch(value):
            return value
    return b"%b-%x" % (_PROCESS, next(_COUNTED))
