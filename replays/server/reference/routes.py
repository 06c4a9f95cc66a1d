"""The routes of the API reference, at `/docs`; under a policy by which a browser loads nothing but its style sheet."""

from importlib.resources import files
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State as LitestarState

from replays.server.http.openapi import made_once, make_document
from replays.server.reference.page import page

POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "max-age=300",
}


@get("/docs", include_in_schema=False, guards=[make_document])
async def reference(request: Request[Any, Any, LitestarState]) -> Response[str]:
    """Returns the page of the API reference; a thread makes it at the first request."""
    app = request.app
    made = await made_once(app, "reference", lambda: page(app.openapi_schema.to_schema()))
    return Response(made, media_type="text/html", headers=_HEADERS)


@get("/docs/style.css", include_in_schema=False, sync_to_thread=False)
def style() -> Response[bytes]:
    """Returns the style sheet of the page."""
    content = files("replays.server.reference").joinpath("style.css").read_bytes()
    return Response(content, media_type="text/css", headers=_HEADERS)


REFERENCE = (reference, style)
