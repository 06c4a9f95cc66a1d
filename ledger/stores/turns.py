"""Who writes next: first come, first served.

SQLite's own way of waiting is not fair: it sleeps and tries again, so one writer in a tight loop starves all others for
good, and nothing tells. Here those who want to write stand in line. In a process the line is a queue. Between processes
it is a turnstile: a lock file that is held only *while waiting* for the database. Whoever has just committed finds it
taken by the one who waits, and queues behind.
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
        """Windows knows nothing of the kind."""

else:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

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


def try_lock(file: int) -> bool:
    """Take a file's lock, if nobody else has it; it is let go of with the file.

    Returns:
        Whether one has it; also where the file system knows no such locks.
    """
    try:
        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
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
    """A lock file between processes. Where the system has no such locks all pass, and only the database decides.

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
        try:
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except (OSError, ValueError):  # a file system without locks; closed
            return True
        return True

    def leave(self) -> None:
        """Let the next one in; no harm is done if one was not in."""
        try:
            flock(self._file, LOCK_UN)
        except (OSError, ValueError):
            return

    def close(self) -> None:
        """Let go of the file."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)
