"""The sessions in use: so many are held in memory, one person at a time has the turn in each, threads do the work.

A session is not made for several threads. Here everybody who wants something of it waits in line for it, in the order
in which they came, and then a thread does it, so that what others ask meanwhile is not held up: one of the pool, or
that of the scribe.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

from ledger.errors import Busy, Refused
from ledger.stores import Store
from replays.api.session import Session
from replays.server.http.metrics import SESSIONS
from replays.server.runtime.uncancelled import outcome
from replays.server.runtime.worker import DOUBTFUL
from replays.server.runtime.writer_thread import Scribe

T = TypeVar("T")

_ENTRY = 1_000
"""Bytes of an entry as most are; a log of longer ones counts as so many more entries."""
_BESIDE = 30
"""What a session takes beside its entries, in entries."""


class _Room:
    """One session, once somebody has asked for it, and the line of those who want something of it."""

    __slots__ = ("guests", "has_news", "session", "turn")

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.guests = 0
        self.session: Session | None = None
        self.has_news = False
        """Was something written, or perhaps written, since its readers were told last?"""

    def enter(self, session: Session) -> None:
        """Keep the session that was read; what is written to it is news."""
        self.session = session
        session.listen(self._written)

    def _written(self, _: object) -> None:
        self.has_news = True

    def forget(self) -> None:
        """Let it be read anew."""
        self.session = None

    @property
    def size(self) -> int:
        log = self.session.log if self.session is not None else None
        return _BESIDE + (max(log.last, log.size // _ENTRY) if log is not None else 0)


class Rooms:
    """The sessions in use.

    Args:
        store: Where all sessions are.
        threads: Does the work.
        entries: So many are held; of those not in use the one that was used longest ago goes first.
        scribe: Does what is quickly written; left out, the threads do that, too.
        publish: Tells those who read sessions live that these have gone on, once what was written is durable.
    """

    def __init__(
        self,
        store: Store,
        threads: Executor,
        entries: int,
        scribe: Scribe | None = None,
        publish: Callable[[Collection[str]], object] = lambda _: None,
    ) -> None:
        self._store = store
        self._publish = publish
        self._threads = threads
        self._entries = entries
        self._scribe = scribe
        self._rooms: OrderedDict[str, _Room] = OrderedDict()
        self._held = 0

    def __len__(self) -> int:
        return len(self._rooms)

    async def run(self, session: str, work: Callable[[Session], T], *, quickly: bool = False) -> T:
        """Do something with a session when it is one's turn.

        What was begun is finished, even if nobody waits for it any more; until then it is nobody else's turn.

        Args:
            session: Its id.
            work: Gets the session as it is now, with all that other processes have written.
            quickly: Is it something that writes, once, and is soon done?

        Raises:
            NoSuchSession: There is none of that id.
        """
        room = self._rooms.get(session)
        if room is None:
            room = self._rooms[session] = _Room()
            self._held += _BESIDE
        self._rooms.move_to_end(session)
        room.guests += 1
        try:
            await room.turn.acquire()
        except BaseException:
            self._leave(session, room)
            raise
        before = room.size
        done = self._begun(room, partial(self._work, room, session, work), quickly)

        def ended(_: "asyncio.Future[T]") -> None:
            self._held += room.size - before
            has_news, room.has_news = room.has_news, False
            room.turn.release()
            self._leave(session, room)
            if has_news:
                self._publish((session,))

        done.add_done_callback(ended)
        return await outcome(done)

    def _begun(self, room: _Room, work: Callable[[], T], quickly: bool) -> "asyncio.Future[T]":
        if quickly and self._scribe is not None and room.session is not None:  # to read it first takes its time
            return self._scribe.do(work, lost=room.forget)
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _work(self, room: _Room, session: str, work: Callable[[Session], T]) -> T:
        try:
            if room.session is None:
                room.enter(opened := Session(self._store, session))
            else:
                opened = room.session
                opened.log.refresh()
            return work(opened)
        except Refused as refusal:
            if isinstance(refusal, DOUBTFUL) and not isinstance(refusal, Busy):
                room.forget()
                room.has_news = True
            raise
        except BaseException:
            room.forget()  # who knows what it was left in, and whether it was written
            room.has_news = True
            raise

    def _leave(self, session: str, room: _Room) -> None:
        self._tidy(session, room)
        SESSIONS.set(len(self._rooms))

    def _tidy(self, session: str, room: _Room) -> None:
        room.guests -= 1
        if room.session is None and not room.guests:  # there is no such session
            self._drop(session)
        if self._held > self._entries:
            for other in [name for name, each in self._rooms.items() if not each.guests][:-1]:  # the latest stays
                if self._held <= self._entries:
                    break
                self._drop(other)

    def _drop(self, session: str) -> None:
        self._held -= self._rooms.pop(session).size
