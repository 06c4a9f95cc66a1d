"""What every route needs: the store, the sessions in use, the readers, the tokens, and the threads that do the work."""

import asyncio
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import structlog

from ledger.errors import Damaged, LogRefused, NoSuchSession, Refused, StoreRefused
from replays.server.callers.tokens import Signer, Tokens
from replays.server.runtime.feed import Feed
from replays.server.runtime.read_jobs import Studies
from replays.server.runtime.session_cache import Rooms
from replays.server.runtime.settings import Settings
from replays.server.runtime.writer_thread import Scribe

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
        self.rooms = Rooms(self.store, self._threads, settings.entries, self._scribe, self.feed.ring)
        self.studies = Studies(self.store, settings)
        self._closing = threading.Event()
        self._ends: dict[str, tuple[int, int] | None] = {}
        self._unseen: frozenset[str] = frozenset()
        """Sessions that the ledger would not tell of when it was looked last."""
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
        self.store.check_there()
        with suppress(NoSuchSession):
            self.store.head("")

    # -------------------------------------------------------------------------------------------- news

    def listen(self) -> None:
        """Begin to hear what other processes write."""
        loop = asyncio.get_running_loop()
        self._listener = threading.Thread(target=self._listen, args=(loop,), name="affray-news", daemon=True)
        self._listener.start()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closing.is_set():
            try:
                news = self.store.news(_NEWS)
                gone_on = self._gone_on() if news is None or self._unseen else news
            except Refused as refusal:
                _tell("no news from the ledger", refusal)
                self._closing.wait(_NEWS)
                continue
            if gone_on and not self._closing.is_set():
                loop.call_soon_threadsafe(self.feed.ring, gone_on)

    def _gone_on(self) -> Collection[str]:
        """Of the sessions that somebody reads, those that have other ends, or tokens, than when it was last looked.

        Of one that the ledger does not tell of just now, the last known end is kept, and it is looked again.
        """
        ends, unseen = dict[str, tuple[int, int] | None](), set[str]()
        for session in self.feed.sessions:
            try:
                ends[session] = self._end(session)
            except StoreRefused as refusal:
                unseen.add(session)
                if session in self._ends:
                    ends[session] = self._ends[session]
                if session not in self._unseen:
                    _tell("no news of a session", refusal, session=session)
        gone_on = [session for session, end in ends.items() if self._ends.get(session, ()) != end]
        self._ends, self._unseen = ends, frozenset(unseen)
        return gone_on

    def _end(self, session: str) -> tuple[int, int] | None:
        """What changes when a session goes on; None where it was deleted or damaged, which its readers are then told.

        Raises:
            StoreRefused: Another time it may be told.
        """
        try:
            return self.store.head(session).seq, len(self.store.seals(session))
        except (LogRefused, Damaged):
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


def _tell(what: str, refusal: Refused, **about: str) -> None:
    structlog.get_logger().warning(what, slug=refusal.slug, detail=refusal.message, **about)
