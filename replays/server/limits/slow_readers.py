"""Who takes in nothing of what is written to them is cut off: else it would be kept for them for ever."""

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    _Protocol = Any
else:
    _Protocol = asyncio.Protocol

LEAST = 1_000
"""Bytes a second that somebody must take in of what waits for them."""


class Paced(_Protocol):  # type: ignore[misc]
    """What a protocol of uvicorn lacks: it waits for ever until somebody takes in what was written.

    It stands before the protocol among the bases.
    """

    patience = 30.0
    """Seconds; twice in this time it is looked."""

    _waits: int
    _look: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """More waits than should."""
        super().pause_writing()
        self._look_later()

    def resume_writing(self) -> None:
        """They have taken it in."""
        self._look_no_more()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._look_no_more()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._look_no_more()
        self._waits = self.transport.get_write_buffer_size()
        self._look = self.loop.call_later(self.patience / 2, self._look_now)

    def _look_now(self) -> None:
        waits = self.transport.get_write_buffer_size()
        if waits and self._waits - waits < LEAST * self.patience / 2:
            self._look_no_more()
            self.transport.abort()
        elif waits:
            self._look_later()

    def _look_no_more(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None
