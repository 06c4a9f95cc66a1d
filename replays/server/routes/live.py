"""What is written, told live: over a WebSocket, or as Server-Sent Events."""

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
from replays.server.callers.callers import Seated, Sitting, desk_of
from replays.server.callers.tokens import Revoked
from replays.server.http.pages import Frame
from replays.server.http.problems import BadHeader, problem
from replays.server.routes.common import SECURITY, After, Number, refusals

BEAT = 5.0
"""Seconds after which a reader hears that there is nothing new, and is asked after their token."""
GREETING = 10.0
"""Seconds in which the first message must come."""
_CLOSES = {400: 4400, 401: 4401, 403: 4403, 404: 4404, 429: 1013, 500: 1011, 503: 1013, 507: 1013}
"""Close codes by the refusal's status."""
_BROKEN, _SLOW, _AWAY = 4400, 1013, 1001

Frames = Sequence[Frame]


class BadGreeting(Refused):
    """The first message says not who reads and from where on."""

    slug = "feed/greeting"


class Greeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a WebSocket."""

    token: str
    after: Number = 0
    """The last entry that the reader has."""


async def _followed(sitting: Sitting, after: int) -> AsyncGenerator[Frames]:
    """What comes after an entry; nothing, now and then, where nothing comes. It ends when the server does.

    Raises:
        Refused: The token is revoked.
    """
    token = sitting.token.id
    feed = sitting.desk.feed.follow(sitting.session, after, sitting.view, sitting.page, BEAT, token)
    async with aclosing(feed) as pages:
        async for page in pages:
            if sitting.token.id in page.revoked:
                raise Revoked("this token was revoked", where="Authorization", accepts="a new one from the gamemaster")
            yield page.frames


class Live(Controller):
    """A session, live."""

    path = "/v1/sessions/{session:str}/feed"
    tags = ("Live feed",)
    security = SECURITY

    @get("/", operation_id="feed", media_type="text/event-stream", responses=refusals(401, 403, 404, 429))
    async def events(
        self,
        sitting: Seated,
        after: After = 0,
        last: Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)] = None,
    ) -> Stream:
        """The log as Server-Sent Events: what there is after an entry, then what comes, each with its number as `id`.

        A reader who was cut off goes on with `Last-Event-ID`.
        """
        begin = after if last is None else _number(last)
        await sitting.run(lambda session: _check_there(session, begin))  # refused before the answer begins
        sitting.desk.feed.check(sitting.token.id)
        batches = _followed(sitting, begin)
        return Stream(_events(batches), media_type="text/event-stream", headers={"cache-control": "no-store"})

    @websocket("/")
    async def socket(self, socket: WebSocket[Any, Any, Any], session: FromPath[str]) -> None:
        """The same over a WebSocket. Its first message is ``{"token": …, "after": n}``."""
        await socket.accept()
        try:
            sitting, after = await _greeted(socket, session)
            await _told(socket, _followed(sitting, after), sitting.desk.settings.seconds)
        except Refused as refusal:
            code = _CLOSES.get(problem(refusal).status, _BROKEN)
            await _close(socket, code, refusal.slug)
        except WebSocketDisconnect:
            return


def _number(last: str) -> int:
    if not (last.isascii() and last.isdecimal()):
        raise BadHeader(f"{last!r} names no entry", where="Last-Event-ID", accepts="a number")
    return int(last)


async def _events(batches: AsyncGenerator[Frames]) -> AsyncIterator[bytes]:
    yield b": from here on\n\n"
    try:
        async with aclosing(batches):
            async for frames in batches:
                yield _as_events(frames)
    except Refused as refusal:
        yield b"event: refused\ndata: " + msgspec.json.encode(problem(refusal)) + b"\n\n"


def _as_events(frames: Frames) -> bytes:
    return b"".join(b"id: %d\nevent: entry\ndata: %b\n\n" % frame for frame in frames) or b": nothing new\n\n"


# ------------------------------------------------------------------------------------------------ WebSockets


async def _greeted(socket: WebSocket[Any, Any, Any], session: str) -> tuple[Sitting, int]:
    """Who reads, and after which entry."""
    desk = desk_of(socket.app.state)
    try:
        async with asyncio.timeout(GREETING):
            said = await socket.receive_data("text")
        greeting = msgspec.json.decode(said, type=Greeting)
    except TimeoutError as error:
        raise BadGreeting("nobody said who reads", where="first message", accepts=_ACCEPTED) from error
    except (msgspec.DecodeError, ValueError, KeyError, TypeError) as error:
        raise BadGreeting(f"no greeting: {error}", where="first message", accepts=_ACCEPTED) from error
    sitting = Sitting(desk, desk.tokens.signer.read(greeting.token), session)
    await sitting.run(lambda opened: _check_there(opened, greeting.after))
    return sitting, greeting.after


def _check_there(session: Session, after: int) -> None:
    """Rejects a reader who has an entry that the log has not: it would wait in silence.

    Raises:
        NoSuchEntry: The log is not so long.
    """
    if after > session.log.last:
        last = session.log.last
        raise NoSuchEntry(f"there is no entry {after}, the last is {last}", where="after", accepts=f"0 to {last}")


_ACCEPTED = '{"token": …, "after": n}'


async def _told(socket: WebSocket[Any, Any, Any], batches: AsyncGenerator[Frames], patience: float) -> None:
    """Tell a reader until they go, take nothing in any more, or the server ends."""
    gone = asyncio.ensure_future(_gone(socket))
    telling = asyncio.ensure_future(_tell(socket, batches, patience))
    try:
        await asyncio.wait((gone, telling), return_when=asyncio.FIRST_COMPLETED)
        if telling.done():
            await _close(socket, telling.result(), "")
    finally:
        for task in (gone, telling):
            task.cancel()
        await asyncio.gather(gone, telling, return_exceptions=True)


async def _tell(socket: WebSocket[Any, Any, Any], batches: AsyncGenerator[Frames], patience: float) -> int:
    """Tell; returns the code to close with."""
    try:
        async with aclosing(batches):
            async for frames in batches:
                for frame in frames:
                    async with asyncio.timeout(patience):
                        await socket.send_data(frame.told.decode(), "text")
    except OSError:  # they take too long, or are cut off already
        return _SLOW
    return _AWAY


async def _gone(socket: WebSocket[Any, Any, Any]) -> None:
    """Until the reader goes; whatever else they say is passed over."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _close(socket: WebSocket[Any, Any, Any], code: int, reason: str) -> None:
    try:
        await socket.close(code, reason)
    except (OSError, RuntimeError, WebSocketDisconnect):  # they are gone already
        return
