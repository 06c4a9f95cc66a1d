"""The routes of the JavaScript client, at `/client`: a page imports it from the server that it calls."""

import hashlib
from collections.abc import Callable
from importlib.resources import files
from typing import Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter

from replays import javascript

_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "max-age=300"}
_IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match", max_length=1_000)]


def _route(name: str, media_type: str) -> HTTPRouteHandler:
    """Returns the route of a file; a reader that has the file already gets an answer without it."""
    content = files(javascript).joinpath(name).read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**_HEADERS, "etag": tag}
    kind = media_type if media_type.startswith("text/") else f"{media_type}; charset=utf-8"  # Litestar adds it to texts

    def read(known: _IfNoneMatch = None) -> Response[bytes]:
        if known is not None and tag in known:
            return Response(b"", status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    route: Callable[..., Any] = get(f"/client/{name}", include_in_schema=False, sync_to_thread=False)
    made: HTTPRouteHandler = route(read)
    return made


CLIENT_FILES = tuple(_route(name, media_type) for name, media_type in javascript.FILES.items())
