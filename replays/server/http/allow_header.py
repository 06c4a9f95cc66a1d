"""What may be asked at an address."""

from litestar.routes import HTTPRoute
from litestar.types import Message, Scope


async def tell_methods(message: Message, scope: Scope) -> None:
    """Name all methods of an address where they are told: the web framework names those that it met first."""
    if message["type"] != "http.response.start":
        return
    said = dict(message["headers"]).get(b"allow")
    if said is None:
        return
    methods = _methods(scope) or {name for name in said.decode().split(", ") if name.isupper()}
    if "GET" in methods:
        methods.add("HEAD")  # answered outside the routes: see `heads`
    others = [(name, value) for name, value in message["headers"] if name != b"allow"]
    message["headers"] = [*others, (b"allow", ", ".join(sorted(methods)).encode())]


def _methods(scope: Scope) -> set[str]:
    """Those of the route that was found, where one was."""
    template = scope.get("path_template")
    routes = (each for each in scope["litestar_app"].routes if isinstance(each, HTTPRoute))
    return {str(method) for route in routes if route.path_format == template for method in route.methods}
