"""Routes that read a session: entries, explanations, odds, luck, recap, audit, disputes, export."""

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
from replays.exports.documents import OddsDocument
from replays.exports.jsonl import exported, header_of
from replays.exports.recap.model import Recap
from replays.exports.theatre.model import Outline, ReplaySteps
from replays.odds.fight.chances import FightChances
from replays.odds.luck import Luck
from replays.server.callers.callers import AppRequest, InjectedCaller, RequestCaller
from replays.server.http.pages import EncodedEntry, LogRange, current_range, fill_page
from replays.server.routes.common import HTML, JSON, JSONL, LAST, READS, SECURITY, After, At, refusals
from replays.server.runtime.questions.of_sessions import (
    AllDisputes,
    AuditOf,
    ChancesOf,
    LuckOf,
    OddsOf,
    OneDispute,
    OutlineOf,
    RecapOf,
    ReplayOf,
    StepsOf,
    WhyOf,
)
from replays.views.frames import MOST_STEPS

Head = Annotated[
    str | None,
    QueryParameter(
        name="head", pattern=r"^[0-9a-fA-F]{64}$", max_length=64, description="A digest that must be part of the log."
    ),
]


class OddsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the odds are asked for."""

    key: str | None = None
    """The key of an open roll, or a shorthand of it; by default the roll that the table is waiting for."""
    declare: Declare | None = None
    """The odds of this declaration, instead of those of an open roll."""
    choices: dict[str, str] = {}
    """The option to assume for each choice, by key."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=LAST)] = 1
    """Seed of the dice, if the odds must be sampled."""


class ReadingRoutes(Controller):
    """Reads a session."""

    path = "/v1/sessions/{session:str}"
    tags = ("Reading",)
    security = SECURITY

    @get("/entries", operation_id="getEntries", responses=refusals(401, 403, 404), produces=None)
    async def entries(
        self,
        caller: InjectedCaller,
        request: AppRequest,
        after: After = 0,
        limit: Annotated[int, QueryParameter(name="limit", ge=1, le=10_000, description="At most so many.")] = 1_000,
    ) -> Response[Any]:
        """Returns up to `limit` entries of the log, as the seat sees them.

        With `Accept: application/jsonl` all entries are returned, one on each line.
        """
        as_lines = _accepts_lines(request.headers)

        def begin(session: Session) -> tuple[LogRange, list[EncodedEntry]]:
            within = current_range(session, None if as_lines else after + limit)
            return within, caller.entries(session, after, within)

        def read(session: Session, after: int, within: LogRange) -> list[EncodedEntry]:
            return caller.entries(session, after, within)

        pages = _pages(caller, *await caller.run(begin), read)
        if as_lines:
            return Stream(_in_lines(pages), media_type=JSONL)
        return Stream(_in_an_array(pages), media_type=JSON)

    @get("/why", operation_id="explain", responses=refusals(401, 403, 404, 422))
    async def why(
        self,
        caller: InjectedCaller,
        of: Annotated[
            str, QueryParameter(name="of", min_length=1, max_length=500, description="A key, or `who.what`.")
        ],
        at: At = None,
    ) -> Response[Why]:
        """Explains a number: each part with its reason, its page, the entry, and the person who caused it.

        With `at`, it is explained as of when that entry had been appended, also if it was undone since.
        """
        return await caller.ask(WhyOf(of, at))

    @get("/outline", operation_id="getOutline", responses=refusals(401, 403, 404))
    async def outline(self, caller: InjectedCaller) -> Response[Outline]:
        """Returns the record as a whole, for a replay.

        It has where rounds, turns and exchanges begin, what was undone or corrected, and health over time.
        """
        return await caller.ask(OutlineOf())

    @get("/replay", operation_id="getReplay", media_type=HTML, responses=refusals(401, 403, 404))
    async def replay(self, caller: InjectedCaller) -> Response[bytes]:
        """Returns the record as one HTML file that replays it: it opens from disk, without a server.

        It holds what the seat may see, and the seat's export, which can be verified.
        """
        answer = await caller.ask(ReplayOf())
        headers = {
            "content-disposition": f'attachment; filename="{caller.session}.html"',
            "content-security-policy": "sandbox",
        }
        return Response(msgspec.json.decode(answer.content, type=str).encode(), media_type=HTML, headers=headers)

    @get("/steps", operation_id="getSteps", responses=refusals(401, 403, 404))
    async def steps(
        self,
        caller: InjectedCaller,
        after: After = 0,
        limit: Annotated[int, QueryParameter(name="limit", ge=1, le=MOST_STEPS, description="At most so many.")] = 200,
    ) -> Response[ReplaySteps]:
        """Returns entries for a replay, each in sentences and with the merge patch of what it changes of the state.

        The patches start from `before`, and lead to what `GET …/state?at=` returns for each entry. A page also ends
        after some 256 kB, and then has fewer steps than `limit`; it has at least one, unless there are no more.
        """
        return await caller.ask(StepsOf(after, limit))

    @post("/odds", operation_id="odds", status_code=200, responses=refusals(401, 403, 404, 413, 422), **READS)
    async def odds(self, caller: InjectedCaller, data: JSONBody[OddsAsked]) -> Response[OddsDocument]:
        """Computes the odds of an open roll or of a declaration: each outcome with its probability.

        Nothing is written.
        """
        return await caller.ask(OddsOf(data.key, data.declare, data.choices, data.seed))

    @get("/chances", operation_id="getChances", responses=refusals(401, 403, 404, 422))
    async def chances(self, caller: InjectedCaller, at: At = None) -> Response[FightChances]:
        """Estimates who is standing at the end of the fight: for each combatant a chance with its 90 % interval.

        The fight is played on many times from the state after entry `at`, by default the last, by a simple policy that
        the answer has in words. Nothing is written. Answers are kept, so a second request is answered at once.
        """
        return await caller.ask_once(ChancesOf(at))

    @get("/luck", operation_id="luck", responses=refusals(401, 403, 404, 422))
    async def luck(self, caller: InjectedCaller) -> Response[Luck]:
        """Compares the faces of the dice with the expected ones."""
        return await caller.ask(LuckOf())

    @get("/recap", operation_id="getRecap", responses=refusals(401, 403, 404, 422))
    async def recap(self, caller: InjectedCaller) -> Response[Recap]:
        """Returns the recap: who went down, the turning points, luck, and corrections in words."""
        return await caller.ask(RecapOf())

    @get("/audit", operation_id="audit", responses=refusals(401, 403, 404))
    async def audit(self, caller: InjectedCaller, head: Head = None) -> Response[Audit]:
        """Checks whether the record is intact and the dice are honest, and lists what people overruled."""
        return await caller.ask(AuditOf(head))

    @get("/disputes", operation_id="listDisputes", responses=refusals(401, 403, 404))
    async def disputes(self, caller: InjectedCaller) -> Response[list[Disputed]]:
        """Lists the disputes, open and settled; commands open and settle them."""
        return await caller.ask(AllDisputes())

    @get("/disputes/{dispute:str}", operation_id="getDispute", responses=refusals(401, 403, 404))
    async def dispute(self, caller: InjectedCaller, dispute: FromPath[str]) -> Response[Dispute]:
        """Returns one dispute with its evidence and the consequences of its claim."""
        return await caller.ask(OneDispute(dispute))

    @get("/export", operation_id="export", media_type=JSONL, responses=refusals(401, 403, 404))
    async def export(self, caller: InjectedCaller) -> Stream:
        """Exports the session as JSON lines, header first.

        What is hidden from the seat is omitted; the hash chain can still be verified.
        """

        def begin(session: Session) -> tuple[bytes, LogRange, list[EncodedEntry]]:
            within = current_range(session)
            return header_of(session.log, caller.token.seat.value), within, read(session, 0, within)

        def read(session: Session, after: int, within: LogRange) -> list[EncodedEntry]:
            return fill_page(exported(session.log, caller.eyes(session.combat), after, within.upto))

        header, within, first = await caller.run(begin)
        pages = _pages(caller, within, first, read)
        headers = {"content-disposition": f'attachment; filename="{caller.session}.jsonl"'}
        return Stream(_in_lines(pages, header), media_type=JSONL, headers=headers)


def _accepts_lines(headers: Headers) -> bool:
    accepted = headers.get("accept", "")
    return any(kind in accepted for kind in (JSONL, "application/x-ndjson", "application/x-jsonlines"))


# ------------------------------------------------------------------------------------------------ streams

Read = Callable[[Session, int, LogRange], list[EncodedEntry]]


async def _pages(
    caller: RequestCaller, within: LogRange, first: list[EncodedEntry], read: Read
) -> AsyncIterator[list[EncodedEntry]]:
    """Yields a range of the log page by page; a page is read only when the client has received the one before it."""
    entries = first
    while entries:
        yield entries
        after = entries[-1].seq
        if after >= within.upto:
            return
        entries = await caller.run(lambda session, after=after: read(session, after, within))  # type: ignore[misc]


async def _in_lines(pages: AsyncIterator[list[EncodedEntry]], header: bytes = b"") -> AsyncIterator[bytes]:
    if header:
        yield header + b"\n"
    async for entries in pages:
        yield b"".join(entry.json + b"\n" for entry in entries)


async def _in_an_array(pages: AsyncIterator[list[EncodedEntry]]) -> AsyncIterator[bytes]:
    before = b"["
    async for entries in pages:
        yield before + b",".join(entry.json for entry in entries)
        before = b","
    yield b"[]" if before == b"[" else b"]"
