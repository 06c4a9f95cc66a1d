"""Who asks: a token that was checked, at the session that it is for."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.datastructures import State as AppState
from litestar.di import NamedDependency
from litestar.params import FromPath
from uvicorn.protocols.utils import ClientDisconnected

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from machines.contract.refusals import NotAllowed
from replays.api.session import Session
from replays.exports import documents
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import NoToken, Scope, Token
from replays.server.http.pages import Frame, Page, Stretch, page_of, standing, stretch_of
from replays.server.runtime.app_state import Desk
from replays.server.runtime.questions import Question

T = TypeVar("T")
Asked = Request[Any, Any, AppState]
Gone = Callable[[], Awaitable[None]]


async def _never() -> None:
    await asyncio.get_running_loop().create_future()


class Sitting(Caller):
    """Somebody at a session of this process.

    Args:
        desk: The server's.
        token: As it was read; whether it was revoked is asked with every piece of work.
        session: The session's id.
        said: What they ask: a query, and a body.
        gone: Waits until they hang up; left out, they never do.

    Raises:
        OtherSession: The token is for another one.
    """

    def __init__(
        self, desk: Desk, token: Token, session: str, said: tuple[str, bytes] = ("", b""), gone: Gone = _never
    ) -> None:
        super().__init__(token, session, said)
        self.desk = desk
        self._gone = gone

    @property
    def view(self) -> object:
        """The same for those who see the same."""
        token = self.token
        return (token.name, token.combatants) if token.seat is Scope.PLAYER else token.seat

    # -------------------------------------------------------------------------------------------- work

    async def run(self, work: Callable[[Session], T], *, quickly: bool = False) -> T:
        """Do something that takes a moment, when it is one's turn in the session.

        Args:
            work: What is to be done.
            quickly: Does it write, once, and is it soon done?
        """
        return await self.desk.rooms.run(self.session, lambda session: self._checked(session, work), quickly=quickly)

    async def study(self, question: Question) -> Response[Any]:
        """Answers a question that may take long, in another process; it is given up when the asker hangs up.

        Raises:
            ClientDisconnected: The asker has hung up.
            Refused: As the question refuses, or `Studies.run`.
        """
        asked = asyncio.ensure_future(self.desk.studies.run(Caller(self.token, self.session, self._said), question))
        gone = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait((asked, gone), return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                raise ClientDisconnected
            return Response(asked.result(), media_type=MediaType.JSON)
        finally:
            asked.cancel()
            gone.cancel()

    def _checked(self, session: Session, work: Callable[[Session], T]) -> T:
        return self.checked(self.desk.store, session, work)

    # -------------------------------------------------------------------------------------------- what is theirs

    def told(self, session: Session, entry: Entry, eyes: Viewer, *, stands: bool | None = None) -> documents.Told:
        """An entry as they see it.

        Args:
            session: Whose entry it is.
            entry: As it was written.
            eyes: What they may see.
            stands: Does it stand? Left out, it is looked up.
        """
        entry, command = session.log.disclosures.entry(entry), entry.command
        if eyes != EVERYTHING and command.given_at and not self.veil(session).may_be_told(command.given_at):
            entry = msgspec.structs.replace(entry, command=msgspec.structs.replace(command, given_at=None))
        if stands is None:
            stands = session.log.timeline.stands(entry.seq)
        return documents.entry(entry, eyes, stands=stands)

    def frames(self, session: Session, after: int, stretch: Stretch | None = None) -> list[Frame]:
        """A page of the entries after one, as they see them; at least one where there is one.

        Args:
            session: The session.
            after: The entry before the page.
            stretch: Up to which entry, and as of when; left out, to the end and as of now.
        """
        eyes, upto, head = self.eyes(session.combat), *(stretch or stretch_of(session))
        stand = standing(session.log.timeline, after, head)
        told = (
            (entry.seq, msgspec.json.encode(self.told(session, entry, eyes, stands=entry.seq in stand)))
            for entry in session.entries(after, upto)
        )
        return page_of(told)

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

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return Sitting(desk_of(request.app.state), token, session, (request.url.query, body), gone)


async def host_of(request: Asked) -> Desk:
    """The desk, for whoever runs the server.

    Raises:
        NotAllowed: It is somebody at a session.
    """
    if token_of(request).seat is not Scope.HOST:
        raise NotAllowed("this is for the host", where="Authorization", accepts="the host's token, of `affray token`")
    return desk_of(request.app.state)
