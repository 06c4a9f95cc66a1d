"""Transactions on an SQLite file, one at a time and in turn."""

import sqlite3
import time
from types import TracebackType

from ledger.errors import Busy
from ledger.stores.sqlite_errors import is_busy
from ledger.stores.turns import Line, Turnstile, patiently


class Writing:
    """``with writing:`` — one transaction, when it is one's turn; rolled back if anything is raised in it.

    Args:
        connection: In autocommit mode and with a busy timeout of 0; nobody else may write on it.
        turnstile: Where the processes meet.
        patience: Seconds to wait for one's turn.
        path: The ledger, for the refusal.
    """

    def __init__(self, connection: sqlite3.Connection, turnstile: Turnstile, patience: float, path: str) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._turnstile = turnstile
        self._patience = patience
        self._path = path
        self._line = Line()

    def __enter__(self) -> sqlite3.Cursor:
        if not self._line.acquire(self._patience):
            raise self._too_long()
        try:
            if not (self._turnstile.enter() and self._begun()):
                self._wait(time.monotonic())
        except BaseException:
            self._end()
            raise
        finally:
            self._turnstile.leave()
        return self._cursor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._cursor.execute("COMMIT")
        finally:
            self._end()

    def close(self) -> None:
        """Wait for who is writing, then let go of the connection."""
        if not self._line.acquire(self._patience):
            raise self._too_long()
        try:
            self._cursor.close()
            self._connection.close()
        finally:
            self._line.release()

    def _wait(self, now: float) -> None:
        # The turnstile is a courtesy: if who stands in it does not move, it is passed by.
        patiently(self._turnstile.enter, now + self._patience / 2)
        if not patiently(self._begun, now + self._patience):
            raise self._too_long()

    def _begun(self) -> bool:
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            return False
        return True

    def _end(self) -> None:
        try:
            if self._connection.in_transaction:
                self._cursor.execute("ROLLBACK")
        finally:
            self._line.release()

    def _too_long(self) -> Busy:
        return Busy(f"another process has held {self._path} for {self._patience:g} s", where=self._path)
