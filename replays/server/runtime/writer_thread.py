"""Decides and writes commands one after the other in a single thread, several in one commit.

Threads that compete for the interpreter cost more than they gain. If only one thread may write to the ledger at a time,
one thread does all quick writes of all sessions. No caller is answered before its entries are durable.
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
"""Maximum number of jobs in one commit: other processes cannot write meanwhile."""


class _Job(Generic[T]):
    """A piece of work, and the future that receives its result."""

    __slots__ = ("_error", "_lost", "_value", "_work", "done")

    def __init__(self, work: Callable[[], T], done: "asyncio.Future[T]", lost: Callable[[], object]) -> None:
        self._work = work
        self.done = done
        self._lost = lost
        self._value: T
        self._error: BaseException | None = None

    @property
    def was_busy(self) -> bool:
        """Whether it failed because another process kept the ledger locked."""
        return isinstance(self._error, Busy)

    def attempt(self) -> None:
        try:
            self._value = self._work()
        except StopIteration as error:  # a future cannot hold a StopIteration
            self._error = RuntimeError("the work stopped")
            self._error.__cause__ = error
        except BaseException as error:
            self._error = error

    def undo(self, error: Exception) -> None:
        """Records that what it wrote is lost; a job that was refused stays refused."""
        self._lost()
        self._error = self._error or error

    def resolve(self) -> None:
        if self.done.done():
            return
        if self._error is None:
            self.done.set_result(self._value)
        else:
            self.done.set_exception(self._error)


class WriterThread:
    """The thread and its queue of jobs.

    Args:
        store: The store that is written to.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._closing = False
        self._thread = Thread(target=self._run, name="affray-writer", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], T], lost: Callable[[], object]) -> "asyncio.Future[T]":
        """Queues a piece of work.

        Args:
            work: Writes to one session at most, and takes a moment.
            lost: Is called in the thread if what was written could not be made durable.

        Returns:
            A future of its result, or of the refusal `Ending` if the server is shutting down.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self._closing:
            done.set_exception(ending())
        else:
            self._waiting.put(_Job(work, done, lost))
        return done

    def close(self) -> None:
        """Finishes the waiting jobs and ends the thread."""
        self._closing = True
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._waiting.get()) is not None:
            jobs = self._together(job)
            with suppress(RuntimeError):  # the event loop has ended with the process
                job.done.get_loop().call_soon_threadsafe(_resolve, jobs)
            del job, jobs  # they would keep sessions in memory

    def _together(self, first: _Job[Any]) -> Sequence[_Job[Any]]:
        """Runs a job, and those that are waiting when it is done, in one commit."""
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
        """Returns the next job of this commit; if the ledger is locked, all waiting jobs fail with it at once."""
        if len(jobs) >= TOGETHER and not jobs[-1].was_busy:
            return None
        try:
            job = self._waiting.get_nowait()
        except Empty:
            return None
        if job is None:
            self._waiting.put(None)  # the end mark: the thread itself needs it
        return job


def _resolve(jobs: Sequence[_Job[Any]]) -> None:
    for job in jobs:
        job.resolve()
