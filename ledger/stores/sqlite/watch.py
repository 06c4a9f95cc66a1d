"""Whether somebody has written into an SQLite file: a look at its counter of changes, many times a second."""

import sqlite3
import time

from ledger.stores.sqlite.file import connect

PAUSE = 0.02
"""Seconds between two looks; one takes a few microseconds."""


class Watch:
    """Tells of what any process has written since it was asked last.

    Args:
        path: The ledger, which is there.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._seen = -1

    def wait(self, seconds: float) -> bool:
        """Wait until something was written, `seconds` at most.

        Returns:
            Whether something was; the first time always, for nobody knows what was written before.
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
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()

    def _changes(self) -> int:
        """A number that changes with every commit of another connection, in this process or not."""
        if self._connection is None:
            self._connection = connect(self._path, timeout=0, options="?mode=ro")
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])
