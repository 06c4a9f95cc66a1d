"""Disconnects slow readers: otherwise what is written to them would be buffered without limit."""

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    _Protocol = Any
else:
    _Protocol = asyncio.Protocol

LEAST = 1_000
"""Bytes a second that a reader must receive of what is buffered for it."""


class SlowReaderMixin(_Protocol):  # type: ignore[misc]
    """Adds to a uvicorn protocol, which would wait for a slow reader without end; it comes first among the bases."""

    patience = 30.0
    """Seconds that a slow reader is tolerated; the buffer is checked twice in this time."""

    _buffered: int
    _check_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Starts checking the reader, because the write buffer is full."""
        super().pause_writing()
        self._check_later()

    def resume_writing(self) -> None:
        """Stops checking, because the reader has received enough."""
        self._stop_checking()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops checking, because the reader has disconnected."""
        self._stop_checking()
        super().connection_lost(exc)

    def _check_later(self) -> None:
        self._stop_checking()
        self._buffered = self.transport.get_write_buffer_size()
        self._check_timer = self.loop.call_later(self.patience / 2, self._check)

    def _check(self) -> None:
        buffered = self.transport.get_write_buffer_size()
        if buffered and self._buffered - buffered < LEAST * self.patience / 2:
            self._stop_checking()
            self.transport.abort()
        elif buffered:
            self._check_later()

    def _stop_checking(self) -> None:
        if self._check_timer is not None:
            self._check_timer.cancel()
            self._check_timer = None
