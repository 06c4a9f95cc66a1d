"""Records each message of a live feed that a test receives; those that the AsyncAPI document does not describe are found.

Recorded are WebSockets of the library `websockets`, and Server-Sent Events that are read with httpx, thus also by the
client for Python. `Served.stop` calls `undescribed` for every server of every test. The messages are validated there and
not as they arrive, so that no reader becomes slow.
"""

import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, closing
from functools import cache
from typing import Any

import httpx
from server.documented import wrong_message
from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.sync.client import ClientConnection

FEED = re.compile(r"/v1/sessions/[^/]+/feed(\?.*)?")
MANY = 2_000
"""Number of messages that are kept; they are validated when there are more."""


class FeedRecorder:
    """Messages of live feeds, and what is wrong with them."""

    def __init__(self) -> None:
        self.count = 0
        """The number of messages that were recorded, repeats included."""
        self._new: dict[tuple[str, str | bytes], None] = {}
        self._wrong: list[str] = []
        self._lock = threading.RLock()

    def record(self, channel: str, text: str | bytes) -> None:
        """Records a message.

        Args:
            channel: `socket` or `events`.
            text: The message of a WebSocket; or a Server-Sent Event or comment, without the empty line after it.
        """
        with self._lock:
            self.count += 1
            self._new[channel, text] = None
            if len(self._new) >= MANY:
                self._validate()

    def undescribed(self) -> list[str]:
        """Returns what was wrong with the messages since the last call."""
        with self._lock:
            self._validate()
            found, self._wrong = self._wrong, []
            return found

    def _validate(self) -> None:
        new, self._new = self._new, {}
        for channel, text in new:
            self._wrong += [f"{channel}: {each}, in {text[:300]!r}" for each in wrong_message(channel, text)]


class EventsInChunks:
    """Splits a stream into Server-Sent Events, and records each.

    Args:
        recorder: Where they are recorded.
    """

    def __init__(self, recorder: FeedRecorder) -> None:
        self._recorder, self._rest = recorder, b""

    def add(self, chunk: bytes) -> None:
        """Adds what was received."""
        *events, self._rest = (self._rest + chunk).split(b"\n\n")
        for event in events:
            self._recorder.record("events", event.decode())


RECORDER = FeedRecorder()
"""The recorder of this process."""


@cache
def start() -> None:
    """Starts recording, once in a process."""
    ClientConnection.recv = _recorded_recv(ClientConnection.recv)  # type: ignore[method-assign]
    AsyncConnection.recv = _recorded_async_recv(AsyncConnection.recv)  # type: ignore[method-assign]
    httpx.Response.iter_raw = _recorded_iter(httpx.Response.iter_raw)  # type: ignore[method-assign]
    httpx.Response.aiter_raw = _recorded_async_iter(httpx.Response.aiter_raw)  # type: ignore[method-assign]


def _recorded_recv(recv: Callable[..., Any]) -> Any:
    def recorded(connection: Any, *words: Any, **options: Any) -> Any:
        message = recv(connection, *words, **options)
        _record_from(connection, message)
        return message

    return recorded


def _recorded_async_recv(recv: Callable[..., Any]) -> Any:
    async def recorded(connection: Any, *words: Any, **options: Any) -> Any:
        message = await recv(connection, *words, **options)
        _record_from(connection, message)
        return message

    return recorded


def _record_from(connection: Any, message: str | bytes) -> None:
    if FEED.fullmatch(connection.request.path):
        RECORDER.record("socket", message)


def _recorded_iter(iter_raw: Callable[..., Any]) -> Any:
    def recorded(response: httpx.Response, *words: Any, **options: Any) -> Iterator[bytes]:
        events = EventsInChunks(RECORDER) if _is_feed(response) else None
        with closing(iter_raw(response, *words, **options)) as chunks:
            for chunk in chunks:
                if events is not None:
                    events.add(chunk)
                yield chunk

    return recorded


def _recorded_async_iter(aiter_raw: Callable[..., Any]) -> Any:
    async def recorded(response: httpx.Response, *words: Any, **options: Any) -> AsyncIterator[bytes]:
        events = EventsInChunks(RECORDER) if _is_feed(response) else None
        async with aclosing(aiter_raw(response, *words, **options)) as chunks:
            async for chunk in chunks:
                if events is not None:
                    events.add(chunk)
                yield chunk

    return recorded


def _is_feed(response: httpx.Response) -> bool:
    kind = response.headers.get("content-type", "")
    return kind.startswith("text/event-stream") and FEED.fullmatch(response.request.url.path) is not None
