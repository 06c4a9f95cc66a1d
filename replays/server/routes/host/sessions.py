"""Routes that create, list and import sessions."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Request, get, post
from litestar.params import JSONBody, QueryParameter

from ledger.commands import OpenSession
from ledger.entry import Who
from ledger.errors import KeyReused, NoSuchSession, SessionExists
from ledger.stores import Store
from replays.api.session import UNTITLED, Session
from replays.exports import jsonl
from replays.exports.listing import IS_ARCHIVED, IS_OPEN, Summary, Wanted, summaries
from replays.server.callers.callers import InjectedHost
from replays.server.callers.tokens import Issued, Scope, check_seat
from replays.server.routes.common import SECURITY, IdempotencyKey, Lifetime, Name, Words, refusals
from replays.server.runtime.app_state import AppState
from replays.sessions.record import stored_records

_AFTER = "The sessions after this one, in that order: the last of the page before."


class NewSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A session to be created."""

    ruleset: str
    title: Annotated[str, msgspec.Meta(max_length=200)] = ""
    profile: str = ""
    """The printing of the rules; by default the ruleset's default profile."""
    options: dict[str, Any] = {}
    """Fields of the profile that are set differently for this session."""
    policies: dict[str, str] = {}
    """The policies that the table agreed on."""
    source: Words = ""
    campaign: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """The campaign that the session belongs to; empty for none."""
    gamemaster: Name = "gm"
    players: tuple[Name, ...] = ()
    """The names of players who get tokens at once."""
    tokens_expire_in: Lifetime | None = None
    """The seconds after which the tokens of the session expire, unless they are renewed; absent: never."""


class Founded(msgspec.Struct, frozen=True):
    """A created or imported session, with the tokens of its seats."""

    session: str
    tokens: tuple[Issued, ...]


class Sessions(Controller):
    """Creates, lists and imports sessions; for the host."""

    path = "/v1/sessions"
    tags = ("Sessions",)
    security = SECURITY

    @post("/", operation_id="foundSession", responses=refusals(401, 403, 404, 413, 422))
    async def create(self, host: InjectedHost, data: JSONBody[NewSession], key: IdempotencyKey = None) -> Founded:
        """Creates a session.

        The response has the tokens of its seats, for the gamemaster, a spectator and each player; they are shown only
        there. A repeat with the same `Idempotency-Key` returns the same session with new tokens.
        """
        return await host.run(lambda: _created(host, data, key))

    @get("/", operation_id="listSessions", responses=refusals(401, 403, 404))
    async def listed(
        self,
        host: InjectedHost,
        *,
        after: Annotated[str, QueryParameter(name="after", description=_AFTER)] = "",
        limit: Annotated[int, QueryParameter(name="limit", ge=1, le=1000, description="At most so many.")] = 100,
        order: Annotated[
            Literal["newest", "oldest"], QueryParameter(name="order", description="Which session comes first.")
        ] = "newest",
        title: Annotated[str, QueryParameter(name="title", description="A part of the title, in any case.")] = "",
        player: Annotated[str, QueryParameter(name="player", description="Who plays a combatant, in any case.")] = "",
        ruleset: Annotated[str, QueryParameter(name="ruleset", description="The ruleset.")] = "",
        campaign: Annotated[str, QueryParameter(name="campaign", description="The campaign, in any case.")] = "",
        progress: Annotated[
            Literal["open", "closed", "any"], QueryParameter(name="state", description="Open or closed.")
        ] = "any",
        archived: Annotated[
            Literal["no", "only", "any"], QueryParameter(name="archived", description="Archived ones.")
        ] = "no",
    ) -> list[Summary]:
        """Lists the sessions that fit, the newest first; archived ones only where they are asked for.

        The next page begins after the last session of this one; a page with fewer sessions than its limit is the last.
        """
        wanted = Wanted(title, player, ruleset, campaign, IS_OPEN[progress], IS_ARCHIVED[archived])
        newest = order == "newest"
        return await host.run_list(
            lambda: list(summaries(host.store, after, limit, wanted, newest_first=newest, known=host.summaries))
        )

    @post(
        "/import",
        operation_id="importSession",
        responses=refusals(401, 403, 409, 413, 422),
    )
    async def import_session(self, host: InjectedHost, request: Request[Any, Any, Any]) -> Founded:
        """Imports a session that was exported for the gamemaster: JSON lines, as returned by `GET …/export`.

        A long session needs a server that accepts long bodies (`affray serve --body`).
        """
        raw = await request.body()
        return await host.run(lambda: _imported(host, raw))


# ------------------------------------------------------------------------------------------------ creating


def _created(app_state: AppState, new: NewSession, key: str | None) -> Founded:
    """Creates a session with its seats, or returns the one of an earlier request with the same key."""
    check_seat(Scope.GM, new.gamemaster)
    for player in new.players:
        check_seat(Scope.PLAYER, player)
    session = _session_for(app_state, key) if key is not None else None
    by = Who(new.gamemaster)
    try:
        opened = Session.create(
            app_state.store, ruleset=new.ruleset, title=new.title, profile=new.profile, options=new.options,
            policies=new.policies, source=new.source, campaign=new.campaign, by=by, session=session,
        ).id  # fmt: skip
    except SessionExists:
        assert session is not None, "the id of a new session is unique"
        _check_same(app_state.store, session, new, by)
        opened = session
    return Founded(opened, tuple(_seated(app_state, opened, new.gamemaster, new.players, new.tokens_expire_in)))


def _session_for(app_state: AppState, key: str) -> str:
    """Returns the id of the session that was created under an idempotency key, or the id that it will have."""
    names = app_state.tokens.signer.sessions_for(key)
    return next((name for name in names if _exists(app_state.store, name)), names[0])


def _exists(store: Store, session: str) -> bool:
    try:
        store.head(session)
    except NoSuchSession:
        return False
    return True


def _check_same(store: Store, session: str, new: NewSession, by: Who) -> None:
    """Rejects an idempotency key that was used for a session with other settings."""
    first = stored_records.first(store, session)
    title = new.title or UNTITLED
    requested = OpenSession(title, new.ruleset, new.profile, new.options, new.policies, "", new.source, new.campaign)
    written = first.command
    if not (
        isinstance(written, OpenSession)
        and first.by == by
        and msgspec.structs.replace(written, dice_commitment="") == requested
    ):
        message = "the key was used for another session"
        raise KeyReused(message, where="Idempotency-Key", accepts="a new key")


def _seated(
    app_state: AppState, session: str, gamemaster: str, players: Sequence[str], lifetime: int | None = None
) -> list[Issued]:
    """Issues the tokens of the seats of a new session."""
    seats = [(Scope.GM, gamemaster), (Scope.SPECTATOR, "spectator"), *((Scope.PLAYER, name) for name in players)]
    return [app_state.tokens.issue(session, seat, name, lifetime=lifetime) for seat, name in dict.fromkeys(seats)]


def _imported(app_state: AppState, raw: bytes) -> Founded:
    """Imports an exported session, with tokens for its gamemaster and a spectator."""
    header = jsonl.bring_in([line for line in raw.splitlines() if line.strip()], app_state.store)
    first = stored_records.first(app_state.store, header.session)
    return Founded(header.session, tuple(_seated(app_state, header.session, first.by.name, ())))
