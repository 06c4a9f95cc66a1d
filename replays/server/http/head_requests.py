"""Answers HEAD requests like GET requests, without the body (RFC 9110, 9.3.2)."""

from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_ROUTE = ("path_template", "path_params", "route_handler")
"""Keys that the application adds to the scope for the middleware around it."""


class _HeadSent(OSError):
    """The head has been sent; the application stops, as it does when a client has disconnected."""


class HeadRequests:
    """ASGI middleware that answers HEAD requests.

    Args:
        app: The application, which answers GET requests.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        get: Scope = {**scope, "method": "GET"}
        is_sent = False

        async def sending(message: Message) -> None:
            nonlocal is_sent
            if is_sent:
                raise _HeadSent  # otherwise a stream would go on without end
            await send(message)
            if message["type"] == "http.response.start":
                is_sent = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        try:
            await self._app(get, receive, sending)
        except Exception:
            if not is_sent:
                raise
        finally:
            found: dict[str, Any] = dict(get)
            scope.update({name: found[name] for name in _ROUTE if name in found})  # type: ignore[typeddict-item]
