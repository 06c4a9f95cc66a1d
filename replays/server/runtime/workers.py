"""Processes that answer what takes long. One is killed when its time is up, or nobody waits for its answer any more.

A thread cannot be ended and holds up the others of its process; a process can, and does not. Each has a line of its own
to the server, so that killing one harms no other. They are forked from a process that has loaded all they need, which
takes some milliseconds and shares its memory with them; where there is no such process, they are begun anew.
"""

import asyncio
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

import structlog

from replays.server.http.problems import TooSlow, ending
from replays.server.runtime import preloaded
from replays.server.runtime.uncancelled import outcome
from replays.server.runtime.worker import Reply, Task, TooLarge, work

T = TypeVar("T")

IDLE = 300.0
"""Seconds after which a worker that nobody needs is ended."""
_WAY = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


class Died(RuntimeError):
    """A worker ended by itself, or was ended by others than the server: the system may have run out of memory."""


class _Worker:
    """One process, and the line to it."""

    def __init__(self, process: BaseProcess, link: Connection) -> None:
        self._process = process
        self._link = link
        self.ending: asyncio.TimerHandle | None = None

    def ask(self, task: Task) -> Reply:
        """Have a task done; to be called in a thread, which waits.

        Raises:
            Died: The process has ended.
        """
        try:
            self._link.send(task)
            reply: Reply = self._link.recv()
        except (EOFError, OSError) as error:
            raise Died("a worker process has ended in the middle of its work") from error
        return reply

    def end(self) -> None:
        """End it, whatever it does."""
        with suppress(ProcessLookupError, PermissionError):
            self._process.kill()


class Workers:
    """The processes of a server that answer questions.

    Args:
        most: How many there are at most; none until one is needed.
    """

    def __init__(self, most: int) -> None:
        self._asking = ThreadPoolExecutor(most, "affray-study")
        self._beginning = ThreadPoolExecutor(1, "affray-begin")
        self._all: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._coming: list[asyncio.Future[_Worker]] = []
        """Those that are being begun and for which nobody waits any more."""
        self._closing = False

    async def run(self, task: Task, seconds: float) -> Reply:
        """Has a task done; if whoever waits for it is cancelled, it is given up.

        Args:
            task: Its session and its question.
            seconds: In which it must be done.

        Raises:
            TooSlow: It was not; then it was given up.
            Died: The worker was killed by others.
            Ending: The server ends.
        """
        if self._closing:
            raise ending()
        if self._idle:
            try:
                return await self._asked(self._idle[-1], task, seconds)
            except Died:  # in its sleep, perhaps: nothing is written, so it may be asked again
                if self._closing:
                    raise
        return await self._asked(await self._new(), task, seconds)

    def close(self) -> None:
        """End all of them."""
        self._closing = True
        for worker in list(self._all):
            self._end(worker)
        self._asking.shutdown(wait=False, cancel_futures=True)
        self._beginning.shutdown(wait=False, cancel_futures=True)

    # -------------------------------------------------------------------------------------------- one of them

    async def _asked(self, worker: _Worker, task: Task, seconds: float) -> Reply:
        self._wake(worker)
        asked = asyncio.get_running_loop().run_in_executor(self._asking, worker.ask, task)
        try:
            async with asyncio.timeout(seconds):
                reply = await _come(asked)
        except TimeoutError as error:
            raise TooSlow(f"it took longer than {seconds:g} s", accepts="less at once") from error
        finally:
            if _is_done(asked):
                self._give_back(worker)
            else:
                self._end(worker)
        return reply

    async def _new(self) -> _Worker:
        loop = asyncio.get_running_loop()
        coming = self._coming.pop() if self._coming else loop.run_in_executor(self._beginning, _begun)
        try:
            worker = await _come(coming)
        except asyncio.CancelledError:
            self._coming.append(coming)  # for whoever comes next
            coming.add_done_callback(self._keep)
            raise
        if self._closing:
            worker.end()
            raise ending()
        self._all.add(worker)
        return worker

    def _keep(self, coming: "asyncio.Future[_Worker]") -> None:
        """Keep a worker that nobody has been waiting for."""
        if coming in self._coming:
            self._coming.remove(coming)
            if not coming.cancelled() and coming.exception() is None:
                self._all.add(coming.result())
                self._give_back(coming.result())
                if self._closing:
                    self._end(coming.result())

    def _give_back(self, worker: _Worker) -> None:
        worker.ending = asyncio.get_running_loop().call_later(IDLE, self._end, worker)
        self._idle.append(worker)

    def _wake(self, worker: _Worker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
        if worker.ending is not None:
            worker.ending.cancel()

    def _end(self, worker: _Worker) -> None:
        self._wake(worker)
        self._all.discard(worker)
        worker.end()


async def _come(done: "asyncio.Future[T]") -> T:
    """What comes of something; if it will not be done any more, that is because the server ends."""
    try:
        return await outcome(done)
    except asyncio.CancelledError:
        if done.cancelled():  # and not whoever waits for it
            raise ending() from None
        raise


def _is_done(asked: "asyncio.Future[Reply]") -> bool:
    """Is the worker fit for the next task? One that has run out of memory is in pieces."""
    if not asked.done() or asked.cancelled() or asked.exception() is not None:
        return False
    return not isinstance(asked.result().refusal, TooLarge)


def _begun() -> _Worker:
    context: Any = multiprocessing.get_context(_WAY)
    if _WAY == "forkserver":
        context.set_forkserver_preload([preloaded.__name__])
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), name="affray-study", daemon=True)
    process.start()
    theirs.close()
    structlog.get_logger().info("worker begun", process=process.pid)
    return _Worker(process, ours)
