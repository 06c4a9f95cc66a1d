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
from ledger.stores.turns import patiently

Identity = tuple[int, int] | None

_LOG, _INDEX = "-wal", "-shm"
_SETTLED = 0.25
"""Seconds in which another process has closed or opened a ledger that it is just closing or opening."""


class Files:
    """The files of a ledger that is open, as they were when it was opened.

    Args:
        path: The database; its write-ahead log has been opened.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._opened = {ending: _identity(path + ending) for ending in ("", _LOG, _INDEX)}

    def lost(self) -> str | None:
        """Returns the path of the first file that has been deleted, moved or replaced; None where all are there."""
        for ending, identity in self._opened.items():
            if _identity(self._path + ending) != identity:
                return self._path + ending
        return None

    def save(self, cursor: sqlite3.Cursor) -> None:
        """Moves what only this process still has into the database, if its write-ahead log alone was lost.

        Where the index was lost too, others may have begun a write-ahead log of their own, and moved it already.

        Args:
            cursor: Of a connection that has the lost file open, outside of a transaction.
        """
        others = (ending for ending in self._opened if ending != _LOG)
        if any(_identity(self._path + ending) != self._opened[ending] for ending in others):
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


def _identity(path: str) -> Identity:
    """Which file lies there; None where there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
