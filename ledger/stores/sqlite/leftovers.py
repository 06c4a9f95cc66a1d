"""Removes the traces of deleted sessions from the files of a ledger.

A row is overwritten with zeros when it is deleted, but older copies of it may remain:

    FILE-wal  in older versions of pages, until the log is emptied, which is not possible while a connection reads
    FILE      in unused parts of pages, where older versions of Affray let SQLite leave rows that it moved elsewhere

So the log is emptied, which writes the zeros to the file; the file is rebuilt without its unused parts; and the log is
emptied again. Rebuilding needs as much space as the ledger, beside it and in the folder for temporary files, and takes
some seconds for each hundred megabytes, during which other writers wait.
"""

import sqlite3
from collections.abc import Callable

from ledger.stores.sqlite.errors import is_busy
from ledger.stores.warning import warn


class Leftovers:
    """The remaining steps of the removal, for deletions by this process.

    Args:
        path: The ledger.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._steps: list[Callable[[sqlite3.Cursor], bool]] = []

    def __bool__(self) -> bool:
        """Returns whether any trace may remain."""
        return bool(self._steps)

    def add(self) -> None:
        """Records that a session was deleted."""
        self._steps = [_empty_log, self._rebuild, _empty_log]

    def clear(self, cursor: sqlite3.Cursor) -> bool:
        """Removes the traces that can be removed now.

        Args:
            cursor: A cursor of a connection that may write, outside a transaction.

        Returns:
            Whether no trace remains.

        Raises:
            sqlite3.Error: The disk failed.
        """
        while self._steps and self._steps[0](cursor):
            del self._steps[0]
        return not self._steps

    def warn(self, what_next: str) -> None:
        """Logs that traces remain, and what happens next."""
        warn(
            __name__, "deleted data is still in the write-ahead log %s-wal, or in %s: %s", *[self._path] * 2, what_next
        )

    def _rebuild(self, cursor: sqlite3.Cursor) -> bool:
        try:
            cursor.execute("VACUUM")
        except sqlite3.Error as error:
            if is_busy(error):
                return False
            warn(__name__, "deleted data may still be in unused parts of %s: %s", self._path, error)
        return True


def _empty_log(cursor: sqlite3.Cursor) -> bool:
    ((is_held, _, _),) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return not is_held
