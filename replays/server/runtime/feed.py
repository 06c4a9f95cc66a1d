"""What is written, told live: each reader from the entry they name on, in order, without a gap and none twice.

Nobody is sent anything: a reader asks for what comes after the last entry they have, and waits for the bell where
there is nothing yet. So a slow reader holds up nobody and fills no queue, and catching up is the same as going on.
Readers with the same eyes at the same place share the work.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager, suppress

from ledger.errors import Busy, Unusable
from replays.server.http.metrics import READERS
from replays.server.http.pages import Page
from replays.server.http.problems import TooManyFeeds
from replays.server.runtime.uncancelled import outcome

Read = Callable[[int], Awaitable[Page]]


class _Bell:
    """Rung whenever a session goes on."""

    def __init__(self) -> None:
        self.rung = asyncio.Event()
        self.read: dict[tuple[object, int], asyncio.Future[Page]] = {}

    def ring(self) -> None:
        rung, self.rung = self.rung, asyncio.Event()
        self.read.clear()
        rung.set()


class Feed:
    """Who reads which session live.

    Args:
        most: Feeds that one token may have open at the same time.
    """

    def __init__(self, most: int = 100) -> None:
        self._most = most
        self._of_token: Counter[str] = Counter()
        self._bells: dict[str, _Bell] = {}
        self._readers: Counter[str] = Counter()
        self._closing = False

    def __len__(self) -> int:
        """How many read."""
        return self._readers.total()

    @property
    def sessions(self) -> Collection[str]:
        """The sessions that somebody reads."""
        return list(self._bells)

    def ring(self, sessions: Collection[str]) -> None:
        """Tell those who read these sessions that they went on, or that something else is to be looked at."""
        for session in sessions:
            bell = self._bells.get(session)
            if bell is not None:
                bell.ring()

    def close(self) -> None:
        """End all reading."""
        self._closing = True
        self.ring(self.sessions)

    def check(self, token: str) -> None:
        """Refuses a token that has as many feeds open as it may.

        Raises:
            TooManyFeeds: It has.
        """
        if self._of_token[token] >= self._most:
            raise TooManyFeeds("this token has too many live feeds open", where="feed", accepts=f"up to {self._most}")

    async def follow(  # noqa: PLR0917
        self, session: str, after: int, eyes: object, read: Read, beat: float, token: str = ""
    ) -> AsyncGenerator[Page]:
        """What comes after an entry, as it comes; an empty one now and then, and where a token is revoked.

        Args:
            session: Its id.
            after: The last entry that the reader has.
            eyes: Readers with the same eyes are told the same.
            read: Reads a page of what comes after an entry.
            beat: Seconds after which a reader hears that there is nothing.
            token: The id of the reader's token.

        Raises:
            TooManyFeeds: The token has as many feeds open as it may.
        """
        with self._counted(token), self._reading(session) as bell:
            waited = False
            while not self._closing:
                rung = bell.rung
                try:
                    page = await self._shared(bell, (eyes, after), read, after)
                except (Busy, Unusable):  # the ledger is away: nobody is sent away for it
                    page = Page((), frozenset())
                if page.frames or page.revoked or waited:  # a token may be revoked while a page is on its way
                    yield page
                waited = not page.frames
                if waited:
                    await _wait(rung, beat)
                else:
                    after = page.frames[-1].seq

    @contextmanager
    def _counted(self, token: str) -> Iterator[None]:
        self.check(token)
        self._of_token[token] += 1
        try:
            yield
        finally:
            self._of_token[token] -= 1
            if not self._of_token[token]:
                del self._of_token[token]

    @contextmanager
    def _reading(self, session: str) -> Iterator[_Bell]:
        bell = self._bells.setdefault(session, _Bell())
        self._readers[session] += 1
        READERS.set(len(self))
        try:
            yield bell
        finally:
            self._readers[session] -= 1
            if not self._readers[session]:
                del self._readers[session], self._bells[session]
            READERS.set(len(self))

    async def _shared(self, bell: _Bell, place: tuple[object, int], read: Read, after: int) -> Page:
        reading = bell.read.get(place)
        if reading is None:
            reading = bell.read[place] = asyncio.ensure_future(read(after))
            reading.add_done_callback(lambda done: bell.read.get(place) is done and bell.read.pop(place))
        return await outcome(reading)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    """Wait for something, or so long."""
    with suppress(TimeoutError):  # not `wait_for`: that of Python 3.11 may forget that it was cancelled
        async with asyncio.timeout(seconds):
            await event.wait()
