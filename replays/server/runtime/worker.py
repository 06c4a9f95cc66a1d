"""The main loop of a worker process: answers questions about sessions, one after the other, until it is killed.

A worker only reads, and opens a ledger read-only, so nothing is lost when it is killed. It imports no web framework,
so that it starts quickly and stays small.
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
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.server.runtime.settings import Settings

REREAD_AFTER = (Broken, Newer, SessionDeleted, StoreRefused, Unreadable)
"""Refusals after which a cached session is loaded anew: the ledger was unavailable, or has changed unexpectedly."""
MEMORY = 512_000_000
"""Maximum memory of a worker, in bytes."""
_KEPT = 16_000_000
"""Maximum size in bytes of the logs that a worker keeps for later questions."""
_CALM = 10
"""How much a worker's scheduling priority is below that of the server (`nice`)."""


class TooLarge(Refused):
    """Finding the answer takes more memory than one question may use."""

    slug = "server/too-large"


class Shipped(msgspec.Struct, frozen=True):
    """A session of a store in memory, which the worker could not open: its records, sealed records and keys."""

    records: Sequence[Record]
    sealed: dict[str, bytes]
    keys: dict[str, Batch]
    """The idempotency keys, each with the batch of entries written under it."""


class Task(msgspec.Struct, frozen=True):
    """A question that is sent to a worker."""

    settings: Settings
    """The settings of the server, with the address at which the ledger is read."""
    caller: Caller
    question: SessionQuestion
    shipped: Shipped | None = None
    """The session itself if its store is in memory."""


class TaskResult(msgspec.Struct, frozen=True):
    """The result of a task: an answer, a refusal or a fault."""

    answer: bytes = b""
    """The answer as JSON."""
    refusal: Refused | None = None
    fault: str = ""
    """The traceback of an unexpected error."""


def work(link: Connection) -> None:
    """Answers tasks until the server closes the pipe.

    Args:
        link: The pipe to the server: receives tasks and sends replies.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all processes; the server ends its workers
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


def _replied(library: "_Library", task: Task) -> TaskResult:
    """Returns the result of a task; a failure of the program becomes a fault."""
    try:
        return TaskResult(answer=library.answer(task))
    except Refused as refusal:
        if isinstance(refusal, REREAD_AFTER):
            library.forget(task)
        return TaskResult(refusal=refusal)
    except MemoryError:
        library.forget(task)
        message = "the answer takes more memory than one question may use"
        return TaskResult(refusal=TooLarge(message, accepts="a smaller question"))
    except BaseException:
        library.forget(task)
        return TaskResult(fault=traceback.format_exc())


class _Library:
    """The stores and the latest sessions that a worker keeps open."""

    def __init__(self) -> None:
        self._stores: dict[str, Store] = {}
        self._sessions: OrderedDict[tuple[str, str], Session] = OrderedDict()

    def answer(self, task: Task) -> bytes:
        """Returns the encoded answer to the question of a task."""
        caller = task.caller
        session = self._session(task)
        found = caller.checked(session.log.store, session, lambda opened: task.question.answer(opened, caller))
        return msgspec.json.encode(found)

    def forget(self, task: Task) -> None:
        """Drops a session, so that it is loaded anew: it may have caused the failure."""
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
    """Limits the memory of this process on Linux, so that a question that needs too much is refused."""
    if sys.platform != "linux":  # elsewhere the limit has another meaning or no effect
        return
    import resource  # noqa: PLC0415  Windows has no such module

    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY if most < 0 else min(MEMORY, most), most))


def _end_with_parent() -> None:
    """Ends this worker when its parent process, the server, has been killed."""
    parent = parent_process()
    if parent is None:
        return

    def outlived() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=outlived, name="affray-parent", daemon=True).start()
