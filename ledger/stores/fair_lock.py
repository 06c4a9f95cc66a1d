"""Fair locks for writers: threads and processes write in the order in which they asked.

SQLite's busy handler is not fair: it sleeps and tries again, so one writer in a tight loop starves all others without
any sign. Here, the threads of a process wait in a queue. Processes wait at a turnstile: a lock file that is held only
*while waiting* for the database. A process that has just committed finds the turnstile held by the process that waits,
and so comes after it.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable
from threading import Lock

if sys.platform == "win32":
    LOCK_EX = LOCK_NB = LOCK_UN = 0

    def flock(file: int, operation: int) -> None:
        """Does nothing: Windows has no such locks."""

else:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

SHORTEST, LONGEST, GROWTH = 50e-6, 1e-3, 1.2
"""Seconds between two attempts, and the factor by which they grow. The first are shorter than a commit, so that the
waiting process does not miss the moment at which the lock is free."""


def patiently(attempt: Callable[[], bool], deadline: float) -> bool:
    """Repeats an attempt until it succeeds or a deadline passes.

    Args:
        attempt: Returns whether it succeeded.
        deadline: The time at which to give up, on the clock of `time.monotonic`.

    Returns:
        Whether an attempt succeeded.
    """
    pause = SHORTEST
    while not attempt():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(pause * GROWTH, LONGEST)
    return True


def try_lock(file: int) -> bool:
    """Takes the lock of a file if it is free; closing the file releases it.

    Returns:
        Whether the caller has the lock; also True if the file system has no such locks.
    """
    try:
        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


class FairLock:
    """A lock that threads acquire in the order in which they asked for it."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._taken = False
        self._waiting: deque[Lock] = deque()

    def acquire(self, patience: float) -> bool:
        """Waits for the lock, `patience` seconds at most.

        Returns:
            Whether the lock was acquired.
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
        """Passes the lock to the thread that has waited longest."""
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
            return False  # the lock was passed to this thread at the last moment


class Turnstile:
    """A lock file between processes. On a system without such locks it is always free, and only the database locks.

    Args:
        path: The file; created if it is missing, and never removed.
    """

    def __init__(self, path: str) -> None:
        # A lock needs only read access; so users who share the ledger but do not own this file can take it.
        self._file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o666)

    def enter(self) -> bool:
        """Takes the lock if it is free.

        Returns:
            Whether the caller may pass.
        """
        try:
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except (OSError, ValueError):  # the file system has no locks; or the turnstile is closed
            return True
        return True

    def leave(self) -> None:
        """Releases the lock; does nothing if it was not held."""
        try:
            flock(self._file, LOCK_UN)
        except (OSError, ValueError):
            return

    def close(self) -> None:
        """Closes the file."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)
