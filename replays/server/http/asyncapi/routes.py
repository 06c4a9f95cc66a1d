"""The route of the AsyncAPI document, beside that of the OpenAPI document."""

from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State as LitestarState

from replays.server.http.asyncapi.document import VERSION, asyncapi
from replays.server.http.openapi import made_once, make_document

MEDIA_TYPE = f"application/vnd.aai.asyncapi+json;version={VERSION}"


@get("/schema/asyncapi.json", include_in_schema=False, guards=[make_document])
async def asyncapi_document(request: Request[Any, Any, LitestarState]) -> Response[bytes]:
    """Returns the document; a thread makes it at the first request."""
    app = request.app
    made = await made_once(app, "asyncapi", lambda: msgspec.json.encode(asyncapi(app.openapi_schema.to_schema())))
    return Response(made, media_type=MEDIA_TYPE)
