"""The caller of a request: checks the token, does work on its session, and encodes what is visible to it."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.datastructures import State as LitestarState
from litestar.di import NamedDependency
from litestar.params import FromPath
from uvicorn.protocols.utils import ClientDisconnected

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from machines.contract.refusals import NotAllowed
from replays.api.session import Session
from replays.exports import documents
from replays.server.callers.changes import live
from replays.server.callers.seat_token import Caller, only_gm
from replays.server.callers.tokens import NoToken, Scope, Token
from replays.server.http.pages import EncodedEntry, LogPage, LogRange, current_range, fill_page, standing_entries
from replays.server.runtime.app_state import AppState
from replays.server.runtime.questions.of_sessions import ChancesOf, SessionQuestion

T = TypeVar("T")
AppRequest = Request[Any, Any, LitestarState]
Disconnected = Callable[[], Awaitable[None]]


async def _wait_forever() -> None:
    """Waits until it is cancelled."""
    await asyncio.get_running_loop().create_future()


class RequestCaller(Caller):
    """A caller whose request is answered in this process.

    Args:
        app_state: The state of this process.
        token: A token whose signature was checked; revocation is checked with every piece of work.
        session: The session's id.
        request: The query and the body of the request.
        disconnected: Waits until the client disconnects; by default that never happens.

    Raises:
        OtherSession: The token is for another session.
    """

    def __init__(
        self,
        app_state: AppState,
        token: Token,
        session: str,
        request: tuple[str, bytes] = ("", b""),
        disconnected: Disconnected = _wait_forever,
    ) -> None:
        super().__init__(token, session, request)
        self.app_state = app_state
        self._disconnected = disconnected

    @property
    def view(self) -> object:
        """A value that is equal for callers who see the same."""
        token = self.token
        return (token.name, token.combatants) if token.seat is Scope.PLAYER else token.seat

    # -------------------------------------------------------------------------------------------- work

    async def run(self, work: Callable[[Session], T], *, quickly: bool = False) -> T:
        """Does a short piece of work on the session when its turn comes.

        Args:
            work: Receives the session.
            quickly: Whether the work writes once and is done soon.
        """
        return await self.app_state.session_cache.run(
            self.session, lambda session: self._checked(session, work), quickly=quickly
        )

    async def ask(self, question: SessionQuestion) -> Response[Any]:
        """Has a long question answered by a worker process; it is given up when the client disconnects.

        Raises:
            ClientDisconnected: The client has disconnected.
            Refused: The question is refused, or there are too many of them; see `ReadJobs.run`.
        """
        caller = Caller(self.token, self.session, self._request)
        answer = await _first_of(self.app_state.read_jobs.run(caller, question), self._disconnected())
        return Response(answer, media_type=MediaType.JSON)

    async def ask_once(self, question: ChancesOf) -> Response[Any]:
        """Has a question about an entry answered as `ask` does, unless its answer is kept."""
        question, depends = await self.run(lambda session: question.as_of(session, self))
        caller = Caller(self.token, self.session, self._request)
        answer = self.app_state.kept_answers.of(depends, lambda: self.app_state.read_jobs.run(caller, question))
        return Response(await _first_of(answer, self._disconnected()), media_type=MediaType.JSON)

    def _checked(self, session: Session, work: Callable[[Session], T]) -> T:
        """Does the work on a session after it has checked that the token is not revoked."""
        return self.checked(self.app_state.store, session, work)

    # -------------------------------------------------------------------------------------------- visible entries

    def entry_document(
        self, session: Session, entry: Entry, eyes: Viewer, *, stands: bool | None = None
    ) -> documents.EntryDocument:
        """Returns the document of an entry, with what is hidden from the caller redacted.

        Args:
            session: The session of the entry.
            entry: The entry as it was written.
            eyes: The caller as a viewer.
            stands: Whether the entry stands; None to look it up.
        """
        entry, command = session.log.disclosures.entry(entry), entry.command
        if eyes != EVERYTHING and command.given_at and not self.redaction(session).is_visible(command.given_at):
            entry = msgspec.structs.replace(entry, command=msgspec.structs.replace(command, given_at=None))
        if stands is None:
            stands = session.log.timeline.stands(entry.seq)
        return documents.entry(entry, eyes, stands=stands)

    def entries(
        self, session: Session, after: int, within: LogRange | None = None, *, is_live: bool = False
    ) -> list[EncodedEntry]:
        """Returns a page of the entries after one, as the caller sees them; at least one if there are any.

        Args:
            session: The session.
            after: The number of the entry before the page.
            within: Up to which entry, and as of which head; None for all entries, as of now.
            is_live: Whether each entry has what it changes for the caller; see `changes.LiveEntry`.
        """
        eyes, upto, head = self.eyes(session.combat), *(within or current_range(session))
        stand = standing_entries(session.log.timeline, after, head)

        def encoded() -> Iterator[tuple[int, bytes]]:
            for entry in session.entries(after, upto):
                document = self.entry_document(session, entry, eyes, stands=entry.seq in stand)
                line = live(session, entry, document, eyes) if is_live else msgspec.json.encode(document)
                yield entry.seq, line

        return fill_page(encoded())

    async def page(self, after: int) -> LogPage:
        """Returns a page for the live feed; callers with equal views may share it."""

        def read(session: Session) -> LogPage:
            entries = self.entries(session, after, is_live=True)
            is_last = not entries or entries[-1].seq >= session.log.last
            return LogPage(entries, self.app_state.tokens.revoked(session.id), is_last)

        return await self.app_state.session_cache.run(self.session, read)


InjectedCaller = NamedDependency[RequestCaller]
"""The type of a route's parameter `caller`."""
InjectedHost = NamedDependency[AppState]
"""The type of a route's parameter `host`: the state of this process, for callers with the host's token."""
InjectedHolder = NamedDependency[AppState]
"""The type of a route's parameter `holder`: the state of this process, for the host and for gamemasters."""


def app_state_of(state: LitestarState) -> AppState:
    """Returns the state of this process."""
    app_state: AppState = state.app_state
    return app_state


def token_text(request: AppRequest) -> str:
    """Returns the signed text of the token of the Authorization header.

    Raises:
        NoToken: There is no such header, or it is not a bearer token.
    """
    given = next((value for name, value in request.scope["headers"] if name == b"authorization"), b"")
    kind, _, text = given.decode("latin-1").partition(" ")
    if kind.lower() != "bearer" or not text:
        raise NoToken("this request needs a token", where="Authorization", accepts="Bearer and a token")
    return text.strip()


def token_of(request: AppRequest) -> Token:
    """Returns the token of the Authorization header.

    Raises:
        NoToken: There is no such header, or it is not a bearer token.
        BadToken: This server has not signed the token.
        Expired: The token has expired.
    """
    return app_state_of(request.app.state).tokens.signer.read(token_text(request))


async def caller_of(request: AppRequest, session: FromPath[str]) -> RequestCaller:
    """Returns the caller of a request at a session."""
    token = token_of(request)
    body = b"" if token.seat is Scope.GM else await request.body()  # only for redaction; the gamemaster sees all

    query, gone = request.scope["query_string"].decode(errors="replace"), partial(_disconnected, request)
    return RequestCaller(app_state_of(request.app.state), token, session, (query, body), gone)


async def unless_disconnected(request: AppRequest, work: Coroutine[Any, Any, T]) -> T:
    """Returns the result of work for a request without a body; the work is cancelled when the client disconnects.

    Args:
        request: The request.
        work: What is awaited.

    Raises:
        ClientDisconnected: The client has disconnected.
    """
    return await _first_of(work, _disconnected(request))


async def _disconnected(request: AppRequest) -> None:
    """Waits until the client of a request disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _first_of(work: Coroutine[Any, Any, T], disconnected: Awaitable[None]) -> T:
    """Returns the result of work; cancels it when the client disconnects before."""
    answer, gone = asyncio.ensure_future(work), asyncio.ensure_future(disconnected)
    try:
        await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ClientDisconnected
        return answer.result()
    finally:
        answer.cancel()
        gone.cancel()


async def host_of(request: AppRequest) -> AppState:
    """Returns the state of this process if the caller is the host.

    Raises:
        NotAllowed: The token is for a seat at a session.
    """
    if token_of(request).seat is not Scope.HOST:
        raise NotAllowed("this is for the host", where="Authorization", accepts="the host's token, of `affray token`")
    return app_state_of(request.app.state)


async def holder_of(request: AppRequest) -> AppState:
    """Returns the state of this process if the caller is the host, or a gamemaster.

    Raises:
        NoToken: There is no token.
        BadToken: This server has not signed it.
        Expired: It has expired.
        Revoked: It was revoked.
        NoSuchSession: Its session does not exist.
        NotAllowed: It is the token of a player or a spectator.
    """
    token, app_state = token_of(request), app_state_of(request.app.state)
    await app_state.run(lambda: app_state.tokens.check(token))
    only_gm(token)
    return app_state
