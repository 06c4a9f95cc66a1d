"""One thread that decides commands and writes them down, one after the other; what came meanwhile is one commit.

Threads that want the interpreter at the same time cost more than they do. Where only one may write to the ledger at a
time anyway, one thread does all that is quickly done, for all sessions, and nobody is answered before it is durable.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from ledger.errors import Busy
from ledger.stores import Store
from replays.server.http.problems import ending

T = TypeVar("T")

TOGETHER = 16
"""So many pieces of work are one commit at most: as long nobody else writes."""


class _Job(Generic[T]):
    """Something to do, and who waits for it."""

    __slots__ = ("_error", "_lost", "_value", "_work", "done")

    def __init__(self, work: Callable[[], T], done: "asyncio.Future[T]", lost: Callable[[], object]) -> None:
        self._work = work
        self.done = done
        self._lost = lost
        self._value: T
        self._error: BaseException | None = None

    @property
    def came_too_early(self) -> bool:
        """Did it wait in vain for others to let go of the ledger?"""
        return isinstance(self._error, Busy)

    def attempt(self) -> None:
        try:
            self._value = self._work()
        except StopIteration as error:  # no future takes it
            self._error = RuntimeError("the work stopped")
            self._error.__cause__ = error
        except BaseException as error:
            self._error = error

    def undo(self, error: Exception) -> None:
        """What it wrote, if it did, could not be made durable; what was refused stays refused."""
        self._lost()
        self._error = self._error or error

    def tell(self) -> None:
        if self.done.done():
            return
        if self._error is None:
            self.done.set_result(self._value)
        else:
            self.done.set_exception(self._error)


class Scribe:
    """The thread, and what waits for it.

    Args:
        store: What is written is written there.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._closing = False
        self._thread = Thread(target=self._go_on, name="affray-scribe", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], T], lost: Callable[[], object]) -> "asyncio.Future[T]":
        """Have something done.

        Args:
            work: Writes to one session at most, and takes a moment.
            lost: Is called, in the thread, where what was written could not be made durable.

        Returns:
            What comes of it; `Ending` where the server ends.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self._closing:
            done.set_exception(ending())
        else:
            self._waiting.put(_Job(work, done, lost))
        return done

    def close(self) -> None:
        """Finish what waits."""
        self._closing = True
        self._waiting.put(None)
        self._thread.join()

    def _go_on(self) -> None:
        while (job := self._waiting.get()) is not None:
            jobs = self._together(job)
            with suppress(RuntimeError):  # the process ends
                job.done.get_loop().call_soon_threadsafe(_tell, jobs)
            del job, jobs  # which keep sessions in memory

    def _together(self, first: _Job[Any]) -> Sequence[_Job[Any]]:
        """That, and what waits once it is done, and so on."""
        jobs: list[_Job[Any]] = [first]
        try:
            with self._store.together():
                first.attempt()
                while (job := self._next(jobs)) is not None:
                    jobs.append(job)
                    job.attempt()
        except Exception as error:
            for job in jobs:
                job.undo(error)
        return jobs

    def _next(self, jobs: Sequence[_Job[Any]]) -> _Job[Any] | None:
        """What waits, as long as others can; where nothing can be written all who wait are told so at once."""
        if len(jobs) >= TOGETHER and not jobs[-1].came_too_early:
            return None
        try:
            job = self._waiting.get_nowait()
        except Empty:
            return None
        if job is None:
            self._waiting.put(None)  # the last, for the thread itself
        return job


def _tell(jobs: Sequence[_Job[Any]]) -> None:
    for job in jobs:
        job.tell()
