"""Connections before they have asked for anything: so many, so long a head, and so long until it is there."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from replays.server.limits.slow_readers import Paced

HEAD = 32_768
"""Bytes that a request line and its headers may have; and what follows a body, or stands between its parts."""
PATIENCE = 10.0
"""Seconds in which they must be there."""


class Guarded(Paced, HttpToolsProtocol):
    """uvicorn's protocol, which takes heads of any length and waits for them for ever."""

    most = 2_000
    """Connections of this process, live feeds included."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head: int | None = 0
        self._beside = 0
        self._answering: RequestResponseCycle | None = None
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.most:
            self._refuse(b"503 Service Unavailable")

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._wait_no_more()
        if self._answering is not None:  # uvicorn tells only the last of those that did not wait for answers
            self._answering.disconnected = not self._answering.response_complete
            self._answering.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Something comes in."""
        if self._head is not None:
            self._head += len(data)
            if self._head > HEAD + self._body(data):
                self._refuse(b"431 Request Header Fields Too Large")
                return
        self._beside += len(data)
        super().data_received(data)
        if self._beside > HEAD + len(data):
            self._refuse(b"431 Request Header Fields Too Large")

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header is there, or what follows a body, which nobody asks for."""
        if self._head is not None:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """A part of the body is there."""
        self._beside = 0
        super().on_body(body)

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._head = None
        self._beside = 0
        self._wait_no_more()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body is there, too; what comes next is another head."""
        super().on_message_complete()
        self._head = 0

    @staticmethod
    def _body(data: bytes) -> int:
        """How much of what came in belongs to a body that came with its head."""
        end = data.find(b"\r\n\r\n")
        return len(data) - end if end >= 0 else 0

    def _wait(self) -> None:
        self._wait_no_more()
        self._waiting = self.loop.call_later(PATIENCE, self._refuse, b"408 Request Timeout")

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _refuse(self, status: bytes) -> None:
        self._wait_no_more()
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()
