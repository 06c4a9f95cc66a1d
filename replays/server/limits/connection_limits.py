"""Limits connections before they have sent a request: their number, the size of a head, and the time to send it."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from replays.server.limits.slow_readers import SlowReaderMixin

HEAD = 32_768
"""Maximum size in bytes of a request line with its headers, and of whatever is sent after or between body chunks."""
PATIENCE = 10.0
"""Seconds within which the head must be complete."""


class LimitedHttpProtocol(SlowReaderMixin, HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits: uvicorn accepts heads of any length and waits for them without end."""

    most = 2_000
    """Maximum number of connections of this process, live feeds included."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head: int | None = 0
        """Bytes of the head that have arrived; None while a body is read."""
        self._outside_body = 0
        """Bytes that have arrived since the last part of a body and belong to no body."""
        self._cycle: RequestResponseCycle | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the timer for the head; refuses the connection if there are too many."""
        super().connection_made(transport)
        self._start_timer()
        if len(self.connections) > self.most:
            self._refuse(b"503 Service Unavailable")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timer and informs the request that is being answered."""
        self._stop_timer()
        if self._cycle is not None:  # of pipelined requests uvicorn informs only the last one
            self._cycle.disconnected = not self._cycle.response_complete
            self._cycle.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._cycle = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Parses bytes of the client; refuses a head that is too long."""
        if self._head is not None:
            self._head += len(data)
            if self._head > HEAD + self._size_after_head(data):
                self._refuse(b"431 Request Header Fields Too Large")
                return
        self._outside_body += len(data)
        super().data_received(data)
        if self._outside_body > HEAD + len(data):
            self._refuse(b"431 Request Header Fields Too Large")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Accepts a header of the head; ignores a trailer, which follows a body."""
        if self._head is not None:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Accepts a part of the body."""
        self._outside_body = 0
        super().on_body(body)

    def on_message_begin(self) -> None:
        """Starts the timer for the next head."""
        super().on_message_begin()
        self._start_timer()

    def on_headers_complete(self) -> None:
        """Stops the timer, because the head is complete."""
        self._head = None
        self._outside_body = 0
        self._stop_timer()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expects another head, because the body is complete."""
        super().on_message_complete()
        self._head = 0

    @staticmethod
    def _size_after_head(data: bytes) -> int:
        """Returns how many of these bytes come after the end of a head; 0 if the head does not end in them."""
        end = data.find(b"\r\n\r\n")
        return len(data) - end if end >= 0 else 0

    def _start_timer(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(PATIENCE, self._refuse, b"408 Request Timeout")

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: bytes) -> None:
        self._stop_timer()
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()
