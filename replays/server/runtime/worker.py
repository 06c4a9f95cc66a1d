"""What a worker process does: it answers questions about sessions, one after the other, and is killed at will.

It only reads, and opens a ledger that is a file for reading alone, so nothing is lost with it. It imports no web
framework: it is begun in a moment, and small.
"""

import os
import signal
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection

import msgspec

from ledger.chain import Record
from ledger.errors import Broken, Newer, Refused, SessionDeleted, StoreRefused, Unreadable
from ledger.stores import Batch, Store
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.server.callers.seat_token import Caller
from replays.server.runtime.questions import Question
from replays.server.runtime.settings import Settings

DOUBTFUL = (Broken, Newer, SessionDeleted, StoreRefused, Unreadable)
"""Refusals after which a session is read anew: the ledger was away, or is not what it was."""
MEMORY = 512_000_000
"""Bytes of data that a worker may have."""
_KEPT = 16_000_000
"""Bytes of the lines of sessions that a worker keeps for the next question."""
_CALM = 10
"""How much more patient a worker is than those who answer requests (`nice`)."""


class TooLarge(Refused):
    """An answer that takes more memory to find than there is for one."""

    slug = "server/too-large"


class Shipped(msgspec.Struct, frozen=True):
    """A session that no other process can open, with all that is kept of it."""

    records: Sequence[Record]
    sealed: dict[str, bytes]
    keys: dict[str, Batch]
    """The idempotency keys with what answers them."""


class Task(msgspec.Struct, frozen=True):
    """A question on its way to a worker."""

    settings: Settings
    """The server's: where the ledger is, and how it is opened."""
    caller: Caller
    question: Question
    shipped: Shipped | None = None
    """The session itself, where its store is in memory."""


class Reply(msgspec.Struct, frozen=True):
    """What came of a task: one of these."""

    answer: bytes = b""
    """As JSON."""
    refusal: Refused | None = None
    fault: str = ""
    """Our fault, as a traceback."""


def work(link: Connection) -> None:
    """Answers tasks until nobody sends any more.

    Args:
        link: Tasks come from there, and replies go there.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the terminal sends to all; the server ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(OSError, AttributeError):
        os.nice(_CALM)
    _limit_memory()
    _end_with_parent()
    library = _Library()
    while True:
        try:
            task = link.recv()
        except (EOFError, OSError):
            return
        link.send(_replied(library, task))


def _replied(library: "_Library", task: Task) -> Reply:
    try:
        return Reply(answer=library.answer(task))
    except Refused as refusal:
        if isinstance(refusal, DOUBTFUL):
            library.forget(task)
        return Reply(refusal=refusal)
    except MemoryError:
        library.forget(task)
        message = "it takes more memory than there is for one question"
        return Reply(refusal=TooLarge(message, accepts="less at once"))
    except BaseException:
        library.forget(task)
        return Reply(fault=traceback.format_exc())


class _Library:
    """The store, and the sessions that were asked about last."""

    def __init__(self) -> None:
        self._stores: dict[str, Store] = {}
        self._sessions: OrderedDict[tuple[str, str], Session] = OrderedDict()

    def answer(self, task: Task) -> bytes:
        caller = task.caller
        session = self._session(task)
        found = caller.checked(session.log.store, session, lambda opened: task.question.answer(opened, caller))
        return msgspec.json.encode(found)

    def forget(self, task: Task) -> None:
        """Let a session be read anew: it may be what went wrong."""
        self._sessions.pop((task.settings.ledger, task.caller.session), None)

    def _session(self, task: Task) -> Session:
        if task.shipped is not None:
            store = MemoryStore()
            shipped = task.shipped
            store.create(task.caller.session, shipped.records, sealed=shipped.sealed, keys=shipped.keys)
            return Session(store, task.caller.session)
        place = task.settings.ledger, task.caller.session
        session = self._sessions.pop(place, None)
        if session is None:
            session = Session(self._store(task.settings), task.caller.session)
        else:
            session.log.refresh()
        self._sessions[place] = session
        while len(self._sessions) > 1 and sum(each.log.size for each in self._sessions.values()) > _KEPT:
            self._sessions.popitem(last=False)
        return session

    def _store(self, settings: Settings) -> Store:
        if settings.ledger not in self._stores:
            self._stores[settings.ledger] = settings.open(only_read=True)
        return self._stores[settings.ledger]


def _limit_memory() -> None:
    """Lets what would take the machine's memory end in a refusal, where the system can."""
    if sys.platform != "linux":  # elsewhere the limit counts something else, or nothing
        return
    import resource  # noqa: PLC0415  there is none on Windows

    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY if most < 0 else min(MEMORY, most), most))


def _end_with_parent() -> None:
    """Lets a worker end when the server has been killed, and can end it no more."""
    parent = parent_process()
    if parent is None:
        return

    def outlived() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=outlived, name="affray-parent", daemon=True).start()
