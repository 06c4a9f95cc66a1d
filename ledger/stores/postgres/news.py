"""Waits for writes of other processes into PostgreSQL by LISTEN, on a separate connection.

A process that is killed between a commit and its NOTIFY notifies no listener. So a listener reports at intervals that
any session may have been written to, and its owner checks all sessions that it follows.
"""

import time
from collections.abc import Callable
from selectors import EVENT_READ, DefaultSelector
from threading import Lock

import psycopg
from psycopg import pq
from psycopg.errors import ReadOnlySqlTransaction

from ledger.errors import Unusable

PAUSE = 0.25
"""Seconds between two checks whether the store was closed, or whether the server is back."""

RECHECK = 10.0
"""Seconds after which any session may have been written to without a notification."""


class Listener:
    """Reports which sessions were written to.

    Args:
        connect: Opens the connection.
        name: The name of the ledger in refusals.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection], name: str) -> None:
        self._connect = connect
        self._name = name
        self._connection: psycopg.Connection | None = None
        self._heard: set[int] = set()
        self._lock = Lock()
        self._closed = False
        self._recheck = 0.0

    def wait(self, seconds: float) -> set[int] | None:
        """Waits until something was written, `seconds` at most.

        Returns:
            The numbers of the sessions that were written to; empty if the time is up; None if any session may have been
            written to: at the first call, after the connection was lost, and every `RECHECK` seconds.

        Raises:
            Unusable: The listener is closed.
        """
        deadline = time.monotonic() + seconds
        with self._lock:
            if self._connection is not None:
                try:
                    news = self._news(self._connection, min(deadline, self._recheck))
                except (psycopg.OperationalError, ReadOnlySqlTransaction):
                    self._disconnect()
                else:
                    return None if self._is_recheck_due() else news
            return None if self._try_listen(deadline) else set()

    def _is_recheck_due(self) -> bool:
        """Returns whether all sessions are to be checked now; the next time is then `RECHECK` seconds later."""
        now = time.monotonic()
        if now < self._recheck:
            return False
        self._recheck = now + RECHECK
        return True

    def close(self) -> None:
        """Closes the connection; a thread that waits gets `Unusable` within the pause."""
        self._closed = True
        with self._lock:
            self._disconnect()

    def _news(self, connection: psycopg.Connection, deadline: float) -> set[int]:
        while True:
            self._check_open()
            # The response brings all notifications up to now, so earlier writes are reported at once.
            connection.execute("SELECT 1")
            while note := connection.pgconn.notifies():
                self._hear(note)
            left = deadline - time.monotonic()
            if self._heard or left <= 0:
                heard, self._heard = self._heard, set()
                return heard
            self._sleep(connection, deadline)

    def _sleep(self, connection: psycopg.Connection, deadline: float) -> None:
        """Waits until the server sends something."""
        while not _is_readable(connection.fileno(), min(PAUSE, deadline - time.monotonic())):
            self._check_open()
            if time.monotonic() >= deadline:
                return

    def _try_listen(self, deadline: float) -> bool:
        """Connects and listens. Returns whether that succeeded in time; notifications until then are lost."""
        while True:
            self._check_open()
            try:
                connection = self._connection = self._connect()
                connection.add_notify_handler(self._hear)
                connection.execute("LISTEN affray")
            except (psycopg.OperationalError, ReadOnlySqlTransaction):  # LISTEN is refused by a standby
                self._disconnect()
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                time.sleep(min(PAUSE, left))
            else:
                self._heard.clear()
                self._recheck = time.monotonic() + RECHECK
                return True

    def _hear(self, note: psycopg.Notify | pq.PGnotify) -> None:
        word = note.payload if isinstance(note, psycopg.Notify) else note.extra.decode()
        if word.isdecimal():  # any client may send any text on the channel
            self._heard.add(int(word))

    def _check_open(self) -> None:
        if self._closed:
            raise Unusable(f"{self._name} cannot be used: it is closed", where=self._name)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _is_readable(file: int, seconds: float) -> bool:
    with DefaultSelector() as selector:
        selector.register(file, EVENT_READ)
        return bool(selector.select(max(0.0, seconds)))
