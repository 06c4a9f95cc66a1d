"""Routes that play a session: state, open rolls and choices, options, commands, undo and redo."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from ledger.bounds import Viewers
from ledger.commands import AnyCommand, Choose, Command, Declare, DrawDice, TypeDice
from ledger.entry import Entry
from ledger.requests.command_checks import check_command
from machines.engine.options import Possibility
from projections.views.document import State
from replays.api.session import Session
from replays.exports import documents
from replays.server.callers.callers import InjectedCaller, RequestCaller
from replays.server.callers.tokens import Scope
from replays.server.routes.common import (
    SECURITY,
    At,
    IdempotencyKey,
    IfMatch,
    Reason,
    Words,
    expected,
    refusals,
    tagged,
)
from replays.views.state_document import rests

_PLAY = (Declare, Choose, TypeDice, DrawDice)
"""Commands that are decided from the state alone; others may have to search the log, which takes longer."""


class Performed(msgspec.Struct, frozen=True):
    """The entries that were written for a command."""

    entries: tuple[documents.EntryDocument, ...]
    """The entry of the command first, then those of commands that were performed anew after it."""
    last: int
    """The number of the log's last entry."""
    head: int
    """The last entry that stands."""
    rests: tuple[dict[str, Any], ...]
    """The rolls and choices that the table is waiting for now."""


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far to go back, and why."""

    span: Literal["step", "exchange", "turn", "round"] = "step"
    to: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)] | None = None
    """The entry that is to be the last that stands; instead of a span."""
    why: Reason
    seen_by: Viewers = None
    """Who may see the reason; by default all who see anything of what is undone."""


class Redo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Reverts the latest undo."""

    why: Words = ""
    seen_by: Viewers = None
    """Who may see the reason; by default all who see anything of what stands after the redo."""


class PlayingRoutes(Controller):
    """Plays a session."""

    path = "/v1/sessions/{session:str}"
    tags = ("Playing",)
    security = SECURITY

    @get("/state", operation_id="getState", responses=refusals(401, 403, 404))
    async def state(self, caller: InjectedCaller, at: At = None) -> Response[State]:
        """Returns the state that the seat may see, now or after a given entry."""
        state = await caller.run(lambda session: session.state(at, caller.eyes(session.combat)))
        return tagged(state, state.entries)

    @get("/rests", operation_id="getRests", responses=refusals(401, 403, 404))
    async def rests(self, caller: InjectedCaller) -> list[dict[str, Any]]:
        """Returns the rolls and choices that the table is waiting for."""
        return list(await caller.run(lambda session: rests(session.seen(caller.eyes(session.combat)))))

    @get("/options", operation_id="getOptions", responses=refusals(401, 403, 404))
    async def options(self, caller: InjectedCaller) -> list[Possibility]:
        """Returns what is legal now, with the numbers, and what is not, with the reason.

        A player gets the options of that player's combatants, a spectator gets none.
        """
        return list(await caller.run(lambda session: session.options(caller.eyes(session.combat))))

    @post("/commands", operation_id="perform", responses=refusals(401, 403, 404, 409, 413, 422))
    async def perform(
        self, caller: InjectedCaller, data: JSONBody[AnyCommand], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Performs a command: the rules decide it, and the response has the entries that were written durably."""
        known = expected(match)
        check_command(caller.who, data)  # fields that are ignored for this caller are checked too

        def work(session: Session) -> Performed:
            command, only = _accepted(data, caller), caller.token.combatants
            written = session.perform_all(command, by=caller.who, expected=known, batch=key, only=only)
            return _performed(session, caller, written)

        performed = await caller.run(work, quickly=isinstance(data, _PLAY))
        return tagged(performed, performed.last)

    @post("/undo", operation_id="undo", responses=refusals(401, 403, 404, 409, 413, 422))
    async def undo(
        self, caller: InjectedCaller, data: JSONBody[Undo], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Undoes the latest step, exchange, turn or round, or all that follows an entry; nothing is erased."""
        options = _options(caller, data, match, key)

        def work(session: Session) -> Performed:
            entry = session.undo(data.span, **options) if data.to is None else session.rewind(data.to, **options)
            return _performed(session, caller, [entry])

        performed = await caller.run(work)
        return tagged(performed, performed.last)

    @post("/redo", operation_id="redo", responses=refusals(401, 403, 404, 409, 413, 422))
    async def redo(
        self, caller: InjectedCaller, data: JSONBody[Redo], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Reverts the latest undo, as long as nothing new was decided since."""
        options = _options(caller, data, match, key)
        performed = await caller.run(lambda session: _performed(session, caller, [session.redo(**options)]))
        return tagged(performed, performed.last)


def _options(caller: RequestCaller, data: Undo | Redo, match: str | None, key: str | None) -> dict[str, Any]:
    return {"why": data.why, "seen_by": data.seen_by, "by": caller.who, "expected": expected(match), "batch": key}


def _accepted(command: Command, caller: RequestCaller) -> Command:
    """Returns the command without what this caller may not state: only the gamemaster may state faces' provenance."""
    if isinstance(command, TypeDice) and caller.token.seat is not Scope.GM:
        command = msgspec.structs.replace(command, provenance=())
    return command


def _performed(session: Session, caller: RequestCaller, entries: list[Entry]) -> Performed:
    eyes = caller.eyes(session.combat)
    documented = tuple(caller.entry_document(session, entry, eyes) for entry in entries)
    return Performed(documented, session.log.last, session.log.head, rests(session.seen(eyes)))
