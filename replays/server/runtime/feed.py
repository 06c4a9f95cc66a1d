"""The live feed: each reader gets all entries after a given one, in order, without a gap or a repeat.

The feed pulls: a reader asks for the entries after the last one that it has, and waits for a signal if there are none.
So a slow reader delays no other and fills no queue, and catching up works like following. Readers with the same view
and the same last entry share the work: those that wait are woken once, when what is new has been read for all of them.
They wait on if nothing is new: what a server writes reaches it a second time, as news of the ledger.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from ledger.errors import Busy, Unusable
from replays.server.http.metrics import READERS
from replays.server.http.pages import LogPage
from replays.server.http.problems import TooManyFeeds
from replays.server.runtime.uncancelled import await_uncancelled
from replays.sessions import ports

Read = Callable[[int], Awaitable[LogPage]]


class _FeedPlace(NamedTuple):
    """What a reader has seen, and how it sees it."""

    view: object
    after: int
    """The number of the last entry that it has."""
    revoked: frozenset[str] = frozenset()
    """The ids of the revoked tokens that it knows of."""


class _FeedRead(NamedTuple):
    """A read that was begun."""

    rings: int
    """The number of rings until then: after a later one there may be more than it finds."""
    page: asyncio.Future[LogPage]


class _WaitingReaders:
    """Readers at the same place that wait for something new.

    One timer wakes them all, because separate ones would take a large part of the time of sending them an entry.

    Args:
        read: Reads what follows the entry.
    """

    def __init__(self, read: Read) -> None:
        self.read = read
        self.is_read_for = False
        """Whether a read for them is going on."""
        self.rings = -1
        """The number of rings when the last read for them began; -1 if there was none."""
        self._loop = asyncio.get_running_loop()
        self._readers: set[asyncio.Future[_FeedRead | None]] = set()
        self._timer: asyncio.Handle | None = None
        self._deadline = 0.0
        """When the timer wakes them, by the clock of the loop."""

    def __bool__(self) -> bool:
        """Returns whether there are any."""
        return bool(self._readers)

    def add(self, seconds: float) -> asyncio.Future[_FeedRead | None]:
        """Adds a reader; returns the future by which it is woken, at the latest after some seconds."""
        reader: asyncio.Future[_FeedRead | None] = self._loop.create_future()
        self._readers.add(reader)
        deadline = self._loop.time() + seconds
        if self._timer is None or deadline < self._deadline:
            self._end_timer()
            self._deadline, self._timer = deadline, self._loop.call_at(deadline, self.wake)
        return reader

    def discard(self, reader: asyncio.Future[_FeedRead | None]) -> None:
        """Removes a reader that waits no longer."""
        self._readers.discard(reader)
        if not self._readers:
            self._end_timer()

    def wake(self, begun: _FeedRead | None = None) -> None:
        """Wakes all readers, with a finished read or to read for themselves."""
        self._end_timer()
        for reader in self._readers:
            if not reader.done():
                reader.set_result(begun)

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Signal:
    """Wakes the readers of one session when it has new entries."""

    def __init__(self) -> None:
        self._rings = 0
        self._reads: dict[_FeedPlace, _FeedRead] = {}
        """The reads that are going on; readers share them."""
        self._waiting: dict[_FeedPlace, _WaitingReaders] = {}

    def ring(self) -> None:
        """Reads for all readers that wait; wakes them if there is something new, or the read fails."""
        self._rings += 1
        self._reads.clear()
        for place, readers in self._waiting.items():
            if not readers.is_read_for:
                self._read_for(place, readers)

    def _read_for(self, place: _FeedPlace, readers: _WaitingReaders) -> None:
        """Begins a read of what follows a place, for the readers that wait there."""
        begun = self.read(place, readers.read)
        readers.is_read_for, readers.rings = True, begun.rings
        begun.page.add_done_callback(partial(self._hand_out, begun, place, readers))

    def _hand_out(
        self, begun: _FeedRead, place: _FeedPlace, readers: _WaitingReaders, page: asyncio.Future[LogPage]
    ) -> None:
        """Wakes the readers at a place with a finished read if it found something; reads again after a later ring."""
        readers.is_read_for, is_empty = False, _is_empty(page, place)
        if self._waiting.get(place) is not readers:  # all have left, and others may have come since
            return
        if not is_empty:
            del self._waiting[place]
            readers.wake(begun)
        elif self._rings != begun.rings:
            self._read_for(place, readers)

    def wake(self) -> None:
        """Wakes all readers that wait, and reads nothing."""
        for readers in self._waiting.values():
            readers.wake()

    def read(self, place: _FeedPlace, read: Read) -> _FeedRead:
        """Returns the read of what follows a place, begun now unless it is going on."""
        begun = self._reads.get(place)
        if begun is None:
            begun = self._reads[place] = _FeedRead(self._rings, asyncio.ensure_future(read(place.after)))
            begun.page.add_done_callback(lambda _: self._reads.get(place) is begun and self._reads.pop(place))
        return begun

    async def wait(self, place: _FeedPlace, read: Read, rings: int, seconds: float) -> _FeedRead | None:
        """Waits for something new, at most for some seconds.

        Args:
            place: What the reader has.
            read: Reads what follows it.
            rings: The number of rings that the reader knows of; after more of them it is read for, if it was not yet.
            seconds: The longest to wait; shorter if another reader at this place may not wait as long.

        Returns:
            The finished read of what is new; None if the time is over or the feed ends.
        """
        waiting = self._waiting.get(place)
        if waiting is None:
            waiting = self._waiting[place] = _WaitingReaders(read)
        reader = waiting.add(seconds)
        if self._rings not in (rings, waiting.rings) and not waiting.is_read_for:
            self._read_for(place, waiting)
        try:
            return await reader
        finally:
            waiting.discard(reader)
            if not waiting and self._waiting.get(place) is waiting:
                del self._waiting[place]


def _is_empty(page: asyncio.Future[LogPage], place: _FeedPlace) -> bool:
    """Returns whether a page was read that has neither entries nor newly revoked tokens."""
    if page.cancelled() or page.exception() is not None:  # an error that was retrieved is not logged
        return False
    found = page.result()
    return not found.entries and found.revoked == place.revoked


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
        """Hands out what is new in these sessions, entries or revoked tokens, to the readers that wait for it."""
        for session in sessions:
            signal = self._signals.get(session)
            if signal is not None:
                signal.ring()

    def close(self) -> None:
        """Ends all feeds."""
        self._closing = True
        for signal in self._signals.values():
            signal.wake()

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
        """Yields pages of the entries after one as they are written; an empty page after `beat` seconds without any.

        Args:
            session: The session's id.
            after: The number of the last entry that the reader has.
            view: Readers with equal views see the same.
            read: Reads a page of the entries after one.
            beat: Seconds without entries after which, at the latest, an empty page is yielded.
            token: The id of the reader's token.
            until: A time, in seconds since 1970, at which a page is yielded in any case; None for no such time.

        Raises:
            TooManyFeeds: The token has the maximum number of feeds open.
        """
        with self._counted(token), self._reading(session) as signal:
            place, waited, new = _FeedPlace(view, after), False, None
            while not self._closing:
                begun = new or signal.read(place, read)
                try:
                    page = await await_uncancelled(begun.page)
                except (Busy, Unusable):  # the ledger is unavailable for now: the reader stays connected
                    page = LogPage((), place.revoked)
                if page.entries or page.revoked or waited:  # a token may be revoked while a page is on its way
                    yield page
                last = page.entries[-1].seq if page.entries else place.after
                place, waited, new = _FeedPlace(view, last, page.revoked), page.is_last or not page.entries, None
                rings = begun.rings
                del begun, page  # a reader that waits keeps no entries in memory
                if waited and not self._closing:
                    seconds = beat if until is None else min(beat, max(until - ports.seconds(), 0))
                    new = await signal.wait(place, read, rings, seconds)

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
