"""Routes that play a session: state, open rolls and choices, options, commands, undo and redo."""

from typing import Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from ledger.bounds import Viewers
from ledger.commands import AnyCommand
from machines.engine.options import Possibility
from projections.views.document import OpenRest, State
from replays.api.session import Session
from replays.server.callers.callers import InjectedCaller, RequestCaller
from replays.server.routes.common import (
    SECURITY,
    At,
    EntryNumber,
    IdempotencyKey,
    IfMatch,
    Reason,
    Words,
    expected,
    refusals,
    tagged,
)
from replays.server.routes.direct_commands import direct_commands
from replays.server.routes.performing import Performed, perform_command, performed
from replays.views.state_document import rests


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far to go back, and why."""

    span: Literal["step", "exchange", "turn", "round"] = "step"
    to: EntryNumber | None = None
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
    async def rests(self, caller: InjectedCaller) -> list[OpenRest]:
        """Returns the rolls and choices that the table is waiting for."""
        return list(await caller.run(lambda session: rests(session.seen(caller.eyes(session.combat)))))

    @get("/options", operation_id="getOptions", responses=refusals(401, 403, 404))
    async def options(self, caller: InjectedCaller) -> list[Possibility]:
        """Returns what is legal now, with the numbers, and what is not, with the reason.

        A player gets the options of that player's combatants, a spectator gets none.
        """
        return list(await caller.run(lambda session: session.options(caller.eyes(session.combat))))

    @post(
        "/commands", operation_id="perform", responses=refusals(401, 403, 404, 409, 413, 422),
        middleware=[direct_commands],
    )  # fmt: skip
    async def perform(
        self,
        caller: InjectedCaller,
        data: JSONBody[AnyCommand | list[AnyCommand]],
        match: IfMatch = None,
        key: IdempotencyKey = None,
    ) -> Response[Performed]:
        """Performs a command, or a list of commands, all or none: the rules decide, and what was written is durable.

        The key of a roll or choice may be a shorthand, with `If-Match` or `Idempotency-Key`; the answer has it whole.
        """
        written = await perform_command(caller, data, match, key)
        return tagged(written, written.last)

    @post("/undo", operation_id="undo", responses=refusals(401, 403, 404, 409, 413, 422))
    async def undo(
        self, caller: InjectedCaller, data: JSONBody[Undo], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Undoes the latest step, exchange, turn or round, or all that follows an entry; nothing is erased."""
        options = _options(caller, data, match, key)

        def work(session: Session) -> Performed:
            entry = session.undo(data.span, **options) if data.to is None else session.rewind(data.to, **options)
            return performed(session, caller, [entry])

        written = await caller.run(work)
        return tagged(written, written.last)

    @post("/redo", operation_id="redo", responses=refusals(401, 403, 404, 409, 413, 422))
    async def redo(
        self, caller: InjectedCaller, data: JSONBody[Redo], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Reverts the latest undo, as long as nothing new was decided since."""
        options = _options(caller, data, match, key)
        written = await caller.run(lambda session: performed(session, caller, [session.redo(**options)]))
        return tagged(written, written.last)


def _options(caller: RequestCaller, data: Undo | Redo, match: str | None, key: str | None) -> dict[str, Any]:
    return {"why": data.why, "seen_by": data.seen_by, "by": caller.who, "expected": expected(match), "batch": key}
