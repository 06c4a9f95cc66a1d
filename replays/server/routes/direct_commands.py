"""Performs well-formed commands without the web framework's parsing, which takes longer than most commands.

For each request the framework resolves parameters and dependencies and builds a response object. This middleware of the
route of commands does the same work directly. Any unusual request, such as one with a query, a repeated header or a
body of a wrong type, passes through to the route, which refuses it. Both call `perform_command`, and
`tests/replays/server/http/test_direct_commands.py` compares their responses byte by byte.
"""

import re
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from litestar.serialization import encode_json
from litestar.types import ASGIApp, Receive, Scope, Send

from ledger.bounds import VISIBLE
from ledger.commands import AnyCommand, Command
from ledger.errors import Refused
from ledger.requests.command_checks import LONGEST_KEY
from replays.server.callers.callers import caller_of, token_of
from replays.server.http.problems import TextRequest
from replays.server.routes.common import LONGEST_MATCH
from replays.server.routes.performing import Performed, perform_command

_COMMAND = msgspec.json.Decoder(AnyCommand)
_HEADERS = frozenset({b"authorization", b"if-match", b"idempotency-key"})
_VISIBLE = re.compile(VISIBLE)


class _Direct(NamedTuple):
    """A well-formed request for a command."""

    command: Command
    match: str | None
    key: str | None


def direct_commands(app: ASGIApp) -> ASGIApp:
    """Returns the middleware around the route of commands."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        request = TextRequest(scope, receive, send)
        direct = await _well_formed(request)
        if direct is None:
            await app(scope, receive, send)
            return
        caller = await caller_of(request, scope["path_params"]["session"])
        await _respond(await perform_command(caller, *direct), send)

    return answer


async def _well_formed(request: TextRequest) -> _Direct | None:
    """Returns the content of a request; None if it is unusual in any way. The route can still read the body then."""
    found = [each for each in request.scope["headers"] if each[0] in _HEADERS]
    headers = {name: value.decode("latin-1") for name, value in found}
    match, key = headers.get(b"if-match"), headers.get(b"idempotency-key")
    if (
        request.scope["query_string"]
        or len(headers) < len(found)
        or (match is not None and len(match) > LONGEST_MATCH)
        or (key is not None and not (0 < len(key) <= LONGEST_KEY and _VISIBLE.search(key)))
    ):
        return None
    try:
        token_of(request)
        return _Direct(_COMMAND.decode(await request.body()), match, key)
    except (Refused, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


async def _respond(performed: Performed, send: Send) -> None:
    body = encode_json(performed)
    headers = [
        (b"etag", b'"%d"' % performed.last),
        (b"cache-control", b"no-store"),
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
    ]
    await send({"type": "http.response.start", "status": HTTPStatus.CREATED, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
