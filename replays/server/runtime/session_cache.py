"""Caches sessions in memory, and runs one piece of work at a time on each.

A session is not safe for several threads. Work on one session waits in the order in which it arrived, and is then done
by a thread of the pool or by the writer thread, so that requests for other sessions are not delayed.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

from ledger.errors import Busy, Refused, Unusable
from ledger.stores import Store
from replays.api.session import Session
from replays.server.http.metrics import SESSIONS
from replays.server.runtime.uncancelled import await_uncancelled
from replays.server.runtime.worker import REREAD_AFTER
from replays.server.runtime.writer_thread import WriterThread

T = TypeVar("T")

_ENTRY = 1_000
"""Bytes of an ordinary entry; a log with longer entries counts as proportionally more entries."""
_BESIDE = 30
"""Memory that a session takes beside its entries, expressed as a number of entries."""


class _CachedSession:
    """One session of the cache, with the lock that orders the work on it."""

    __slots__ = ("has_news", "lock", "session", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        """Number of callers that use the session or wait for it."""
        self.session: Session | None = None
        self.has_news = False
        """Whether something was written, or may have been, since the live feed was informed last."""

    def keep(self, session: Session) -> None:
        """Keeps the session that was loaded, and notes what is written to it."""
        self.session = session
        session.listen(self._written)

    def _written(self, _: object) -> None:
        self.has_news = True

    def forget(self) -> None:
        """Drops the session, so that it is loaded anew."""
        self.session = None

    @property
    def size(self) -> int:
        log = self.session.log if self.session is not None else None
        return _BESIDE + (max(log.last, log.size // _ENTRY) if log is not None else 0)


class SessionCache:
    """The sessions in use, by id.

    Args:
        store: The store of all sessions.
        threads: Does the work.
        entries: Maximum number of entries in memory; the least recently used session that is idle is dropped first.
        writer: Does quick writes; None if the threads do these too.
        publish: Informs the live feed that sessions have new entries, once these are durable.
    """

    def __init__(
        self,
        store: Store,
        threads: Executor,
        entries: int,
        writer: WriterThread | None = None,
        publish: Callable[[Collection[str]], object] = lambda _: None,
    ) -> None:
        self._store = store
        self._publish = publish
        self._threads = threads
        self._entries = entries
        self._writer = writer
        self._cached: OrderedDict[str, _CachedSession] = OrderedDict()
        self._held = 0

    def __len__(self) -> int:
        return len(self._cached)

    async def run(self, session: str, work: Callable[[Session], T], *, quickly: bool = False) -> T:
        """Does a piece of work with a session when its turn comes.

        Work that was begun is finished, even if its caller is cancelled; only then does the next piece begin.

        Args:
            session: The session's id.
            work: Receives the session in its current state, with all entries of other processes.
            quickly: Whether the work writes once and is done soon.

        Raises:
            NoSuchSession: There is no session of that id.
        """
        cached = self._cached.get(session)
        if cached is None:
            cached = self._cached[session] = _CachedSession()
            self._held += _BESIDE
        self._cached.move_to_end(session)
        cached.users += 1
        try:
            await cached.lock.acquire()
        except BaseException:
            self._leave(session, cached)
            raise
        before = cached.size
        done = self._begun(cached, partial(self._work, cached, session, work), quickly)

        def ended(_: "asyncio.Future[T]") -> None:
            self._held += cached.size - before
            has_news, cached.has_news = cached.has_news, False
            cached.lock.release()
            self._leave(session, cached)
            if has_news:
                self._publish((session,))

        done.add_done_callback(ended)
        return await await_uncancelled(done)

    def _begun(self, cached: _CachedSession, work: Callable[[], T], quickly: bool) -> "asyncio.Future[T]":
        if quickly and self._writer is not None and cached.session is not None:  # loading it first would take long
            return self._writer.do(work, lost=cached.forget)
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _work(self, cached: _CachedSession, session: str, work: Callable[[Session], T]) -> T:
        try:
            if cached.session is None:
                cached.keep(opened := Session(self._store, session))
            else:
                opened = cached.session
                opened.log.refresh()
            return work(opened)
        except Refused as refusal:
            if isinstance(refusal, REREAD_AFTER) and not isinstance(refusal, Busy):
                cached.forget()
                cached.has_news |= not isinstance(refusal, Unusable)  # after which nothing was written
            raise
        except BaseException:
            cached.forget()  # its state is unknown, and whether it was written
            cached.has_news = True
            raise

    def _leave(self, session: str, cached: _CachedSession) -> None:
        self._tidy(session, cached)
        SESSIONS.set(len(self._cached))

    def _tidy(self, session: str, cached: _CachedSession) -> None:
        cached.users -= 1
        if cached.session is None and not cached.users:  # there is no such session
            self._drop(session)
        if self._held > self._entries:
            for other in [name for name, each in self._cached.items() if not each.users][:-1]:  # the latest stays
                if self._held <= self._entries:
                    break
                self._drop(other)

    def _drop(self, session: str) -> None:
        self._held -= self._cached.pop(session).size
