"""The route that returns what the token of a caller is for."""

from typing import Any

import msgspec
from litestar import Controller, Request, get
from litestar.datastructures import State as LitestarState

from replays.server.callers.callers import RequestCaller, app_state_of, token_of
from replays.server.callers.tokens import Scope
from replays.server.routes.common import SECURITY, refusals
from replays.server.runtime.reachable import reachable


class Me(msgspec.Struct, frozen=True, omit_defaults=True):
    """The caller: the seat of the token, and the combatants that it plays."""

    seat: Scope
    token: str
    """The id of the token."""
    session: str = ""
    """The session's id; absent for the host."""
    name: str = ""
    """The person's name; absent for the host."""
    combatants: tuple[str, ...] = ()
    """The ids of the combatants that the caller plays now; absent for other seats than a player's."""
    expires: str = ""
    """When the token expires, as RFC 3339 in UTC; absent if it does not."""
    lan: tuple[str, ...] = ()
    """For the host and a gamemaster: the addresses at which other devices of the network reach the server, such as
    `http://192.168.1.5:8040`; absent if it listens to its own machine alone."""


class Myself(Controller):
    """Returns what the token of a caller is for."""

    path = "/v1/me"
    tags = ("Seats",)
    security = SECURITY

    @get("/", operation_id="getMe", responses=refusals(401, 403, 404))
    async def me(self, request: Request[Any, Any, LitestarState]) -> Me:
        """Returns the seat of the token, its session, the person, and the combatants that a player plays now."""
        token = token_of(request)
        if token.seat is Scope.HOST:
            return Me(token.seat, token.id, expires=token.expiry or "", lan=_lan(request))
        caller = RequestCaller(app_state_of(request.app.state), token, token.session)
        played = await caller.run(lambda session: session.combat.roster.played_by(token.name))
        mine = [who for who in sorted(played) if token.combatants is None or who in token.combatants]
        combatants = tuple(mine) if token.seat is Scope.PLAYER else ()
        lan = _lan(request) if token.seat is Scope.GM else ()
        return Me(token.seat, token.id, token.session, token.name, combatants, token.expiry or "", lan)


def _lan(request: Request[Any, Any, LitestarState]) -> tuple[str, ...]:
    return reachable(*app_state_of(request.app.state).settings.listens)
