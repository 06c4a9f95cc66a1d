"""Headers, parameters, types and documented refusals that several routes share."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter

from ledger.bounds import VISIBLE as NO_CONTROL_CHARACTERS
from ledger.requests.command_checks import LONGEST_KEY
from replays.server.http.problems import MEDIA_TYPE, BadHeader, Problem

JSONL = "application/jsonl"
JSON = "application/json"
HTML = "text/html"
READS: dict[str, Any] = {"opt": {"reads": True}}
"""Options of a POST route that writes nothing."""
SECURITY: list[dict[str, list[str]]] = [{"token": []}]

LAST = 2**31 - 1
LONGEST_MATCH = 40
"""Maximum length of the header If-Match."""
VISIBLE = r"[^\s\x1c-\x1f\x85\ufeff]"
"""Matches a character that is not blank: neither for Python nor for JavaScript and other languages."""
Number = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
EntryNumber = Annotated[int, msgspec.Meta(ge=1, le=LAST)]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=4000, pattern=VISIBLE, description="For the record.")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=VISIBLE)]
Lifetime = Annotated[int, msgspec.Meta(ge=60, le=10 * 366 * 86_400)]
"""The seconds from the issue of a token to its expiry: a minute to ten years."""
Words = Annotated[str, msgspec.Meta(max_length=4000)]

IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description="The number of the last entry that the caller knows, as in an `ETag`. If there are later entries, "
        "the request is refused as a conflict (409) with the actual number. Without this header, or with `*`, the "
        "number is not checked.",
        max_length=LONGEST_MATCH,
    ),
]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="A command is performed once for each key. A repeated request gets the entries that were written "
        "at first, with the current state, and `If-Match` is not checked for it.",
        min_length=1,
        max_length=LONGEST_KEY,
        pattern=NO_CONTROL_CHARACTERS,
    ),
]
At = Annotated[
    int | None, QueryParameter(name="at", ge=1, le=LAST, description="The state after this entry was appended.")
]
After = Annotated[int, QueryParameter(name="after", ge=0, le=LAST, description="Entries after this one.")]

_MEANINGS = {
    400: "The request cannot be parsed.",
    401: "There is no token, this server has not signed it, or it was revoked.",
    403: "The seat may not do this, or the token is for another session.",
    404: "The path, or something that the request names, does not exist.",
    408: "The body was not complete in time; nothing was done.",
    409: "Conflict: another caller wrote first; `actual` is the number of the last entry.",
    413: "The body is too long.",
    422: "The rules or the log refuse the request; `slug` names the reason.",
    429: "Too many requests; retry after the seconds in `Retry-After`.",
    500: "An internal error of the server.",
    503: "The ledger or the server is busy; retry after the seconds in `Retry-After`. After `server/too-slow` and "
    "`store/unsure` the command may have been written all the same: repeat it with the same `Idempotency-Key`.",
    507: "The disk of the ledger is full; nothing was written.",
}
_ALWAYS = (400, 408, 429, 500, 503)


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Returns the documentation of a route's refusals: the given statuses, and those that any route may have."""
    return {
        status: ResponseSpec(Problem, description=_MEANINGS[status], media_type=MEDIA_TYPE, generate_examples=False)
        for status in sorted({*statuses, *_ALWAYS})
    }


def expected(if_match: str | None) -> int | None:
    """Returns the entry number of an If-Match header; None if the number is not to be checked.

    Raises:
        BadHeader: The value is not a number.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    text = if_match.strip().removeprefix("W/").strip('"')
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise BadHeader(
            f"{if_match!r} is not the number of an entry", where="If-Match", accepts='a number such as "31", or *'
        )
    return int(text)


def lines(found: Iterable[bytes]) -> bytes:
    """Joins JSON lines; each ends with a line feed."""
    return b"".join(line + b"\n" for line in found)


def tagged(content: Any, last: int) -> Response[Any]:
    """Returns a response with the number of the last entry as its ETag."""
    return Response(content, headers={"etag": f'"{last}"', "cache-control": "no-store"})
