"""The routes of files for browsers: the page at `/`, its modules at `/page`, the JavaScript client at `/client`."""

import hashlib
from collections.abc import Callable
from importlib.resources import files
from typing import Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter

from replays import javascript, web

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a browser may do for the page: it runs and calls only what is of this server, and nothing that stands inline."""
_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
_CLIENT = {**_HEADERS, "cache-control": "max-age=300"}
_PAGE = {**_HEADERS, "cache-control": "no-cache", "content-security-policy": PAGE_POLICY}
_INDEX = "index.html"
_IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match", max_length=1_000)]


def _route(path: str, content: bytes, media_type: str, headers: dict[str, str]) -> HTTPRouteHandler:
    """Returns the route of a file; a reader that has the file already gets an answer without it."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**headers, "etag": tag}
    kind = media_type if media_type.startswith("text/") else f"{media_type}; charset=utf-8"  # Litestar adds it to texts

    def read(known: _IfNoneMatch = None) -> Response[bytes]:
        if known is not None and tag in known:
            return Response(b"", status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    route: Callable[..., Any] = get(path, include_in_schema=False, sync_to_thread=False)
    made: HTTPRouteHandler = route(read)
    return made


CLIENT_FILES = tuple(
    _route(f"/client/{name}", files(javascript).joinpath(name).read_bytes(), media_type, _CLIENT)
    for name, media_type in javascript.FILES.items()
)
PAGE_FILES = tuple(
    _route("/" if name == _INDEX else f"/page/{name}", content, web.media_type(name), _PAGE)
    for name, content in web.served().items()
)
