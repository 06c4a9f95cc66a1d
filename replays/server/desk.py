"""What every route needs: the store, the sessions in use, the readers, the tokens, and the threads that do the work."""

import asyncio
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import structlog

from ledger.errors import LogRefused, NoSuchSession, Refused
from replays.server.feed import Feed
from replays.server.rooms import Rooms
from replays.server.scribe import Scribe
from replays.server.settings import Settings
from replays.server.studies import Studies
from replays.server.tokens import Signer, Tokens

T = TypeVar("T")

THREADS = 4
"""For what takes a millisecond."""
_NEWS = 1.0
"""Seconds between two looks at whether the server closes."""


class Desk:
    """One process's share of the ledger.

    Args:
        settings: The server's.

    Raises:
        Refused: The ledger cannot be opened.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = settings.open()
        self.tokens = Tokens(Signer(settings.keys), self.store)
        self.feed = Feed(settings.feeds)
        self._threads = ThreadPoolExecutor(THREADS, "affray")
        self._scribe = Scribe(self.store) if self.store.one_writer else None
        self.rooms = Rooms(self.store, self._threads, settings.entries, self._scribe)
        self.studies = Studies(self.store, settings)
        self._closing = threading.Event()
        self._ends: dict[str, tuple[int, int] | None] = {}
        self._listener: threading.Thread | None = None

    # -------------------------------------------------------------------------------------------- work

    async def run(self, work: Callable[[], T]) -> T:
        """Do something that takes a moment, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def check(self) -> None:
        """See that the ledger answers.

        Raises:
            Refused: It does not.
        """
        with suppress(NoSuchSession):
            self.store.head("")

    # -------------------------------------------------------------------------------------------- news

    def listen(self) -> None:
        """Begin to hear what other processes write."""
        loop = asyncio.get_running_loop()
        self._listener = threading.Thread(target=self._listen, args=(loop,), name="affray-news", daemon=True)
        self._listener.start()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        log = structlog.get_logger()
        while not self._closing.is_set():
            try:
                news = self.store.news(_NEWS)
                gone_on = self._gone_on() if news is None else news
            except Refused as refusal:
                log.warning("no news from the ledger", slug=refusal.slug, detail=refusal.message)
                self._closing.wait(_NEWS)
                continue
            if gone_on and not self._closing.is_set():
                loop.call_soon_threadsafe(self.feed.ring, gone_on)

    def _gone_on(self) -> Collection[str]:
        """Of the sessions that somebody reads, those that have other ends, or tokens, than when it was last looked."""
        ends = {each: self._end(each) for each in self.feed.sessions}
        gone_on = [session for session, end in ends.items() if self._ends.get(session, ()) != end]
        self._ends = ends
        return gone_on

    def _end(self, session: str) -> tuple[int, int] | None:
        """What changes when a session goes on; None where it was deleted, which its readers are then told."""
        try:
            return self.store.head(session).seq, len(self.store.seals(session))
        except LogRefused:
            return None

    # -------------------------------------------------------------------------------------------- the end

    def end(self) -> None:
        """Let go all who read live, and all who wait for what takes its time; what is being written is finished."""
        self.feed.close()
        self.studies.close()

    def close(self) -> None:
        """Finish what was begun, and let go of the ledger."""
        self.end()
        self._closing.set()
        self._threads.shutdown()
        if self._scribe is not None:
            self._scribe.close()
        if self._listener is not None:
            self._listener.join()
        self.store.close()
