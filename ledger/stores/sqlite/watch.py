"""Detects writes into an SQLite file by polling its change counter many times a second."""

import sqlite3
import time

from ledger.stores.sqlite.file import connect

PAUSE = 0.02
"""Seconds between two polls; one takes a few microseconds."""


class Watch:
    """Detects what any process has written since the last call.

    Args:
        path: The ledger, which must exist.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._seen = -1

    def wait(self, seconds: float) -> bool:
        """Waits until something was written, `seconds` at most.

        Returns:
            Whether something was; always True at the first call, because earlier writes are unknown.
        """
        deadline = time.monotonic() + seconds
        while (now := self._changes()) == self._seen:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(PAUSE, left))
        self._seen = now
        return True

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()

    def _changes(self) -> int:
        """Returns a number that changes with every commit of another connection, in this process or another."""
        if self._connection is None:
            self._connection = connect(self._path, timeout=0, options="?mode=ro")
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])
