"""Manages worker processes for long questions; a worker is killed at its time limit or when its caller disconnects.

A thread could not be killed, and would slow down the other threads of its process. Each worker has a separate pipe to
the server, so that killing one harms no other. Workers are forked from a process that has loaded all they need: this
takes a few milliseconds and shares memory. Where the system has no fork server, they are spawned.
"""

import asyncio
import multiprocessing
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

import structlog

from replays.server.http.problems import TooSlow, ending
from replays.server.runtime.one_core import OneCore
from replays.server.runtime.uncancelled import await_uncancelled
from replays.server.runtime.worker import Task, TaskResult, TooLarge, work

T = TypeVar("T")

IDLE = 300.0
"""Seconds after which an idle worker is ended."""
_PRELOADED = "replays.server.runtime.preloaded"
"""The module that loads what workers need; the server itself loads a game when a session needs it."""
_PROCESS_CLOCK = 2
"""Which clock of a process Linux is asked for: its processor time, to the nanosecond."""
_START_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


class WorkerDied(RuntimeError):
    """A worker process ended without the server ending it: the system may have run out of memory."""


class _Worker:
    """One worker process and the pipe to it."""

    def __init__(self, process: BaseProcess, link: Connection) -> None:
        self._process = process
        self._link = link
        self.ending: asyncio.TimerHandle | None = None

    def ask(self, task: Task) -> TaskResult:
        """Has a task done, and blocks until it is; to be called in a thread.

        Raises:
            WorkerDied: The process has ended.
        """
        try:
            self._link.send(task)
            reply: TaskResult = self._link.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied("a worker process has ended in the middle of its work") from error
        return reply

    def processor_time(self) -> float | None:
        """Returns the processor time that the process has used, in seconds; None where it is unknown."""
        if sys.platform != "linux" or self._process.pid is None:
            return None
        with suppress(OSError):  # it has ended
            return time.clock_gettime(~self._process.pid << 3 | _PROCESS_CLOCK)
        return None

    def end(self) -> None:
        """Kills the process."""
        with suppress(ProcessLookupError, PermissionError):
            self._process.kill()


class Workers:
    """The worker processes of a server process.

    Args:
        most: Maximum number of workers; each is started when it is needed.
        core: The core on which the server's threads are, and its workers are not.
    """

    def __init__(self, most: int, core: OneCore | None = None) -> None:
        self._core = core
        self._waiting = ThreadPoolExecutor(most, "affray-read-job")
        self._starting = ThreadPoolExecutor(1, "affray-start")
        self._all: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._orphaned: list[asyncio.Future[_Worker]] = []
        """Workers that are being started and whose callers are gone; the next caller gets them."""
        self._closing = False

    async def run(self, task: Task, seconds: float, processor: float | None = None) -> TaskResult:
        """Has a task done by a worker; if the caller is cancelled, the task is given up.

        Args:
            task: The session and the question.
            seconds: The time limit.
            processor: The limit of processor time in seconds, which a busy machine does not shorten; None: no limit.

        Raises:
            TooSlow: The task took longer than the time limit, and was given up.
            WorkerDied: The worker ended without the server ending it.
            Ending: The server is shutting down.
        """
        if self._closing:
            raise ending()
        if self._idle:
            try:
                return await self._done(self._idle[-1], task, seconds, processor)
            except WorkerDied:  # perhaps while it was idle: a question writes nothing, so it may be asked once more
                if self._closing:
                    raise
        return await self._done(await self._new(), task, seconds, processor)

    def close(self) -> None:
        """Kills all workers."""
        self._closing = True
        for worker in list(self._all):
            self._end(worker)
        self._waiting.shutdown(wait=False, cancel_futures=True)
        self._starting.shutdown(wait=False, cancel_futures=True)

    # -------------------------------------------------------------------------------------------- one worker

    async def _done(self, worker: _Worker, task: Task, seconds: float, processor: float | None) -> TaskResult:
        self._take(worker)
        reply = asyncio.get_running_loop().run_in_executor(self._waiting, worker.ask, task)
        try:
            async with asyncio.timeout(seconds):
                if processor is not None:
                    await _within_processor_time(worker, reply, processor)
                return await _result(reply)
        except TimeoutError as error:
            raise TooSlow(f"the answer took longer than {seconds:g} s", accepts="a smaller question") from error
        finally:
            if _is_reusable(reply):
                self._give_back(worker)
            else:
                self._end(worker)

    async def _new(self) -> _Worker:
        loop = asyncio.get_running_loop()
        starting = (
            self._orphaned.pop() if self._orphaned else loop.run_in_executor(self._starting, _started, self._core)
        )
        try:
            worker = await _result(starting)
        except asyncio.CancelledError:
            self._orphaned.append(starting)
            starting.add_done_callback(self._keep)
            raise
        if self._closing:
            worker.end()
            raise ending()
        self._all.add(worker)
        return worker

    def _keep(self, starting: "asyncio.Future[_Worker]") -> None:
        """Keeps a worker as an idle one if its caller was cancelled before it had started."""
        if starting in self._orphaned:
            self._orphaned.remove(starting)
            if not starting.cancelled() and starting.exception() is None:
                self._all.add(starting.result())
                self._give_back(starting.result())
                if self._closing:
                    self._end(starting.result())

    def _give_back(self, worker: _Worker) -> None:
        worker.ending = asyncio.get_running_loop().call_later(IDLE, self._end, worker)
        self._idle.append(worker)

    def _take(self, worker: _Worker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
        if worker.ending is not None:
            worker.ending.cancel()

    def _end(self, worker: _Worker) -> None:
        self._take(worker)
        self._all.discard(worker)
        worker.end()


async def _within_processor_time(worker: _Worker, reply: "asyncio.Future[TaskResult]", processor: float) -> None:
    """Waits until a worker has replied; a `TimeoutError` is raised once it has used that much processor time."""
    begun = worker.processor_time()
    left = processor
    while not reply.done():
        await asyncio.wait([reply], timeout=left)
        used = worker.processor_time()
        left = 0 if begun is None or used is None else processor - (used - begun)
        if left <= 0 and not reply.done():
            raise TimeoutError


async def _result(done: "asyncio.Future[T]") -> T:
    """Returns the result of a future; if the future was cancelled, the server is shutting down.

    Raises:
        Ending: The future was cancelled.
    """
    try:
        return await await_uncancelled(done)
    except asyncio.CancelledError:
        if done.cancelled():  # otherwise it was the caller that was cancelled
            raise ending() from None
        raise


def _is_reusable(reply: "asyncio.Future[TaskResult]") -> bool:
    """Returns whether the worker can do another task: it has replied, and has not run out of memory."""
    if not reply.done() or reply.cancelled() or reply.exception() is not None:
        return False
    return not isinstance(reply.result().refusal, TooLarge)


def _started(core: OneCore | None) -> _Worker:
    context: Any = multiprocessing.get_context(_START_METHOD)
    if _START_METHOD == "forkserver":
        context.set_forkserver_preload([_PRELOADED])
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), name="affray-worker", daemon=True)
    with nullcontext() if core is None else core.on_any_core():
        process.start()
    theirs.close()
    structlog.get_logger().info("worker started", process=process.pid)
    return _Worker(process, ours)
