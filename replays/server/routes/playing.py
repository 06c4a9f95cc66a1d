"""Playing: what is so, what the table waits for, what is legal; commands; undo and redo."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from ledger.asking import check_command
from ledger.bounds import Viewers
from ledger.commands import AnyCommand, Choose, Command, Declare, DrawDice, TypeDice
from ledger.entry import Entry
from machines.engine.options import Possibility
from projections.views.document import State
from replays.api.session import Session
from replays.exports import documents
from replays.server.callers.callers import Seated, Sitting
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
from replays.sessions.wording import rests

_PLAY = (Declare, Choose, TypeDice, DrawDice)
"""Decided on what is so; for the others it may be that the log is looked through."""


class Performed(msgspec.Struct, frozen=True):
    """What was written for a command."""

    entries: tuple[documents.Told, ...]
    """The command's own first, then what was performed again behind it."""
    last: int
    """The number of the log's last entry."""
    head: int
    """The last entry that stands."""
    rests: tuple[dict[str, Any], ...]
    """What the table waits for now."""


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far back, and why."""

    span: Literal["step", "exchange", "turn", "round"] = "step"
    to: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)] | None = None
    """The entry that is to be the last that stands; instead of a span."""
    why: Reason
    seen_by: Viewers = None
    """Who may see the reason; left out, who sees anything of what is taken back."""


class Redo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The latest undo, taken back."""

    why: Words = ""
    seen_by: Viewers = None
    """Who may see the reason; left out, who sees anything of what stands again."""


class Playing(Controller):
    """A session, played."""

    path = "/v1/sessions/{session:str}"
    tags = ("Playing",)
    security = SECURITY

    @get("/state", operation_id="getState", responses=refusals(401, 403, 404))
    async def state(self, sitting: Seated, at: At = None) -> Response[State]:
        """What is so, or was when an entry had been appended; each seat sees its own."""
        found = await sitting.run(lambda session: session.state(at, sitting.eyes(session.combat)))
        return tagged(found, found.entries)

    @get("/rests", operation_id="getRests", responses=refusals(401, 403, 404))
    async def rests(self, sitting: Seated) -> list[dict[str, Any]]:
        """The rolls and choices that the table waits for."""
        return list(await sitting.run(lambda session: rests(session.seen(sitting.eyes(session.combat)))))

    @get("/options", operation_id="getOptions", responses=refusals(401, 403, 404))
    async def options(self, sitting: Seated) -> list[Possibility]:
        """What is legal now, with the numbers, and why another thing is not; a player's own, a spectator's none."""
        return list(await sitting.run(lambda session: session.options(sitting.eyes(session.combat))))

    @post("/commands", operation_id="perform", responses=refusals(401, 403, 404, 409, 413, 422))
    async def perform(
        self, sitting: Seated, data: JSONBody[AnyCommand], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Ask for something. It is decided by the rules, written down durably, and answered with all that followed."""
        known = expected(match)
        check_command(sitting.who, data)  # also what is not taken from a caller has its bounds

        def work(session: Session) -> Performed:
            command, only = _given(data, sitting), sitting.token.combatants
            written = session.perform_all(command, by=sitting.who, expected=known, batch=key, only=only)
            return _performed(session, sitting, written)

        found = await sitting.run(work, quickly=isinstance(data, _PLAY))
        return tagged(found, found.last)

    @post("/undo", operation_id="undo", responses=refusals(401, 403, 404, 409, 413, 422))
    async def undo(
        self, sitting: Seated, data: JSONBody[Undo], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Take the latest step, exchange, turn or round back, or all that came after an entry. Nothing is erased."""
        asked = _asked(sitting, data, match, key)

        def work(session: Session) -> Performed:
            back = session.undo(data.span, **asked) if data.to is None else session.rewind(data.to, **asked)
            return _performed(session, sitting, [back])

        found = await sitting.run(work)
        return tagged(found, found.last)

    @post("/redo", operation_id="redo", responses=refusals(401, 403, 404, 409, 413, 422))
    async def redo(
        self, sitting: Seated, data: JSONBody[Redo], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[Performed]:
        """Take the latest undo back, while nothing new was decided."""
        asked = _asked(sitting, data, match, key)
        found = await sitting.run(lambda session: _performed(session, sitting, [session.redo(**asked)]))
        return tagged(found, found.last)


def _asked(sitting: Sitting, data: Undo | Redo, match: str | None, key: str | None) -> dict[str, Any]:
    return {"why": data.why, "seen_by": data.seen_by, "by": sitting.who, "expected": expected(match), "batch": key}


def _given(command: Command, sitting: Sitting) -> Command:
    """A command as a caller may give it: a player's faces were typed."""
    if isinstance(command, TypeDice) and sitting.token.seat is not Scope.GM:
        command = msgspec.structs.replace(command, provenance=())
    return command


def _performed(session: Session, sitting: Sitting, entries: list[Entry]) -> Performed:
    eyes = sitting.eyes(session.combat)
    told = tuple(sitting.told(session, entry, eyes) for entry in entries)
    return Performed(told, session.log.last, session.log.head, rests(session.seen(eyes)))
