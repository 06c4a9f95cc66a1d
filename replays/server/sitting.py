"""Who asks: a token that was checked, at the session that it is for."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import unquote_plus

import msgspec
from litestar import Request
from litestar.datastructures import State as AppState
from litestar.di import NamedDependency
from litestar.params import FromPath

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Choose, Command, Declare, DrawDice, TypeDice
from ledger.entry import Entry, Who
from ledger.errors import Refused
from machines.refusals import NotAllowed
from projections.combat import Combat
from projections.views.seen import viewer
from replays import plain
from replays.server.desk import Desk
from replays.server.feed import PAGE, Frame, Page
from replays.server.tokens import NoToken, OtherSession, Scope, Token
from replays.server.veil import Veil
from replays.session import Session

T = TypeVar("T")
Asked = Request[Any, Any, AppState]


class Sitting:
    """Somebody at a session.

    Args:
        desk: The server's.
        token: As it was read; whether it was revoked is asked with every piece of work.
        session: The session's id.
        said: What they ask: a query, and a body.

    Raises:
        OtherSession: The token is for another one.
    """

    def __init__(self, desk: Desk, token: Token, session: str, said: tuple[str, bytes] = ("", b"")) -> None:
        if token.seat is not Scope.HOST and token.session != session:
            raise OtherSession(
                "this token is for another session", where="Authorization", accepts="one of this session"
            )
        self.desk = desk
        self.token = token
        self.session = session
        self._said = said

    @property
    def who(self) -> Who:
        """The person and the seat.

        Raises:
            NotAllowed: It is the host.
        """
        self._check_seated()
        return self.token.who

    @property
    def view(self) -> object:
        """The same for those who see the same."""
        token = self.token
        return (token.name, token.combatants) if token.seat is Scope.PLAYER else token.seat

    def eyes(self, combat: Combat) -> Viewer:
        """What they may see."""
        if self.token.seat is Scope.GM:
            return EVERYTHING
        seen = viewer(self.who, combat)
        if self.token.combatants is None:
            return seen
        return msgspec.structs.replace(seen, combatants=seen.combatants & frozenset(self.token.combatants))

    def veil(self, session: Session) -> Veil:
        """What is between them and the table."""
        return Veil(session.combat, session.seen(self.eyes(session.combat)))

    # -------------------------------------------------------------------------------------------- work

    async def run(self, work: Callable[[Session], T], *, quickly: bool = False) -> T:
        """Do something that takes a moment, when it is one's turn in the session."""
        return await self.desk.rooms.run(self.session, lambda session: self._checked(session, work), quickly=quickly)

    async def write(self, work: Callable[[Session], T], *, quickly: bool = False) -> T:
        """The same, and tell those who read that the session went on.

        Args:
            work: Writes.
            quickly: Is it written at once, and soon done?
        """
        try:
            return await self.run(work, quickly=quickly)
        finally:
            self.desk.feed.ring((self.session,))

    async def study(self, work: Callable[[Session], T]) -> T:
        """Do something that takes its time and writes nothing."""
        return await self.desk.studies.run(self.session, lambda session: self._checked(session, work))

    def _checked(self, session: Session, work: Callable[[Session], T]) -> T:
        self.desk.tokens.check(self.token)
        self._check_seated()
        try:
            return work(session)
        except Refused as refusal:
            raise self.veil(session).told(refusal, _words(*self._said)) from refusal.__cause__

    def _check_seated(self) -> None:
        if self.token.seat is Scope.HOST:
            raise NotAllowed("the host sits at no table", where="Authorization", accepts="a token of this session")

    # -------------------------------------------------------------------------------------------- what is theirs

    def check(self, combat: Combat, command: Command) -> None:
        """Refuse what is about combatants that this token is not for; the rest the session itself refuses.

        Raises:
            NotAllowed: It is somebody else's.
        """
        only = self.token.combatants
        if only is None:
            return
        if isinstance(command, Declare):
            mine = command.by in only
        elif isinstance(command, TypeDice | DrawDice | Choose):
            mine = any(rest.key == command.key and rest.by in only for rest in combat.rests)
        else:
            return
        if not mine:
            raise NotAllowed(f"this token is for {', '.join(only)}", where="Authorization", accepts="their own")

    def told(self, session: Session, entry: Entry, eyes: Viewer) -> plain.Told:
        """An entry as they see it."""
        entry, command = session.log.unveiled.entry(entry), entry.command
        if eyes != EVERYTHING and command.given_at and not self.veil(session).may_be_told(command.given_at):
            entry = msgspec.structs.replace(entry, command=msgspec.structs.replace(command, given_at=None))
        return plain.entry(entry, eyes, stands=session.log.timeline.stands(entry.seq))

    def frames(self, session: Session, after: int) -> list[Frame]:
        """The next entries, as they see them."""
        eyes = self.eyes(session.combat)
        entries = session.entries(after, after + PAGE)
        return [Frame(entry.seq, msgspec.json.encode(self.told(session, entry, eyes))) for entry in entries]

    async def page(self, after: int) -> Page:
        """The same for all who see what they see, whoever of them asks first."""
        tokens = self.desk.tokens
        return await self.desk.rooms.run(
            self.session, lambda session: Page(self.frames(session, after), tokens.revoked(session.id))
        )


Seated = NamedDependency[Sitting]
"""What a route gets where it names `sitting`."""


def desk_of(state: AppState) -> Desk:
    """The process's desk."""
    desk: Desk = state.desk
    return desk


def token_of(request: Asked) -> Token:
    """Who asks, by the header that says so.

    Raises:
        NoToken: Nobody says.
        BadToken: This server has not signed it.
    """
    kind, _, text = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not text:
        raise NoToken("this needs a token", where="Authorization", accepts="Bearer and a token")
    return desk_of(request.app.state).tokens.signer.read(text.strip())


async def sitting_of(request: Asked, session: FromPath[str]) -> Sitting:
    """Who asks, at this session."""
    token = token_of(request)
    body = b"" if token.seat is Scope.GM else await request.body()  # from the gamemaster nobody is hidden
    return Sitting(desk_of(request.app.state), token, session, (request.url.query, body))


def _words(query: str, body: bytes) -> str:
    """What is asked, as it is meant."""
    with suppress(msgspec.DecodeError, ValueError, RecursionError):  # it is refused for that
        body = msgspec.json.encode(msgspec.json.decode(body))
    return unquote_plus(query) + body.decode("utf-8", "replace")


async def host_of(request: Asked) -> Desk:
    """The desk, for whoever runs the server.

    Raises:
        NotAllowed: It is somebody at a session.
    """
    if token_of(request).seat is not Scope.HOST:
        raise NotAllowed("this is for the host", where="Authorization", accepts="the host's token, of `affray token`")
    return desk_of(request.app.state)


def only_gm(token: Token) -> None:
    """Refuse whoever is neither the gamemaster nor the host.

    Raises:
        NotAllowed: It is a player or a spectator.
    """
    if token.seat not in (Scope.GM, Scope.HOST):
        raise NotAllowed("this is for the gamemaster", where="Authorization", accepts="the gamemaster's token")
