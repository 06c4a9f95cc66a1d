"""A caller: a token at the session that it is for, with what its holder may do and see."""

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
from replays.server.callers.redaction import Redaction
from replays.server.callers.tokens import OtherSession, Scope, Token, check

T = TypeVar("T")


class Caller:
    """A caller at a session; it can be sent to a worker process.

    Args:
        token: A token whose signature was checked; revocation is checked with every piece of work.
        session: The session's id.
        request: The query and the body of the request.

    Raises:
        OtherSession: The token is for another session.
    """

    def __init__(self, token: Token, session: str, request: tuple[str, bytes] = ("", b"")) -> None:
        if token.seat is not Scope.HOST and token.session != session:
            raise OtherSession(
                "this token is for another session", where="Authorization", accepts="a token of this session"
            )
        self.token = token
        self.session = session
        self._request = request

    @property
    def who(self) -> Who:
        """The caller's name and seat.

        Raises:
            NotAllowed: The caller is the host.
        """
        self.check_seated()
        return self.token.who

    def check_seated(self) -> None:
        """Rejects the host, who has no seat.

        Raises:
            NotAllowed: The caller is the host.
        """
        if self.token.seat is Scope.HOST:
            message = "the host's token has no seat at a session"
            raise NotAllowed(message, where="Authorization", accepts="a token of this session")

    def eyes(self, combat: Combat) -> Viewer:
        """Returns the viewer that this caller is: what is visible to it."""
        if self.token.seat is Scope.GM:
            return EVERYTHING
        seen = viewer(self.who, combat)
        if self.token.combatants is None:
            return seen
        return msgspec.structs.replace(seen, combatants=seen.combatants & frozenset(self.token.combatants))

    def redaction(self, session: Session) -> Redaction:
        """Returns the redaction of combatants that are hidden from this caller."""
        return Redaction(session.combat, session.seen(self.eyes(session.combat)))

    def checked(self, store: Store, session: Session, work: Callable[[Session], T]) -> T:
        """Does a piece of work, unless the token was revoked or has expired.

        Args:
            store: The store that records which tokens were revoked.
            session: The session.
            work: Receives the session.

        Raises:
            Revoked: The token was revoked.
            Expired: The token has expired.
            NotAllowed: The caller is the host.
            Refused: A refusal of the work, with hidden combatants redacted.
        """
        check(store, self.token)
        self.check_seated()
        try:
            return work(session)
        except Refused as refusal:
            raise self.redaction(session).redact(refusal, _text(*self._request)) from refusal.__cause__


def _text(query: str, body: bytes) -> str:
    """Returns the text of a request without escapes, so that names in it can be found."""
    with suppress(msgspec.DecodeError, ValueError, RecursionError):  # a malformed body is refused elsewhere
        body = msgspec.json.encode(msgspec.json.decode(body))
    return unquote_plus(query) + body.decode("utf-8", "replace")


def only_gm(token: Token) -> None:
    """Rejects tokens of players and spectators.

    Raises:
        NotAllowed: The token belongs to a player or a spectator.
    """
    if token.seat not in (Scope.GM, Scope.HOST):
        raise NotAllowed("this is for the gamemaster", where="Authorization", accepts="the gamemaster's token")
