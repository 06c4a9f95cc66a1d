"""Which files a ledger in use consists of, and whether they are still the ones that were opened.

A process that has a file open goes on writing into it when its name is gone: what it writes is lost for all others, and
for itself when it ends. SQLite notices none of this, so a writer looks, before it writes and after.

    FILE       the database
    FILE-wal   what was written last; without it the database is whole, but older
    FILE-shm   the index of FILE-wal and the locks; made anew while others use it, two processes write without a lock
"""

import os
import sqlite3
import time

from ledger.errors import Damaged
from ledger.stores.places import Places, identity
from ledger.stores.turns import patiently

_LOG, _INDEX = "-wal", "-shm"
_SETTLED = 0.25
"""Seconds in which another process has closed or opened a ledger that it is just closing or opening."""


class Files:
    """The files of a ledger that is open, as they were when it was opened.

    Args:
        path: The database; its write-ahead log has been opened.
    """

    def __init__(self, path: str) -> None:
        self._log = path + _LOG
        self._places = Places({path + ending: identity(path + ending) for ending in ("", _LOG, _INDEX)})

    def lost(self) -> str | None:
        """Returns the path of the first file that has been deleted, moved or replaced; None where all are there."""
        return self._places.lost()

    def save(self, cursor: sqlite3.Cursor) -> None:
        """Moves what only this process still has into the database, if its write-ahead log alone was lost.

        Where the index was lost too, others may have begun a write-ahead log of their own, and moved it already.

        Args:
            cursor: Of a connection that has the lost file open, outside of a transaction.
        """
        others = {path: opened for path, opened in self._places.opened.items() if path != self._log}
        if any(identity(path) != opened for path, opened in others.items()):
            return
        try:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error:  # it is refused already, and would be no safer
            return


def check_whole(path: str) -> None:
    """Refuses a ledger whose write-ahead log is missing while its index is there.

    SQLite makes the log before the index and deletes the index first, so only something else has deleted the log.

    Raises:
        Damaged: It is missing.
    """
    if patiently(lambda: not _is_half(path), time.monotonic() + _SETTLED):
        return
    raise Damaged(
        f"{path}{_LOG} is missing, in which stands what was last written: close the ledger wherever it is in use",
        where=path + _LOG,
        accepts=f"the file in its place again; or, to go on with what is left, {path}{_INDEX} deleted",
    )


def _is_half(path: str) -> bool:
    return os.path.exists(path + _INDEX) and not os.path.exists(path + _LOG)
