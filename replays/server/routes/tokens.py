"""Routes that list, issue, renew and revoke the tokens of a session's seats."""

from typing import Any

import msgspec
from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State as LitestarState
from litestar.params import FromPath, JSONBody

from machines.contract.refusals import NotAllowed
from replays.server.callers.callers import InjectedCaller, RequestCaller, app_state_of, token_of
from replays.server.callers.seat_token import only_gm
from replays.server.callers.tokens import Issued, Scope
from replays.server.routes.common import SECURITY, Lifetime, Name, refusals


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to be issued."""

    seat: Scope
    name: Name
    combatants: tuple[str, ...] | None = None
    """Limits a player to these combatants; by default all that the log gives to the player."""
    expires_in: Lifetime | None = None
    """The seconds after which it expires, unless it is renewed; absent: never."""


class Known(msgspec.Struct, frozen=True):
    """An issued token, without its signed text."""

    id: str
    seat: Scope
    name: str
    combatants: tuple[str, ...] | None
    revoked: bool
    expires: str | None = None
    """When it expires, unless it is renewed, as RFC 3339 in UTC; null if it does not."""


class Seats(Controller):
    """Lists, issues and revokes the tokens of a session's seats; for its gamemaster and the host."""

    path = "/v1/sessions/{session:str}/tokens"
    tags = ("Seats",)
    security = SECURITY

    @get("/", operation_id="listTokens", responses=refusals(401, 403, 404))
    async def listed(self, caller: InjectedCaller) -> list[Known]:
        """Lists the issued tokens, each with whether it was revoked."""
        only_gm(caller.token)
        return await caller.app_state.run(lambda: _known(caller))

    @post("/", operation_id="issueToken", responses=refusals(401, 403, 404, 413, 422))
    async def issue(self, caller: InjectedCaller, data: JSONBody[NewToken]) -> Issued:
        """Issues a token; it is shown only in this response."""
        only_gm(caller.token)
        return await caller.app_state.run(lambda: _issued(caller, data))

    @delete("/{token:str}", operation_id="revokeToken", responses=refusals(401, 403, 404))
    async def revoke(self, caller: InjectedCaller, token: FromPath[str]) -> None:
        """Revokes a token permanently; its live feeds are disconnected."""
        only_gm(caller.token)
        revoked = await caller.app_state.run(lambda: _revoked(caller, token))
        await caller.app_state.session_cache.run(
            caller.session, lambda session: caller.app_state.tables.drop(session, revoked)
        )
        caller.app_state.feed.ring((caller.session,))


class Renewing(Controller):
    """Renews the token of the caller."""

    path = "/v1/me/token"
    tags = ("Seats",)
    security = SECURITY

    @post("/", operation_id="renewToken", responses=refusals(401, 403, 404, 422))
    async def renew(self, request: Request[Any, Any, LitestarState]) -> Issued:
        """Issues a token for the caller's seat that expires as long after now as the caller's after its issue.

        It has the same id: revoking it revokes both. The caller's token remains valid until it expires, so that devices
        that share it may each renew it. A token that does not expire, and the host's, cannot be renewed.
        """
        token, app_state = token_of(request), app_state_of(request.app.state)
        if token.seat is Scope.HOST:
            message = "the host's token is not renewed over HTTP"
            raise NotAllowed(message, where="Authorization", accepts="`affray token` prints another one")
        return await app_state.run(lambda: app_state.tokens.renew(token))


def _known(caller: RequestCaller) -> list[Known]:
    """Returns the issued tokens of a session, for the holder of a valid token."""
    tokens = caller.app_state.tokens
    tokens.check(caller.token)
    return [
        Known(token.id, token.seat, token.name, token.combatants, revoked, token.expiry)
        for token, revoked in tokens.issued(caller.session)
    ]


def _issued(caller: RequestCaller, new: NewToken) -> Issued:
    """Issues a token, for the holder of a valid token."""
    tokens = caller.app_state.tokens
    tokens.check(caller.token)
    return tokens.issue(caller.session, new.seat, new.name, new.combatants, new.expires_in)


def _revoked(caller: RequestCaller, token: str) -> str:
    """Revokes a token, for the holder of a valid token; returns the name of the person that it was for."""
    tokens = caller.app_state.tokens
    tokens.check(caller.token)
    name = next((each.name for each in _known(caller) if each.id == token), "")
    tokens.revoke(caller.session, token)
    return name
