"""For how long requests have failed, or other writers were first: when another server is to be connected to."""

import time

_PERIOD = 6.0
"""Seconds in which requests fail, after which another server is to be connected to."""


class FailingTime:
    """The time in which requests to leaders have failed, or writes were slow; or each append to a session was refused.

    The connected server may be cut off from the others, or busy for minutes because it was. A good answer shows little:
    a server that is cut off answers as if it led, and of two shards one may have a leader.
    """

    def __init__(self) -> None:
        self._began = self._ended = -_PERIOD

    def forget(self) -> None:
        """Begins anew, with another server or after an append that was accepted."""
        self._began = self._ended = -_PERIOD

    def is_over(self, since: float) -> bool:
        """Notes a failure; returns whether requests have failed for too long, each within a period of another.

        Args:
            since: When the request was made that has failed now.
        """
        now = time.monotonic()
        if since - self._ended > _PERIOD:
            self._began = since
        self._ended = now
        if now - self._began <= _PERIOD:
            return False
        self._began = now
        return True
