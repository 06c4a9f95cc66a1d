"""Routes of the live feed: Server-Sent Events and a WebSocket."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Annotated, Any

import msgspec
from litestar import Controller, WebSocket, get, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, HeaderParameter
from litestar.response import Stream

from ledger.errors import NoSuchEntry, Refused
from replays.api.session import Session
from replays.server.callers.callers import InjectedCaller, RequestCaller, app_state_of
from replays.server.callers.tokens import Token, check_time, revoked_token
from replays.server.http.pages import EncodedEntry, LogPage
from replays.server.http.problems import BadHeader, problem
from replays.server.routes.common import SECURITY, After, Number, refusals
from replays.sessions.wording import wording

BEAT = 5.0
"""Seconds without entries after which a reader gets a sign of life, and its token is checked."""
GREETING = 10.0
"""Seconds within which the first message of a WebSocket must arrive."""
CLOSES = {400: 4400, 401: 4401, 403: 4403, 404: 4404, 429: 1013, 500: 1011, 503: 1013, 507: 1013}
"""WebSocket close codes, by the status of the refusal."""
_BROKEN, _SLOW, _AWAY = 4400, 1013, 1001
OPENING, NOTHING_NEW = "from here on", "nothing new"
"""The comments among Server-Sent Events: the first line, and the sign of life."""

Entries = Sequence[EncodedEntry]


class BadGreeting(Refused):
    """The first message of a WebSocket is missing or malformed."""

    slug = "feed/greeting"


class Greeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a WebSocket."""

    token: str
    """The token of a seat."""
    after: Number = 0
    """The number of the last entry that the reader has."""


def _followed(caller: RequestCaller, after: int) -> AsyncGenerator[LogPage]:
    """Yields pages of entries as they are written, and an empty page at intervals; ends with the server."""
    token = caller.token
    return caller.app_state.feed.follow(caller.session, after, caller.view, caller.page, BEAT, token.id, token.expires)


def _entries(page: LogPage, token: Token) -> Entries:
    """Returns the entries of a page for the holder of a token.

    Raises:
        Revoked: The token was revoked.
        Expired: The token has expired.
    """
    check_time(token)
    if token.id in page.revoked:
        raise revoked_token()
    return page.entries


class Live(Controller):
    """Follows a session live."""

    path = "/v1/sessions/{session:str}/feed"
    tags = ("Live feed",)
    security = SECURITY

    @get("/", operation_id="feed", media_type="text/event-stream", responses=refusals(401, 403, 404, 429))
    async def events(
        self,
        caller: InjectedCaller,
        after: After = 0,
        last: Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)] = None,
    ) -> Stream:
        """Streams the log as Server-Sent Events: the entries after a given one, then new ones as they are written.

        The `id` of an event is the number of the entry. A reader that was disconnected continues with `Last-Event-ID`.
        """
        begin = after if last is None else _number(last)
        await caller.run(lambda session: prepare_feed(session, begin))  # refused before the response begins
        caller.app_state.feed.check(caller.token.id)
        events = _events(_followed(caller, begin), caller.token)
        return Stream(events, media_type="text/event-stream", headers={"cache-control": "no-store"})

    @websocket("/")
    async def socket(self, socket: WebSocket[Any, Any, Any], session: FromPath[str]) -> None:
        """Streams the log over a WebSocket; the client's first message is ``{"token": …, "after": n}``."""
        await socket.accept()
        try:
            caller, after = await _greeted(socket, session)
            await _stream(socket, _followed(caller, after), caller.token)
        except Refused as refusal:
            code = CLOSES.get(problem(refusal).status, _BROKEN)
            await _close(socket, code, refusal.slug)
        except WebSocketDisconnect:
            return


def _number(last: str) -> int:
    if not (last.isascii() and last.isdecimal()):
        raise BadHeader(f"{last!r} is not the number of an entry", where="Last-Event-ID", accepts="a number")
    return int(last)


async def _events(pages: AsyncGenerator[LogPage], token: Token) -> AsyncIterator[bytes]:
    yield _comment(OPENING)
    try:
        async with aclosing(pages):
            async for page in pages:
                yield _as_events(_entries(page, token))
                del page  # it would be kept in memory while the reader waits
    except Refused as refusal:
        yield b"event: refused\ndata: " + msgspec.json.encode(problem(refusal)) + b"\n\n"


def _as_events(entries: Entries) -> bytes:
    return b"".join(b"id: %d\nevent: entry\ndata: %b\n\n" % entry for entry in entries) or _comment(NOTHING_NEW)


def _comment(text: str) -> bytes:
    return f": {text}\n\n".encode()


# ------------------------------------------------------------------------------------------------ WebSockets


async def _greeted(socket: WebSocket[Any, Any, Any], session: str) -> tuple[RequestCaller, int]:
    """Reads the first message; returns the caller and the number of the last entry that it has.

    Raises:
        BadGreeting: The message is missing or malformed.
    """
    app_state = app_state_of(socket.app.state)
    try:
        async with asyncio.timeout(GREETING):
            message = await socket.receive_data("text")
        greeting = msgspec.json.decode(message, type=Greeting)
    except TimeoutError as error:
        reason = f"there was no first message with a token within {GREETING:g} s"
        raise BadGreeting(reason, where="first message", accepts=_ACCEPTED) from error
    except (msgspec.DecodeError, ValueError, KeyError, TypeError) as error:
        raise BadGreeting(f"malformed message: {error}", where="first message", accepts=_ACCEPTED) from error
    caller = RequestCaller(app_state, app_state.tokens.signer.read(greeting.token), session)
    await caller.run(lambda opened: prepare_feed(opened, greeting.after))
    return caller, greeting.after


def prepare_feed(session: Session, after: int) -> None:
    """Checks that there is an entry to begin after, and loads the game, so that the first new entry is not late."""
    check_there(session, after)
    wording(session.combat.session)


def check_there(session: Session, after: int | None) -> int:
    """Returns the number of the entry to begin after; rejects one that does not exist, where a reader waits in vain.

    Args:
        session: The session.
        after: The number; None for the last entry.

    Raises:
        NoSuchEntry: The log has no such entry.
    """
    if after is None:
        return session.log.last
    if after > session.log.last:
        last = session.log.last
        raise NoSuchEntry(f"there is no entry {after}, the last is {last}", where="after", accepts=f"0 to {last}")
    return after


_ACCEPTED = '{"token": …, "after": n}'


async def _stream(socket: WebSocket[Any, Any, Any], pages: AsyncGenerator[LogPage], token: Token) -> None:
    """Sends entries until the reader disconnects, is too slow, or the server ends."""
    gone = asyncio.ensure_future(_disconnected(socket))
    sending = asyncio.ensure_future(_send(socket, pages, token))
    try:
        await asyncio.wait((gone, sending), return_when=asyncio.FIRST_COMPLETED)
        if sending.done():
            await _close(socket, sending.result(), "")
    finally:
        for task in (gone, sending):
            task.cancel()
        await asyncio.gather(gone, sending, return_exceptions=True)


async def _send(socket: WebSocket[Any, Any, Any], pages: AsyncGenerator[LogPage], token: Token) -> int:
    """Sends entries; returns the code to close the WebSocket with."""
    try:
        async with aclosing(pages):
            async for page in pages:
                await _send_page(socket, _entries(page, token))
                del page  # it would be kept in memory while the reader waits
    except OSError:  # the reader is too slow, or has been disconnected
        return _SLOW
    return _AWAY


async def _send_page(socket: WebSocket[Any, Any, Any], entries: Entries) -> None:
    for entry in entries:
        await socket.send_data(entry.text, "text")


async def _disconnected(socket: WebSocket[Any, Any, Any]) -> None:
    """Waits until the reader disconnects, and ignores its messages."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _close(socket: WebSocket[Any, Any, Any], code: int, reason: str) -> None:
    try:
        await socket.close(code, reason)
    except (OSError, RuntimeError, WebSocketDisconnect):  # it is closed already
        return
