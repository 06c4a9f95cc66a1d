"""ASGI middleware that completes the `Allow` header with all methods of an address."""

from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send


class AllowHeader:
    """Completes the `Allow` header; the web framework names only the methods of one controller.

    A hook of the framework would do the same, but the framework would call it for every message to a live reader, too.

    Args:
        app: The application that answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                _complete(message, scope)
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == ScopeType.HTTP else send)


def _complete(message: HTTPResponseStartEvent, scope: Scope) -> None:
    allowed = dict(message["headers"]).get(b"allow")
    if allowed is None:
        return
    methods = _methods(scope) or {name for name in allowed.decode().split(", ") if name.isupper()}
    if "GET" in methods:
        methods.add("HEAD")  # answered outside the routes: see `head_requests`
    others = [(name, value) for name, value in message["headers"] if name != b"allow"]
    message["headers"] = [*others, (b"allow", ", ".join(sorted(methods)).encode())]


def _methods(scope: Scope) -> set[str]:
    """Returns the methods of the route that matched; empty if none did."""
    template = scope.get("path_template")
    routes = (each for each in scope["litestar_app"].routes if isinstance(each, HTTPRoute))
    return {str(method) for route in routes if route.path_format == template for method in route.methods}
