"""Answers HEAD as GET is answered, without the body (RFC 9110, 9.3.2)."""

from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_TOLD = ("path_template", "path_params", "route_handler")
"""What the application notes in the scope for those around it."""


class _Enough(OSError):
    """The head is sent; what the application still sends goes nowhere, as to a client that has hung up."""


class Heads:
    """An application that answers HEAD.

    Args:
        app: Answers GET.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        asked: Scope = {**scope, "method": "GET"}
        answered = False

        async def sending(message: Message) -> None:
            nonlocal answered
            if answered:
                raise _Enough  # a stream would go on without end
            await send(message)
            if message["type"] == "http.response.start":
                answered = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        try:
            await self._app(asked, receive, sending)
        except Exception:
            if not answered:
                raise
        finally:
            told: dict[str, Any] = dict(asked)
            scope.update({name: told[name] for name in _TOLD if name in told})  # type: ignore[typeddict-item]
