"""Reading: the log, why a number is what it is, odds, luck, audit, disputes, export. Nothing is written."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.datastructures import Headers
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from ledger.commands import Declare
from replays.api.session import Session
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.exports.jsonl import exported, header_of
from replays.server.callers.callers import Asked, Seated, Sitting
from replays.server.http.pages import Frame, Stretch, page_of, stretch_of
from replays.server.routes.common import JSON, JSONL, LAST, READS, SECURITY, After, refusals
from replays.server.runtime.questions import AllDisputes, AuditOf, LuckOf, OddsOf, OneDispute, WhyOf

Head = Annotated[
    str | None,
    QueryParameter(
        name="head", pattern=r"^[0-9a-fA-F]{64}$", max_length=64, description="A digest that must be part of the log."
    ),
]


class OddsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of what the odds are to be reckoned."""

    key: str | None = None
    """Of an open roll, or a shorthand; left out, what is waited for."""
    declare: Declare | None = None
    """What is to be declared."""
    choices: dict[str, str] = {}
    """By key, what is chosen on the way."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=LAST)] = 1
    """Of the dice, where it has to be sampled."""


class Reading(Controller):
    """A session, read."""

    path = "/v1/sessions/{session:str}"
    tags = ("Reading",)
    security = SECURITY

    @get("/entries", operation_id="getEntries", responses=refusals(401, 403, 404), produces=None)
    async def entries(
        self,
        sitting: Seated,
        request: Asked,
        after: After = 0,
        limit: Annotated[int, QueryParameter(name="limit", ge=1, le=10_000, description="So many at most.")] = 1_000,
    ) -> Response[Any]:
        """The log, as the seat sees it, in pages of `limit` entries.

        With `Accept: application/jsonl` all entries come, a line each.
        """
        in_lines = _wants_lines(request.headers)

        def begin(session: Session) -> tuple[Stretch, list[Frame]]:
            stretch = stretch_of(session, None if in_lines else after + limit)
            return stretch, sitting.frames(session, after, stretch)

        def read(session: Session, after: int, stretch: Stretch) -> list[Frame]:
            return sitting.frames(session, after, stretch)

        pages = _pages(sitting, *await sitting.run(begin), read)
        if in_lines:
            return Stream(_in_lines(pages), media_type=JSONL)
        return Stream(_in_an_array(pages), media_type=JSON)

    @get("/why", operation_id="explain", responses=refusals(401, 403, 404, 422))
    async def why(
        self,
        sitting: Seated,
        of: Annotated[
            str, QueryParameter(name="of", min_length=1, max_length=500, description="A key, or `who.what`.")
        ],
    ) -> Response[Why]:
        """Why a number is what it is: each part with its reason, its page, the entry and the person."""
        return await sitting.study(WhyOf(of))

    @post("/odds", operation_id="odds", status_code=200, responses=refusals(401, 403, 404, 413, 422), **READS)
    async def odds(self, sitting: Seated, data: JSONBody[OddsAsked]) -> Response[dict[str, Any]]:
        """What may come of an open roll or of a declaration, and how likely each of it is; never written."""
        return await sitting.study(OddsOf(data.key, data.declare, data.choices, data.seed))

    @get("/luck", operation_id="luck", responses=refusals(401, 403, 404, 422))
    async def luck(self, sitting: Seated) -> Response[dict[str, Any]]:
        """What the dice showed beside what was expected of them."""
        return await sitting.study(LuckOf())

    @get("/audit", operation_id="audit", responses=refusals(401, 403, 404))
    async def audit(self, sitting: Seated, head: Head = None) -> Response[Audit]:
        """Is the record whole, are the dice honest, what did people decide beside the rules?"""
        return await sitting.study(AuditOf(head))

    @get("/disputes", operation_id="listDisputes", responses=refusals(401, 403, 404))
    async def disputes(self, sitting: Seated) -> Response[list[Disputed]]:
        """The disputes, open and settled; they are opened and settled by commands."""
        return await sitting.study(AllDisputes())

    @get("/disputes/{dispute:str}", operation_id="getDispute", responses=refusals(401, 403, 404))
    async def dispute(self, sitting: Seated, dispute: FromPath[str]) -> Response[Dispute]:
        """One dispute with its evidence, and what would come of the claim."""
        return await sitting.study(OneDispute(dispute))

    @get("/export", operation_id="export", media_type=JSONL, responses=refusals(401, 403, 404))
    async def export(self, sitting: Seated) -> Stream:
        """The session as JSON lines, header first; what the seat may not see is left out, and the chain still holds."""

        def begin(session: Session) -> tuple[bytes, Stretch, list[Frame]]:
            stretch = stretch_of(session)
            return header_of(session.log, sitting.token.seat.value), stretch, read(session, 0, stretch)

        def read(session: Session, after: int, stretch: Stretch) -> list[Frame]:
            return page_of(exported(session.log, sitting.eyes(session.combat), after, stretch.upto))

        header, stretch, first = await sitting.run(begin)
        pages = _pages(sitting, stretch, first, read)
        headers = {"content-disposition": f'attachment; filename="{sitting.session}.jsonl"'}
        return Stream(_in_lines(pages, header), media_type=JSONL, headers=headers)


def _wants_lines(headers: Headers) -> bool:
    accepted = headers.get("accept", "")
    return any(kind in accepted for kind in (JSONL, "application/x-ndjson", "application/x-jsonlines"))


# ------------------------------------------------------------------------------------------------ streams

Read = Callable[[Session, int, Stretch], list[Frame]]


async def _pages(sitting: Sitting, stretch: Stretch, first: list[Frame], read: Read) -> AsyncIterator[list[Frame]]:
    """A stretch of the log, page by page: each is read when the one before it was taken in."""
    frames = first
    while frames:
        yield frames
        after = frames[-1].seq
        if after >= stretch.upto:
            return
        frames = await sitting.run(lambda session, after=after: read(session, after, stretch))  # type: ignore[misc]


async def _in_lines(pages: AsyncIterator[list[Frame]], header: bytes = b"") -> AsyncIterator[bytes]:
    if header:
        yield header + b"\n"
    async for frames in pages:
        yield b"".join(frame.told + b"\n" for frame in frames)


async def _in_an_array(pages: AsyncIterator[list[Frame]]) -> AsyncIterator[bytes]:
    before = b"["
    async for frames in pages:
        yield before + b",".join(frame.told for frame in frames)
        before = b","
    yield b"[]" if before == b"[" else b"]"
