"""Correcting: an old entry as it should have been, looked at first, then written; and what would have been."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, post
from litestar.params import JSONBody

from ledger.bounds import Viewers
from replays.api.session import Session
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.exports import documents
from replays.server.callers.callers import Seated
from replays.server.routes.common import (
    READS,
    SECURITY,
    IdempotencyKey,
    IfMatch,
    Reason,
    Words,
    expected,
    refusals,
    tagged,
)
from replays.server.runtime.questions import PreviewOf, WhatIfOf

Which = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)] | Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


_REFUSALS = refusals(401, 403, 404, 409, 413, 422)


class Considered(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction to be looked at."""

    entry: Which
    """Its number; or the key of a roll or an exchange, or a shorthand of one."""
    change: Change
    why: Words = ""
    consent: bool = False
    """May today's rules decide what followed, even where they decide it otherwise than then?"""


class Amended(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction to be written."""

    entry: Which
    change: Change
    why: Reason
    seen_by: Viewers = None
    """Who may see what is said of it; left out, who may see what is corrected."""
    consent: bool = False


class Written(msgspec.Struct, frozen=True):
    """A correction that was written."""

    report: Report
    entries: tuple[documents.Told, ...]
    last: int


class Correcting(Controller):
    """A session, corrected; for the gamemaster."""

    path = "/v1/sessions/{session:str}"
    tags = ("Correcting",)
    security = SECURITY

    @post("/amend", operation_id="amend", responses=_REFUSALS)
    async def amend(
        self, sitting: Seated, data: JSONBody[Amended], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Written]:
        """Correct an old entry: every die stays as it lies, all that followed is decided again, in one append."""
        asked: dict[str, Any] = {"seen_by": data.seen_by, "by": sitting.who, "expected": expected(match), "batch": key}

        def work(session: Session) -> Written:
            done = session.amend(data.entry, data.change, why=data.why, consent=data.consent, **asked)
            eyes = sitting.eyes(session.combat)
            told = tuple(sitting.told(session, entry, eyes) for entry in done.entries)
            return Written(done.report, told, session.log.last)

        found = await sitting.run(work)
        return tagged(found, found.last)

    @post("/amend/preview", operation_id="previewAmend", status_code=200, responses=_REFUSALS, **READS)
    async def preview(self, sitting: Seated, data: JSONBody[Considered]) -> Response[Report]:
        """What an amendment would come to: flips first, figures, what needs a person, what is set aside.

        No die is drawn for it: an inserted `draw` is refused as `amend/draws`.
        """
        return await sitting.study(PreviewOf(data.entry, data.change, data.why, data.consent))

    @post("/what-if", operation_id="whatIf", status_code=200, responses=_REFUSALS, **READS)
    async def what_if(self, sitting: Seated, data: JSONBody[Considered]) -> Response[Report]:
        """What would have come of something else: never written, and it says so."""
        return await sitting.study(WhatIfOf(data.entry, data.change))
