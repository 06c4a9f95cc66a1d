"""What takes its time and writes nothing: odds, audits, explanations, corrections that are only looked at.

Only so many are done at once, and only one of them for each session, so that no table waits for another's. Whoever
waits and goes away is forgotten; what was begun goes on to its end, though nobody waits for it, and keeps its place
until then.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from ledger.stores import Store
from replays.server.problems import Ending, TooMuch
from replays.server.shielding import outcome
from replays.session import Session

T = TypeVar("T")

AT_ONCE = 2
OF_ONE = 8
"""So many may be asked of one session, waiting ones included; others are told to come again."""
IN_ALL = 64


class _Line:
    """Those who want something reckoned of one session."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.length = 0


class Studies:
    """Reckons, on sessions opened for that alone.

    Args:
        store: Where they are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._free = asyncio.Semaphore(AT_ONCE)
        self._lines: dict[str, _Line] = {}
        self._begun: set[asyncio.Future[Any]] = set()
        self._closing = False

    async def run(self, session: str, work: Callable[[Session], T]) -> T:
        """Reckon something when it is one's turn.

        Raises:
            TooMuch: Too many others wait for such things.
            Ending: The server ends.
            NoSuchSession: There is no such session.
        """
        line = self._lines.get(session) or _Line()
        if line.length >= OF_ONE or sum(each.length for each in self._lines.values()) >= IN_ALL:
            raise TooMuch("too much is being reckoned already", accepts="the same a moment later")
        self._lines[session] = line
        line.length += 1
        try:
            await self._come(line)
        except BaseException:
            self._leave(session, line)
            raise
        done = _in_a_thread(lambda: work(Session(self._store, session)))
        self._begun.add(done)

        def ended(_: object) -> None:
            self._begun.discard(done)
            self._go(line)
            self._leave(session, line)

        done.add_done_callback(ended)
        return await outcome(done)

    def close(self) -> None:
        """Tell all who wait that nothing comes any more."""
        self._closing = True
        for done in list(self._begun):
            if not done.done():
                done.set_exception(_ending())

    async def _come(self, line: _Line) -> None:
        await line.turn.acquire()
        try:
            await self._free.acquire()
        except BaseException:
            line.turn.release()
            raise
        if self._closing:
            self._go(line)
            raise _ending()

    def _go(self, line: _Line) -> None:
        self._free.release()
        line.turn.release()

    def _leave(self, session: str, line: _Line) -> None:
        line.length -= 1
        if not line.length:
            del self._lines[session]


def _ending() -> Ending:
    return Ending("the server ends", accepts="the same a moment later")


def _in_a_thread(work: Callable[[], T]) -> "asyncio.Future[T]":
    """Do something in a thread that nothing waits for when the process ends: it only reads."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(how: Callable[[Any], None], what: Any) -> None:
        with suppress(RuntimeError):  # the process ends
            loop.call_soon_threadsafe(_tell, done, how, what)

    def run() -> None:
        try:
            found = work()
        except BaseException as error:
            tell(done.set_exception, error)
        else:
            tell(done.set_result, found)

    threading.Thread(target=run, name="affray-study", daemon=True).start()
    return done


def _tell(done: "asyncio.Future[Any]", how: Callable[[Any], None], what: Any) -> None:
    if not done.done():
        how(what)
