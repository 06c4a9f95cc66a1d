"""Notifies other processes of writes to PostgreSQL: after the commit, on a separate connection, many at once.

A NOTIFY takes a lock of the whole server and holds it until its transaction is on disk. Within an append it would make
the writers of different sessions wait for each other.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from threading import Condition, Event, Thread

import psycopg

PAUSE = 0.02
"""Minimum number of seconds between two NOTIFYs of a process."""
RETRY = 0.25
"""Seconds between two attempts while the server is unreachable."""
CLOSING = 1.0
"""The longest time in seconds that closing waits for the last NOTIFY."""

_PREPARE = "SELECT set_config('synchronous_commit', 'off', false)"  # the entries are durable already
# One notification for each session: a process of an older version reads no other form.
_NOTIFY = "SELECT pg_notify('affray', number::text) FROM affray.sessions WHERE id = ANY(%b::bytea[])"


class Notifier:
    """Collects the sessions that were written to, and notifies their listeners from a thread.

    The thread starts with the first write. If this process is killed before it has notified the listeners, they find
    the entries when they check all sessions: see `ledger.stores.postgres.news`.

    Args:
        connect: Opens the connection.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection]) -> None:
        self._connect = connect
        self._connection: psycopg.Connection | None = None
        self._written: set[bytes] = set()
        self._added = self._sent = 0
        """The number of calls of `add`, and how many of them are notified."""
        self._condition = Condition()
        self._thread: Thread | None = None
        self._closing = Event()

    def add(self, session: bytes) -> None:
        """Notifies the listeners of a session soon; does not wait for that.

        Args:
            session: The id of a session whose new entries are durable.
        """
        with self._condition:
            if not self._written:
                self._condition.notify_all()
            self._written.add(session)
            self._added += 1
            if self._thread is None:
                self._start()

    def wait(self, seconds: float) -> None:
        """Waits until the listeners of all writes before this call are notified, `seconds` at most."""
        with self._condition:
            added = self._added
            self._condition.wait_for(lambda: self._sent >= added or self._closing.is_set(), seconds)

    def close(self) -> None:
        """Sends what is due and ends the thread."""
        self._closing.set()
        with self._condition:
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join(CLOSING)

    def _start(self) -> None:
        thread = Thread(target=self._run, name="affray-notify", daemon=True)
        with suppress(RuntimeError):  # no thread can be started: the next write tries again, and this one is durable
            thread.start()
            self._thread = thread

    def _run(self) -> None:
        while self._wait_for_writes():
            with self._condition:
                written, added = self._written, self._added
                self._written = set()
            is_sent = self._try_send(written)
            with self._condition:
                if is_sent:
                    self._sent = added
                    self._condition.notify_all()
                else:
                    self._written |= written
            if self._closing.wait(PAUSE if is_sent else RETRY) and not is_sent:
                break
        self._disconnect()

    def _wait_for_writes(self) -> bool:
        """Waits until there are writes to notify; returns whether there are: there may be none when it is closed."""
        with self._condition:
            self._condition.wait_for(lambda: self._written or self._closing.is_set())
            return bool(self._written)

    def _try_send(self, written: AbstractSet[bytes]) -> bool:
        """Returns whether the listeners of these sessions were notified."""
        is_fresh = self._connection is None
        try:
            if self._connection is None:
                self._connection = self._connect()
                self._connection.execute(_PREPARE)
            self._connection.execute(_NOTIFY, (list(written),))
        except psycopg.Error:
            self._disconnect()
            return not is_fresh and self._try_send(written)  # the old connection may have been lost while it was idle
        return True

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
