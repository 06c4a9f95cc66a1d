"""Who writes next: first come, first served.

SQLite's own way of waiting is not fair: it sleeps and tries again, so one writer in a tight loop starves all others for
good, and nothing tells. Here those who want to write stand in line. In a process the line is a queue. Between processes
it is a turnstile: a lock file that is held only *while waiting* for the database. Whoever has just committed finds it
taken by the one who waits, and queues behind.
"""

import os
import sqlite3
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from types import TracebackType

from ledger.errors import Busy
from ledger.stores.sqlite_errors import is_busy

SHORTEST, LONGEST, GROWTH = 50e-6, 1e-3, 1.2
"""Seconds between two tries, and by how much they grow: shorter than a commit at first, not to sleep through a turn."""


def patiently(attempt: Callable[[], bool], deadline: float) -> bool:
    """Try until it works.

    Args:
        attempt: Tells whether it worked.
        deadline: When to give up, as `time.monotonic` has it.

    Returns:
        Whether it worked in time.
    """
    pause = SHORTEST
    while not attempt():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(pause * GROWTH, LONGEST)
    return True


class Line:
    """A lock that threads get in the order in which they asked for it."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._taken = False
        self._waiting: deque[Lock] = deque()

    def acquire(self, patience: float) -> bool:
        """Wait for one's turn, `patience` seconds at most.

        Returns:
            Whether it came.
        """
        with self._mutex:
            if not self._taken:
                self._taken = True
                return True
            gate = Lock()
            gate.acquire()
            self._waiting.append(gate)
        try:
            return gate.acquire(timeout=patience) or not self._gave_up(gate)
        except BaseException:
            if not self._gave_up(gate):
                self.release()
            raise

    def release(self) -> None:
        """Hand it to the next in line."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False

    def _gave_up(self, gate: Lock) -> bool:
        with self._mutex:
            if gate in self._waiting:
                self._waiting.remove(gate)
                return True
            return False  # the turn came at the last moment


class Turnstile:
    """A lock file between processes. Where the system has none, all pass at once and only the database decides.

    Args:
        path: The file; it is made where there is none, and stays.
    """

    def __init__(self, path: str) -> None:
        # Reading is enough for a lock, and lets in those who share the ledger but do not own this file.
        self._file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o666)

    def enter(self) -> bool:
        """Take it if it is free.

        Returns:
            Whether one is in.
        """
        return self._file < 0 or _lock(self._file)

    def leave(self) -> None:
        """Let the next one in."""
        if self._file >= 0:
            _unlock(self._file)

    def close(self) -> None:
        """Let go of the file."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)


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
        deadline = time.monotonic() + self._patience
        if not self._line.acquire(self._patience):
            raise self._too_long()
        try:
            self._begin(deadline)
        except BaseException:
            self._end()
            raise
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

    def _begin(self, deadline: float) -> None:
        if not patiently(self._turnstile.enter, deadline):
            raise self._too_long()
        try:
            if not patiently(self._begun, deadline):
                raise self._too_long()
        finally:
            self._turnstile.leave()

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


if sys.platform == "win32":

    def _lock(file: int) -> bool:
        return True

    def _unlock(file: int) -> None: ...

else:
    import fcntl

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # a file system without locks
        return True

    def _unlock(file: int) -> None:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)
