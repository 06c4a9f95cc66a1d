"""Routes that amend old entries, preview amendments, and answer what-if questions."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, post
from litestar.params import JSONBody

from ledger.bounds import Viewers
from replays.api.branching import MOST
from replays.api.session import Session
from replays.corrections.change import Change, EntryChange, Which
from replays.corrections.diff import Report
from replays.exports import documents
from replays.exports.theatre.branch import BranchLine
from replays.server.callers.callers import InjectedCaller
from replays.server.routes.common import (
    READS,
    SECURITY,
    EntryNumber,
    IdempotencyKey,
    IfMatch,
    Number,
    Reason,
    Words,
    expected,
    refusals,
    tagged,
)
from replays.server.runtime.questions.of_sessions import BranchOf, PreviewOf, WhatIfOf

_REFUSALS = refusals(401, 403, 404, 409, 413, 422)


class Considered(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction to be previewed."""

    entry: Which
    """The number of the entry; or the key of a roll or an exchange, or a shorthand of such a key."""
    change: Change
    why: Words = ""
    consent: bool = False
    """Whether the current rules may decide the later entries even where they decide differently than recorded."""


class BranchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A branch that is asked for."""

    changes: Annotated[tuple[EntryChange, ...], msgspec.Meta(max_length=MOST)] = ()
    """The changes, each on top of the one before; none for the line that stands."""
    upto: EntryNumber | None = None
    """The last entry of the record that the branch is based on; by default the last of all."""
    since: EntryNumber | None = None
    """The entry of the record that the steps begin with; by default, and at the latest, the first changed."""
    after: Number = 0
    """The number of the step before the first one that is returned; 0 for all."""


class AmendRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction to be written."""

    entry: Which
    change: Change
    why: Reason
    seen_by: Viewers = None
    """Who may see the reason; by default all who may see the corrected entry."""
    consent: bool = False


class Written(msgspec.Struct, frozen=True):
    """A correction that was written."""

    report: Report
    entries: tuple[documents.EntryDocument, ...]
    last: int


class Correcting(Controller):
    """Amends a session; for the gamemaster."""

    path = "/v1/sessions/{session:str}"
    tags = ("Correcting",)
    security = SECURITY

    @post("/amend", operation_id="amend", responses=_REFUSALS)
    async def amend(
        self, caller: InjectedCaller, data: JSONBody[AmendRequest], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Written]:
        """Amends an old entry and decides all later entries anew, with the same dice, in one append."""
        options: dict[str, Any] = {"seen_by": data.seen_by, "by": caller.who, "expected": expected(match), "batch": key}

        def work(session: Session) -> Written:
            done = session.amend(data.entry, data.change, why=data.why, consent=data.consent, **options)
            eyes = caller.eyes(session.combat)
            entries = tuple(caller.entry_document(session, entry, eyes) for entry in done.entries)
            return Written(done.report, entries, session.log.last)

        written = await caller.run(work)
        return tagged(written, written.last)

    @post("/amend/preview", operation_id="previewAmend", status_code=200, responses=_REFUSALS, **READS)
    async def preview(self, caller: InjectedCaller, data: JSONBody[Considered]) -> Response[Report]:
        """Returns what an amendment would change, without writing it.

        The report lists changed outcomes first, then changed figures, rolls and choices that need a person, and
        entries that would be set aside. No dice are drawn for it: an inserted `draw` is refused as `amend/draws`.
        """
        return await caller.ask(PreviewOf(data.entry, data.change, data.why, data.consent))

    @post("/what-if", operation_id="whatIf", status_code=200, responses=_REFUSALS, **READS)
    async def what_if(self, caller: InjectedCaller, data: JSONBody[Considered]) -> Response[Report]:
        """Returns what would have followed if an entry had been different; it is never written."""
        return await caller.ask(WhatIfOf(data.entry, data.change))

    @post("/branches", operation_id="branch", status_code=200, responses=_REFUSALS, **READS)
    async def branch(self, caller: InjectedCaller, data: JSONBody[BranchRequest]) -> Response[BranchLine]:
        """Returns the line that some changes lead to, each on top of the one before; it is never written.

        Its entries are in sentences, with the state at its end, and with the report of the last change against the
        branch before it. Without a change it is the line that stands. Equal requests have equal answers. The steps also
        end after some 256 kB, and then `is_whole` is false: ask again with `after`.
        """
        return await caller.ask(BranchOf(data.changes, data.upto, data.since, data.after))
