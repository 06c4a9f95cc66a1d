"""What routes share: headers, refusals as they are documented, bodies that several take."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter

from ledger.asking import LONGEST_KEY
from ledger.bounds import VISIBLE as NO_CONTROL_CHARACTERS
from replays.server.http.problems import MEDIA_TYPE, BadHeader, Problem

JSONL = "application/jsonl"
JSON = "application/json"
READS: dict[str, Any] = {"opt": {"reads": True}}
"""Of a route that is asked by POST and writes nothing."""
SECURITY: list[dict[str, list[str]]] = [{"token": []}]

LAST = 2**31 - 1
VISIBLE = r"[^\s\x1c-\x1f\x85\ufeff]"
"""At least one letter that is no blank, also for those to whom other letters are blanks than to Python."""
Number = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=4000, pattern=VISIBLE, description="For the record.")]
Words = Annotated[str, msgspec.Meta(max_length=4000)]

IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description="The number of the last entry that the caller knows, as an `ETag` said it; others having written "
        "since is a conflict (409) that tells the actual one. Left out, or `*`: whatever is there.",
        max_length=40,
    ),
]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="The same command under the same key is performed once; the entries that were written for it are "
        "answered again, beside what is so by now, whatever `If-Match` says.",
        min_length=1,
        max_length=LONGEST_KEY,
        pattern=NO_CONTROL_CHARACTERS,
    ),
]
At = Annotated[
    int | None, QueryParameter(name="at", ge=1, le=LAST, description="As it stood when this entry had been appended.")
]
After = Annotated[int, QueryParameter(name="after", ge=0, le=LAST, description="Entries after this one.")]

_MEANINGS = {
    400: "The request cannot be read.",
    401: "No token, one that this server has not signed, or one that was revoked.",
    403: "Not from this seat, or a token of another session.",
    404: "There is no such thing.",
    408: "The body was not there in time; nothing was done.",
    409: "Somebody else wrote first; `actual` is the number of the last entry.",
    413: "The body is too long.",
    422: "The rules, or the log, say no; `slug` says why.",
    429: "Too many requests; `Retry-After` says when to try again.",
    500: "Our fault.",
    503: "The ledger, or the server, is busy; `Retry-After` says when to try again. What is written may be written all "
    "the same after `server/too-slow` and `store/unsure`: ask again under its `Idempotency-Key`.",
}
_ALWAYS = (400, 408, 429, 500, 503)


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, documented: these, and those that any route may have."""
    return {
        status: ResponseSpec(Problem, description=_MEANINGS[status], media_type=MEDIA_TYPE, generate_examples=False)
        for status in sorted({*statuses, *_ALWAYS})
    }


def expected(if_match: str | None) -> int | None:
    """The number of the last entry that the caller knows; None for whatever is there.

    Raises:
        BadHeader: It is no number.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    text = if_match.strip().removeprefix("W/").strip('"')
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise BadHeader(f"{if_match!r} names no entry", where="If-Match", accepts='a number such as "31", or *')
    return int(text)


def lines(found: Iterable[bytes]) -> bytes:
    """JSON lines, each with its end."""
    return b"".join(line + b"\n" for line in found)


def tagged(content: Any, last: int) -> Response[Any]:
    """An answer with the number of the last entry as its ETag."""
    return Response(content, headers={"etag": f'"{last}"', "cache-control": "no-store"})
