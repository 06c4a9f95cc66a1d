"""Detects when a file of an open ledger was deleted, moved or replaced.

A process that has a file open goes on writing into it after it was deleted: other processes do not see what it writes,
and it is lost when the process ends. SQLite does not detect this, so a writer checks before and after it writes.

    FILE       the database
    FILE-wal   the latest writes; without it the database is valid, but older
    FILE-shm   the index of FILE-wal and the locks; if it is recreated while in use, two processes write without a lock
"""

import os
import sqlite3
import time

from ledger.errors import Damaged
from ledger.stores.fair_lock import patiently
from ledger.stores.opened_files import OpenedFiles, identity

_LOG, _INDEX = "-wal", "-shm"
_SETTLED = 0.25
"""Seconds within which another process finishes opening or closing a ledger."""


class Files:
    """The identities of the files of an open ledger.

    Args:
        path: The database, whose write-ahead log is open.
    """

    def __init__(self, path: str) -> None:
        self._log = path + _LOG
        self._opened_files = OpenedFiles({path + ending: identity(path + ending) for ending in ("", _LOG, _INDEX)})
        self.lost = self._opened_files.lost
        """Returns the path of the first file that was deleted, moved or replaced; None if all are in place."""

    def save(self, cursor: sqlite3.Cursor) -> None:
        """Saves the content of a deleted write-ahead log into the database, if no other file was lost.

        If the index was lost, too, another process may have created a new write-ahead log and checkpointed it already.

        Args:
            cursor: A cursor of a connection that has the lost file open, outside a transaction.
        """
        others = {path: opened for path, opened in self._opened_files.opened.items() if path != self._log}
        if any(identity(path) != opened for path, opened in others.items()):
            return
        try:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error:  # the caller raises a refusal in any case
            return


def check_whole(path: str) -> None:
    """Checks that a ledger with an index has its write-ahead log.

    SQLite creates the log before the index and deletes the index first, so another program must have deleted the log.

    Raises:
        Damaged: The log is missing.
    """
    if patiently(lambda: not _is_half(path), time.monotonic() + _SETTLED):
        return
    raise Damaged(
        f"{path}{_LOG} is missing, which has the latest writes: close the ledger wherever it is in use",
        where=path + _LOG,
        accepts=f"the file restored; or, to go on without these writes, {path}{_INDEX} deleted",
    )


def _is_half(path: str) -> bool:
    return os.path.exists(path + _INDEX) and not os.path.exists(path + _LOG)
