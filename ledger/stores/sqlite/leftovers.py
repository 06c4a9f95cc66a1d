"""What the deletion of a session leaves in the files of a ledger, and how it is cleared away.

A row is overwritten with zeros when it is deleted, but what was written of it before may stand elsewhere, too:

    FILE-wal  in older versions of pages: until the log is emptied, which cannot be done while anybody reads
    FILE      in pages of other sessions: where SQLite moves rows from page to page it leaves the old ones there, unless
              it was told otherwise, as it is by this Affray, but was not by older ones

So the log is emptied, by which the zeros come into the file; the file is written anew, without what no table has; and
the log is emptied once more. Writing anew takes as much room again as the ledger has, here and in the folder for
temporary files, and some seconds for each hundred megabytes, in which nobody else writes.
"""

import logging
import sqlite3
from collections.abc import Callable

from ledger.stores.sqlite.errors import is_busy

_LOG = logging.getLogger(__name__)


class Leftovers:
    """What is left of deleted sessions, as far as this process knows.

    Args:
        path: The ledger.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._steps: list[Callable[[sqlite3.Cursor], bool]] = []

    def __bool__(self) -> bool:
        """Whether anything is left."""
        return bool(self._steps)

    def add(self) -> None:
        """Say that a session was deleted."""
        self._steps = [_empty_log, self._write_anew, _empty_log]

    def clear(self, cursor: sqlite3.Cursor) -> bool:
        """Clear away what can be at this moment.

        Args:
            cursor: Of a connection that may write, outside of a transaction.

        Returns:
            Whether nothing is left.

        Raises:
            sqlite3.Error: The disk has failed.
        """
        while self._steps and self._steps[0](cursor):
            del self._steps[0]
        return not self._steps

    def tell(self, what_next: str) -> None:
        """Say that something is still there, and what is done about it."""
        _LOG.warning(
            "what was deleted is still in the write-ahead log %s-wal, or in %s: %s", *[self._path] * 2, what_next
        )

    def _write_anew(self, cursor: sqlite3.Cursor) -> bool:
        try:
            cursor.execute("VACUUM")
        except sqlite3.Error as error:
            if is_busy(error):
                return False
            _LOG.warning("what was deleted may still be in unused parts of %s: %s", self._path, error)
        return True


def _empty_log(cursor: sqlite3.Cursor) -> bool:
    ((is_held, _, _),) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return not is_held
