"""A token at the session that it is for: what its holder may do and see. It can be sent to another process."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import unquote_plus

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Who
from ledger.errors import Refused
from ledger.stores import Store
from machines.contract.refusals import NotAllowed
from projections.combat import Combat
from projections.views.seen import viewer
from replays.api.session import Session
from replays.server.callers.redaction import Veil
from replays.server.callers.tokens import OtherSession, Scope, Token, check

T = TypeVar("T")


class Caller:
    """Who asks, at which session, and what.

    Args:
        token: As it was read; whether it was revoked is checked with every piece of work.
        session: The session's id.
        said: The query and the body of the request.

    Raises:
        OtherSession: The token is for another one.
    """

    def __init__(self, token: Token, session: str, said: tuple[str, bytes] = ("", b"")) -> None:
        if token.seat is not Scope.HOST and token.session != session:
            raise OtherSession(
                "this token is for another session", where="Authorization", accepts="one of this session"
            )
        self.token = token
        self.session = session
        self._said = said

    @property
    def who(self) -> Who:
        """The person and the seat.

        Raises:
            NotAllowed: It is the host.
        """
        self.check_seated()
        return self.token.who

    def check_seated(self) -> None:
        """Rejects the host.

        Raises:
            NotAllowed: It is the host.
        """
        if self.token.seat is Scope.HOST:
            raise NotAllowed("the host sits at no table", where="Authorization", accepts="a token of this session")

    def eyes(self, combat: Combat) -> Viewer:
        """Returns what they may see."""
        if self.token.seat is Scope.GM:
            return EVERYTHING
        seen = viewer(self.who, combat)
        if self.token.combatants is None:
            return seen
        return msgspec.structs.replace(seen, combatants=seen.combatants & frozenset(self.token.combatants))

    def veil(self, session: Session) -> Veil:
        """Returns what redacts hidden combatants for them."""
        return Veil(session.combat, session.seen(self.eyes(session.combat)))

    def checked(self, store: Store, session: Session, work: Callable[[Session], T]) -> T:
        """Does a piece of work, if the token still holds.

        Args:
            store: Where it is written which tokens were revoked.
            session: The session.
            work: Gets the session.

        Raises:
            Revoked: The token was revoked.
            NotAllowed: It is the host.
            Refused: What the work refuses, with hidden combatants redacted.
        """
        check(store, self.token)
        self.check_seated()
        try:
            return work(session)
        except Refused as refusal:
            raise self.veil(session).told(refusal, _words(*self._said)) from refusal.__cause__


def _words(query: str, body: bytes) -> str:
    """What is asked, as it is meant."""
    with suppress(msgspec.DecodeError, ValueError, RecursionError):  # it is refused for that
        body = msgspec.json.encode(msgspec.json.decode(body))
    return unquote_plus(query) + body.decode("utf-8", "replace")


def only_gm(token: Token) -> None:
    """Rejects whoever is neither the gamemaster nor the host.

    Raises:
        NotAllowed: It is a player or a spectator.
    """
    if token.seat not in (Scope.GM, Scope.HOST):
        raise NotAllowed("this is for the gamemaster", where="Authorization", accepts="the gamemaster's token")
