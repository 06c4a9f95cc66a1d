"""The live feed: each reader gets all entries after a given one, in order, without a gap or a repeat.

The feed pulls: a reader asks for the entries after the last one that it has, and waits for a signal if there are none.
So a slow reader delays no other and fills no queue, and catching up works like following. Readers with the same view
and the same last entry share the work.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager

from ledger.errors import Busy, Unusable
from replays.server.http.metrics import READERS
from replays.server.http.pages import LogPage
from replays.server.http.problems import TooManyFeeds
from replays.server.runtime.uncancelled import await_uncancelled
from replays.sessions import ports

Read = Callable[[int], Awaitable[LogPage]]


class _Signal:
    """Wakes the readers of one session when it has new entries."""

    def __init__(self) -> None:
        self.rings = 0
        """The number of rings. A reader notes it before it reads, so that it misses none while it reads."""
        self.reads: dict[tuple[object, int], asyncio.Future[LogPage]] = {}
        """The reads that are going on, by view and last entry; readers share them."""
        self._waiters: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wakes all readers that wait."""
        self.rings += 1
        self.reads.clear()
        for waiter in self._waiters:
            _wake(waiter)

    async def wait(self, rings: int, seconds: float) -> None:
        """Waits for a ring, at most for some seconds.

        Args:
            rings: The number of rings that the reader knows of; if there were more, this method does not wait.
            seconds: The longest to wait.
        """
        if self.rings != rings:
            return
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(seconds, _wake, waiter)
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiters.discard(waiter)


def _wake(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)


class Feed:
    """The live readers of each session.

    Args:
        most: Maximum number of feeds that one token may have open at the same time.
    """

    def __init__(self, most: int = 100) -> None:
        self._most = most
        self._of_token: Counter[str] = Counter()
        self._signals: dict[str, _Signal] = {}
        self._readers: Counter[str] = Counter()
        self._closing = False

    def __len__(self) -> int:
        """Returns the number of live readers."""
        return self._readers.total()

    @property
    def sessions(self) -> Collection[str]:
        """The sessions that have live readers."""
        return list(self._signals)

    def ring(self, sessions: Collection[str]) -> None:
        """Wakes the readers of these sessions: there are new entries, or a token was revoked."""
        for session in sessions:
            signal = self._signals.get(session)
            if signal is not None:
                signal.ring()

    def close(self) -> None:
        """Ends all feeds."""
        self._closing = True
        self.ring(self.sessions)

    def check(self, token: str) -> None:
        """Refuses a token that has the maximum number of feeds open.

        Raises:
            TooManyFeeds: The token has the maximum number of feeds open.
        """
        if self._of_token[token] >= self._most:
            raise TooManyFeeds("this token has too many live feeds open", where="feed", accepts=f"up to {self._most}")

    async def follow(  # noqa: PLR0917
        self,
        session: str,
        after: int,
        view: object,
        read: Read,
        beat: float,
        token: str = "",
        until: float | None = None,
    ) -> AsyncGenerator[LogPage]:
        """Yields pages of the entries after one as they are written; an empty page every `beat` seconds without any.

        Args:
            session: The session's id.
            after: The number of the last entry that the reader has.
            view: Readers with equal views see the same.
            read: Reads a page of the entries after one.
            beat: Seconds without entries after which an empty page is yielded.
            token: The id of the reader's token.
            until: A time, in seconds since 1970, at which a page is yielded in any case; None for no such time.

        Raises:
            TooManyFeeds: The token has the maximum number of feeds open.
        """
        with self._counted(token), self._reading(session) as signal:
            waited = False
            while not self._closing:
                rings = signal.rings
                try:
                    page = await self._shared(signal, (view, after), read, after)
                except (Busy, Unusable):  # the ledger is unavailable for now: the reader stays connected
                    page = LogPage((), frozenset())
                if page.entries or page.revoked or waited:  # a token may be revoked while a page is on its way
                    yield page
                after = page.entries[-1].seq if page.entries else after
                waited = page.is_last or not page.entries
                if waited:
                    await signal.wait(rings, beat if until is None else min(beat, max(until - ports.seconds(), 0)))

    @contextmanager
    def _counted(self, token: str) -> Iterator[None]:
        """Counts a feed of a token while it is open."""
        self.check(token)
        self._of_token[token] += 1
        try:
            yield
        finally:
            self._of_token[token] -= 1
            if not self._of_token[token]:
                del self._of_token[token]

    @contextmanager
    def _reading(self, session: str) -> Iterator[_Signal]:
        """Registers a reader of a session while its feed is open; returns the signal that wakes it."""
        signal = self._signals.setdefault(session, _Signal())
        self._readers[session] += 1
        READERS.set(len(self))
        try:
            yield signal
        finally:
            self._readers[session] -= 1
            if not self._readers[session]:
                del self._readers[session], self._signals[session]
            READERS.set(len(self))

    async def _shared(self, signal: _Signal, place: tuple[object, int], read: Read, after: int) -> LogPage:
        """Returns the page at a place, which readers with the same view and last entry read together."""
        reading = signal.reads.get(place)
        if reading is None:
            reading = signal.reads[place] = asyncio.ensure_future(read(after))
            reading.add_done_callback(lambda done: signal.reads.get(place) is done and signal.reads.pop(place))
        return await await_uncancelled(reading)
