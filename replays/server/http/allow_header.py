"""Completes the `Allow` header with all methods of an address."""

from litestar.routes import HTTPRoute
from litestar.types import Message, Scope


async def correct_allow_header(message: Message, scope: Scope) -> None:
    """Replaces the `Allow` header of a response; the web framework names only the methods of one controller."""
    if message["type"] != "http.response.start":
        return
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
