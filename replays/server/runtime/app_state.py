"""The state that the routes of one process share: store, session cache, live feed, webhooks, tokens, and threads."""

import asyncio
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog

from ledger.errors import Damaged, LogRefused, Refused, StoreRefused
from replays.campaigns.listing import Openings
from replays.exports.listing import KnownSummaries
from replays.server.callers.tokens import Signer, Tokens
from replays.server.runtime.campaign_jobs import CampaignJobs
from replays.server.runtime.feed import Feed
from replays.server.runtime.one_core import stay_on_one_core
from replays.server.runtime.questions.kept_answers import KeptAnswers
from replays.server.runtime.read_jobs import ReadJobs
from replays.server.runtime.session_cache import SessionCache
from replays.server.runtime.settings import Settings
from replays.server.runtime.writer_thread import WriterThread
from replays.server.webhooks.hooks import Hooks
from replays.table.online.tables import Tables

T = TypeVar("T")

THREADS = 4
"""Number of threads for short work."""
WAITING_THREADS = 16
"""The same with a store on other machines: the threads wait for it most of the time, and long while it is away."""
CHECK_THREADS = 4
"""Number of threads for checks of the ledger: so many may wait for it at the same time."""
_NEWS = 1.0
"""Seconds between two checks whether the server is closing."""


class AppState:
    """The shared state of one server process.

    Args:
        settings: The settings of the server.

    Raises:
        Refused: The ledger cannot be opened.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        core = stay_on_one_core() if settings.one_core else None
        self.store = settings.open()
        self.tokens = Tokens(Signer(settings.keys), self.store)
        self.feed = Feed(settings.feeds)
        self.hooks = Hooks(settings)
        self._threads = ThreadPoolExecutor(THREADS if self.store.one_writer else WAITING_THREADS, "affray")
        self._writer = WriterThread(self.store) if self.store.one_writer else None
        self.session_cache = SessionCache(self.store, self._threads, settings.entries, self._writer, self.feed.ring)
        self.read_jobs = ReadJobs(self.store, settings, core)
        self.kept_answers = KeptAnswers()
        self.summaries: KnownSummaries = {}
        self._lists = ThreadPoolExecutor(1, "affray-list")
        self._checks = ThreadPoolExecutor(CHECK_THREADS, "affray-check")
        self.openings = Openings(self.store)
        self.tables = Tables()
        self.campaign_jobs = CampaignJobs(self.store, self.read_jobs, self._threads)
        self._closing = threading.Event()
        self._ends: dict[str, tuple[int, int] | None] = {}
        self._unseen: frozenset[str] = frozenset()
        """Sessions that could not be read at the last check."""
        self._listener: threading.Thread | None = None

    # -------------------------------------------------------------------------------------------- work

    async def run(self, work: Callable[[], T]) -> T:
        """Does a short piece of work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def run_list(self, work: Callable[[], T]) -> T:
        """Does work that may read many sessions in a separate thread, so that it delays nothing but other lists."""
        return await asyncio.get_running_loop().run_in_executor(self._lists, work)

    async def check(self) -> None:
        """Checks that the ledger answers and accepts commits, in a separate thread: commands may wait for it long.

        Raises:
            StoreRefused: It does not.
        """
        await asyncio.get_running_loop().run_in_executor(self._checks, self.store.check_there)

    # -------------------------------------------------------------------------------------------- news

    def listen(self) -> None:
        """Starts the thread that notices what other processes write."""
        loop = asyncio.get_running_loop()
        self._listener = threading.Thread(target=self._listen, args=(loop,), name="affray-news", daemon=True)
        self._listener.start()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closing.is_set():
            try:
                news = self.store.news(_NEWS)
                changed = self._changed() if news is None or self._unseen else news
            except Refused as refusal:
                _warn("no news from the ledger", refusal)
                self._closing.wait(_NEWS)
                continue
            if changed and not self._closing.is_set():
                loop.call_soon_threadsafe(self.feed.ring, changed)

    def _changed(self) -> Collection[str]:
        """Returns the sessions with live readers whose last entry or tokens have changed since the last check.

        If a session cannot be read just now, its last known end is kept until the next check.
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
                    _warn("no news of a session", refusal, session=session)
        changed = [session for session, end in ends.items() if self._ends.get(session, ()) != end]
        self._ends, self._unseen = ends, frozenset(unseen)
        return changed

    def _end(self, session: str) -> tuple[int, int] | None:
        """Returns the number of a session's last entry and of its sealed records; None if it was deleted or damaged.

        Raises:
            StoreRefused: The store cannot be read just now.
        """
        try:
            return self.store.head(session).seq, len(self.store.seals(session))
        except (LogRefused, Damaged):
            return None

    # -------------------------------------------------------------------------------------------- the end

    def end(self) -> None:
        """Ends the live feeds and the read jobs; commands that are being written are finished."""
        self.feed.close()
        self.read_jobs.close()

    def close(self) -> None:
        """Finishes the work that was begun, and closes the ledger."""
        self.end()
        self._closing.set()
        self._threads.shutdown()
        self._lists.shutdown(cancel_futures=True)
        self._checks.shutdown(cancel_futures=True)
        self.hooks.close()
        if self._writer is not None:
            self._writer.close()
        if self._listener is not None:
            self._listener.join()
        self.store.close()


def _warn(event: str, refusal: Refused, **about: str) -> None:
    structlog.get_logger().warning(event, slug=refusal.slug, detail=refusal.message, **about)
