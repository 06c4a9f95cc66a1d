"""Who writes next: first come, first served.

SQLite's own way of waiting is not fair: it sleeps and tries again, so one writer in a tight loop starves all others for
good, and nothing tells. Here those who want to write stand in line. In a process the line is a queue, and whoever is
first in it writes for all who wait. Between processes it is a turnstile: a lock file that is held only *while waiting*
for the database. Whoever has just committed finds it taken by the one who waits, and queues behind.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

C = TypeVar("C")
T = TypeVar("T")

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


class Job(Generic[C, T]):
    """Something that a thread wants done, and what came of it.

    Args:
        work: Does it.
    """

    def __init__(self, work: Callable[[C], T]) -> None:
        self.work = work
        self.done = False
        self.error: Exception | None = None
        self._value: T
        self._told = Lock()
        self._told.acquire()

    def attempt(self, on: C) -> None:
        """Do it, on this."""
        try:
            self._value = self.work(on)
        except Exception as error:
            self.error = error

    def tell(self) -> None:
        """Wake the thread: it is done, or its turn has come."""
        self._told.release()

    def wait(self, patience: float = -1) -> bool:
        """Wait to be told; whether one was in time."""
        return self._told.acquire(timeout=patience)

    def result(self) -> T:
        """What came of it; what it raised is raised."""
        if self.error is not None:
            raise self.error
        return self._value


class Line(Generic[C, T]):
    """Threads that want something done, one at a time, first come, first served.

    Whoever is first does it for all who came by then: so many commits are one.
    """

    def __init__(self) -> None:
        self._mutex = Lock()
        self._led = False
        self._waiting: deque[Job[C, T]] = deque()

    def join(self, job: Job[C, T], patience: float) -> bool:
        """Stand in line until it is one's turn, or until somebody else has done one's job.

        Args:
            job: What is to be done.
            patience: Seconds to wait, at most, for somebody to begin with it.

        Returns:
            Whether it is one's turn: then one must `leave` in the end. Otherwise the job is done.

        Raises:
            TimeoutError: Nobody began with it.
        """
        with self._mutex:
            if not self._led:
                self._led = True
                return True
            self._waiting.append(job)
        try:
            if not job.wait(patience):
                if self._gave_up(job):
                    raise TimeoutError
                job.wait()
        except TimeoutError:
            raise
        except BaseException:
            self._go_away(job)
            raise
        return not job.done

    def taken(self) -> Sequence[Job[C, T]]:
        """The jobs of all who wait, for whoever's turn it is."""
        with self._mutex:
            jobs, self._waiting = self._waiting, deque()
        return jobs

    def leave(self) -> None:
        """Hand the turn to the next in line."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().tell()
            else:
                self._led = False

    def _gave_up(self, job: Job[C, T]) -> bool:
        with self._mutex:
            if job in self._waiting:
                self._waiting.remove(job)
                return True
            return False  # somebody began at the last moment

    def _go_away(self, job: Job[C, T]) -> None:
        if not self._gave_up(job):
            job.wait()
            if not job.done:
                self.leave()


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
