"""Reading: the log, why a number is what it is, odds, luck, audit, disputes, export. Nothing is written."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.datastructures import Headers
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from ledger.commands import Declare
from replays import plain
from replays.audit import Audit
from replays.challenges import Disputed
from replays.disputes import Dispute
from replays.server.feed import PAGE
from replays.server.routes.common import JSON, JSONL, LAST, SECURITY, After, refusals
from replays.server.sitting import Asked, Seated, Sitting
from replays.session import Session
from replays.why import Why

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

        With `Accept: application/jsonl` all entries come as a stream, a line each.
        """
        if _wants_lines(request.headers):
            first = await sitting.run(lambda session: sitting.frames(session, after))
            return Stream(_streamed(sitting, first), media_type=JSONL)
        found = await sitting.run(lambda session: _told(session, sitting, after, limit))
        return Response(found, media_type=JSON)

    @get("/why", operation_id="explain", responses=refusals(401, 403, 404, 422))
    async def why(
        self,
        sitting: Seated,
        of: Annotated[
            str, QueryParameter(name="of", min_length=1, max_length=500, description="A key, or `who.what`.")
        ],
    ) -> Why:
        """Why a number is what it is: each part with its reason, its page, the entry and the person."""
        return await sitting.study(
            lambda session: session.why(sitting.veil(session).masked(of), sitting.eyes(session.combat))
        )

    @post("/odds", operation_id="odds", status_code=200, responses=refusals(401, 403, 404, 413, 422))
    async def odds(self, sitting: Seated, data: JSONBody[OddsAsked]) -> dict[str, Any]:
        """What may come of an open roll or of a declaration, and how likely each of it is; never written."""

        def work(session: Session) -> dict[str, Any]:
            eyes, veil = sitting.eyes(session.combat), sitting.veil(session)
            key = None if data.key is None else veil.masked(data.key)
            declare = None if data.declare is None else veil.command(data.declare)
            choices = {veil.masked(each): option for each, option in data.choices.items()}
            said = session.odds(key, declare=declare, choices=choices, seed=data.seed, eyes=eyes)
            return {"what_if": True, **plain.chances(said)}

        return await sitting.study(work)

    @get("/luck", operation_id="luck", responses=refusals(401, 403, 404, 422))
    async def luck(self, sitting: Seated) -> dict[str, Any]:
        """What the dice showed beside what was expected of them."""
        found: dict[str, Any] = await sitting.study(
            lambda session: plain.chances(session.luck(sitting.eyes(session.combat)))
        )
        return found

    @get("/audit", operation_id="audit", responses=refusals(401, 403, 404))
    async def audit(self, sitting: Seated, head: Head = None) -> Audit:
        """Is the record whole, are the dice honest, what did people decide beside the rules?"""
        return await sitting.study(lambda session: session.audit(head and head.lower(), sitting.eyes(session.combat)))

    @get("/disputes", operation_id="listDisputes", responses=refusals(401, 403, 404))
    async def disputes(self, sitting: Seated) -> list[Disputed]:
        """The disputes, open and settled; they are opened and settled by commands."""
        return await sitting.study(lambda session: list(session.disputes(sitting.eyes(session.combat))))

    @get("/disputes/{dispute:str}", operation_id="getDispute", responses=refusals(401, 403, 404))
    async def dispute(self, sitting: Seated, dispute: FromPath[str]) -> Dispute:
        """One dispute with its evidence, and what would come of the claim."""
        return await sitting.study(lambda session: session.dispute(dispute, sitting.eyes(session.combat)))

    @get("/export", operation_id="export", media_type=JSONL, responses=refusals(401, 403, 404))
    async def export(self, sitting: Seated) -> Response[bytes]:
        """The session as JSON lines, header first; what the seat may not see is left out, and the chain still holds."""

        def work(session: Session) -> bytes:
            seat, eyes = sitting.token.seat.value, sitting.eyes(session.combat)
            return b"".join(line + b"\n" for line in session.export(eyes, seat))

        headers = {"content-disposition": f'attachment; filename="{sitting.session}.jsonl"'}
        return Response(await sitting.study(work), media_type=JSONL, headers=headers)


def _wants_lines(headers: Headers) -> bool:
    accepted = headers.get("accept", "")
    return any(kind in accepted for kind in (JSONL, "application/x-ndjson", "application/x-jsonlines"))


def _told(session: Session, sitting: Sitting, after: int, limit: int) -> list[plain.Told]:
    eyes = sitting.eyes(session.combat)
    return [sitting.told(session, entry, eyes) for entry in session.entries(after, after + limit)]


async def _streamed(sitting: Sitting, frames: "list[Any]") -> AsyncIterator[bytes]:
    while frames:
        yield b"".join(frame.told + b"\n" for frame in frames)
        if len(frames) < PAGE:
            return
        after = frames[-1].seq
        frames = await sitting.run(lambda session, after=after: sitting.frames(session, after))  # type: ignore[misc]
