"""Sessions: found one, list them, bring one in, hand out and revoke the tokens of its seats."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from ledger.commands import OpenSession
from ledger.entry import Who
from ledger.errors import KeyReused, NoSuchSession, SessionExists
from ledger.stores import Store
from replays.api.session import UNTITLED, Session
from replays.exports import jsonl
from replays.exports.listing import Summary, summaries
from replays.server.callers.callers import Seated, Sitting
from replays.server.callers.seat_token import only_gm
from replays.server.callers.tokens import Issued, Scope, check_seat
from replays.server.routes.common import SECURITY, VISIBLE, IdempotencyKey, Words, refusals
from replays.server.runtime.app_state import Desk
from replays.sessions import stored_records

Host = NamedDependency[Desk]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=VISIBLE)]


class NewSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A session to be founded."""

    ruleset: str
    title: Annotated[str, msgspec.Meta(max_length=200)] = ""
    profile: str = ""
    """The printing; left out, the ruleset's default."""
    options: dict[str, Any] = {}
    """Profile fields set differently for this session."""
    policies: dict[str, str] = {}
    """What the table agreed on."""
    source: Words = ""
    campaign: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """The campaign that the session belongs to; empty: none."""
    gamemaster: Name = "gm"
    players: tuple[Name, ...] = ()
    """Who gets a player's token at once."""


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to be handed out."""

    seat: Scope
    name: Name
    combatants: tuple[str, ...] | None = None
    """Of the player's combatants only these; left out, all that the log gives them."""


class Founded(msgspec.Struct, frozen=True):
    """A session, and the tokens of its seats."""

    session: str
    tokens: tuple[Issued, ...]


class Known(msgspec.Struct, frozen=True):
    """A token that was handed out, without what makes it one."""

    id: str
    seat: Scope
    name: str
    combatants: tuple[str, ...] | None
    revoked: bool


class Sessions(Controller):
    """Founding and listing; for whoever runs the server."""

    path = "/v1/sessions"
    tags = ("Sessions",)
    security = SECURITY

    @post("/", operation_id="foundSession", responses=refusals(401, 403, 404, 409, 413, 422))
    async def found(self, host: Host, data: JSONBody[NewSession], key: IdempotencyKey = None) -> Founded:
        """Found a session.

        Its seats' tokens are in the answer and shown only there: the gamemaster's, a spectator's, one for each player.
        With an `Idempotency-Key` a repeat finds the same session, and hands out new tokens.
        """
        return await host.run(lambda: _found(host, data, key))

    @get("/", operation_id="listSessions", responses=refusals(401, 403, 404))
    async def listed(
        self,
        host: Host,
        after: Annotated[str, QueryParameter(name="after", description="Sessions founded after this one.")] = "",
        limit: Annotated[int, QueryParameter(name="limit", ge=1, le=1000, description="So many at most.")] = 100,
    ) -> list[Summary]:
        """The sessions in the order in which they were founded."""
        return await host.run(lambda: list(summaries(host.store, after, limit)))

    @post(
        "/import",
        operation_id="importSession",
        responses=refusals(401, 403, 409, 413, 422),
    )
    async def bring_in(self, host: Host, request: Request[Any, Any, Any]) -> Founded:
        """Bring in a session that was exported for the gamemaster: JSON lines, as `GET …/export` answers them.

        A long one needs a server that takes long bodies (`affray serve --body`).
        """
        raw = await request.body()
        return await host.run(lambda: _brought_in(host, raw))


class Seats(Controller):
    """The tokens of a session's seats; for its gamemaster, and for whoever runs the server."""

    path = "/v1/sessions/{session:str}/tokens"
    tags = ("Seats",)
    security = SECURITY

    @get("/", operation_id="listTokens", responses=refusals(401, 403, 404))
    async def listed(self, sitting: Seated) -> list[Known]:
        """The tokens that were handed out, and which were revoked."""
        only_gm(sitting.token)
        return await sitting.desk.run(lambda: _known(sitting))

    @post("/", operation_id="issueToken", responses=refusals(401, 403, 404, 413, 422))
    async def issue(self, sitting: Seated, data: JSONBody[NewToken]) -> Issued:
        """Hand out a token. It is shown only in this answer."""
        only_gm(sitting.token)
        return await sitting.desk.run(lambda: _issued(sitting, data))

    @delete("/{token:str}", operation_id="revokeToken", responses=refusals(401, 403, 404))
    async def revoke(self, sitting: Seated, token: FromPath[str]) -> None:
        """Revoke a token, for good. Whoever reads live by it is cut off."""
        only_gm(sitting.token)
        await sitting.desk.run(lambda: _revoked(sitting, token))
        sitting.desk.feed.ring((sitting.session,))


# ------------------------------------------------------------------------------------------------ founding


def _found(desk: Desk, new: NewSession, key: str | None) -> Founded:
    check_seat(Scope.GM, new.gamemaster)
    for player in new.players:
        check_seat(Scope.PLAYER, player)
    session = _session_for(desk, key) if key is not None else None
    by = Who(new.gamemaster)
    try:
        opened = Session.create(
            desk.store, ruleset=new.ruleset, title=new.title, profile=new.profile, options=new.options,
            policies=new.policies, source=new.source, campaign=new.campaign, by=by, session=session,
        ).id  # fmt: skip
    except SessionExists:
        assert session is not None, "a new id is there already"
        _check_same(desk.store, session, new, by)
        opened = session
    return Founded(opened, tuple(_seated(desk, opened, new.gamemaster, new.players)))


def _session_for(desk: Desk, key: str) -> str:
    """Returns the id of the session that was founded under an idempotency key, or that is to be."""
    names = desk.tokens.signer.sessions_for(key)
    return next((name for name in names if _is_there(desk.store, name)), names[0])


def _is_there(store: Store, session: str) -> bool:
    try:
        store.head(session)
    except NoSuchSession:
        return False
    return True


def _check_same(store: Store, session: str, new: NewSession, by: Who) -> None:
    first = stored_records.first(store, session)
    title = new.title or UNTITLED
    asked = OpenSession(title, new.ruleset, new.profile, new.options, new.policies, "", new.source, new.campaign)
    written = first.command
    if not (
        isinstance(written, OpenSession)
        and first.by == by
        and msgspec.structs.replace(written, dice_commitment="") == asked
    ):
        raise KeyReused("the key belongs to another session", where="Idempotency-Key", accepts="a new key")


def _seated(desk: Desk, session: str, gamemaster: str, players: Sequence[str]) -> list[Issued]:
    seats = [(Scope.GM, gamemaster), (Scope.SPECTATOR, "spectator"), *((Scope.PLAYER, name) for name in players)]
    return [desk.tokens.issue(session, seat, name) for seat, name in dict.fromkeys(seats)]


def _brought_in(desk: Desk, raw: bytes) -> Founded:
    header = jsonl.bring_in([line for line in raw.splitlines() if line.strip()], desk.store)
    first = stored_records.first(desk.store, header.session)
    return Founded(header.session, tuple(_seated(desk, header.session, first.by.name, ())))


# ------------------------------------------------------------------------------------------------ tokens


def _known(sitting: Sitting) -> list[Known]:
    tokens = sitting.desk.tokens
    tokens.check(sitting.token)
    return [
        Known(token.id, token.seat, token.name, token.combatants, revoked)
        for token, revoked in tokens.issued(sitting.session)
    ]


def _issued(sitting: Sitting, new: NewToken) -> Issued:
    tokens = sitting.desk.tokens
    tokens.check(sitting.token)
    return tokens.issue(sitting.session, new.seat, new.name, new.combatants)


def _revoked(sitting: Sitting, token: str) -> None:
    tokens = sitting.desk.tokens
    tokens.check(sitting.token)
    tokens.revoke(sitting.session, token)
