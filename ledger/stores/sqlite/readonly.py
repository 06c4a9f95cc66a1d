"""Reading a ledger that cannot be written, and refusing to write into it: no file of it is made, changed or deleted.

How it is read depends on what lies beside it:

    nothing                  as a file that does not change
    a write-ahead log        through its index, as everybody else who has the ledger open
    a log without an index   in a copy of both, for SQLite could read it only where it may make an index

A writer that is permitted more may come at any time; so what lies there is looked at before and after each reading.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from threading import Lock
from typing import Any, NoReturn, TypeVar

from ledger.errors import Busy, Gone, NoSuchSession, ReadOnly
from ledger.stores.heads import Noted
from ledger.stores.pages import Take
from ledger.stores.sqlite.file import check_version, connect, inspect, stand_in
from ledger.stores.turns import patiently

T = TypeVar("T")

PAUSE = 0.02
"""Seconds between two looks for what others have written."""

_DATABASE, _LOG, _JOURNAL, _INDEX = "", "-wal", "-journal", "-shm"
_Mark = tuple[tuple[int, ...] | None, ...]
"""What the files of a ledger are: which, how large, written when; None for one that is not there, or empty."""


class NoWriting:
    """Refuses every transaction on a ledger that cannot be written.

    Args:
        path: The ledger.
    """

    inside: None = None

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> NoReturn:
        self.check_there()

    def __exit__(self, *_: object) -> None: ...

    def check_there(self) -> NoReturn:
        """Refuses to write.

        Raises:
            ReadOnly: Always.
        """
        raise ReadOnly(f"{self._path}, or its folder, cannot be written", where=self._path)

    def note(self, _: Noted) -> NoReturn:
        """Refuses to write."""
        self.check_there()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Runs a block in which nothing can be written."""
        yield

    def close(self) -> None:
        """Does nothing: there is nothing to let go of."""


class Snapshot:
    """Reads a ledger without writing anything beside it. Threads may share it.

    Args:
        path: The ledger, which is there and has been inspected.
        patience: Seconds to wait until others let it be read.

    Raises:
        Busy: Others have changed it again and again.
        Damaged: A part of it is missing.
        Gone: It is not there any more.
    """

    def __init__(self, path: str, patience: float) -> None:
        self._path = path
        self._patience = patience
        self._lock = Lock()
        self._opened = ExitStack()
        self._seen: _Mark | None = None
        self._mark: _Mark | None = None
        self._open()

    def read(self, query: str, values: Sequence[int | str] = (), take: Take = list) -> list[tuple[Any, ...]]:
        """Returns the rows of a query, as they were at one moment.

        Args:
            query: Reads only.
            values: For its placeholders.
            take: Takes as many rows as are wanted.

        Raises:
            Busy: Others have changed the ledger each time it was read.
        """
        return self._steadily(lambda connection: _taken(connection, query, values, take))

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copies the whole database, as it was at one moment, while others may write.

        Args:
            other: An empty database.

        Raises:
            Busy: Others have changed the ledger each time it was copied.
        """
        self._steadily(lambda connection: connection.backup(other))

    def _steadily(self, use: Callable[[sqlite3.Connection], T]) -> T:
        """What comes of a use of the connection during which nothing was changed."""
        found: list[T] = []

        def attempt() -> bool:
            if self._mark is None or self._now() != self._mark:
                self._open()
            try:
                one = use(self._connection)
            except sqlite3.DatabaseError:
                if self._now() == self._mark:
                    raise
                return False
            if self._now() == self._mark:
                found.append(one)
            return bool(found)

        with self._lock:
            if not patiently(attempt, time.monotonic() + self._patience):
                raise Busy(f"others change {self._path} too often for it to be read", where=self._path)
        return found[0]

    def wait(self, seconds: float) -> bool:
        """Waits until something was written, `seconds` at most; returns whether something was. The first time it was.

        Args:
            seconds: The longest to wait.
        """
        deadline = time.monotonic() + seconds
        while (now := _mark(self._path, (_DATABASE, _LOG))) == self._seen:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(PAUSE, left))
        self._seen = now
        return True

    def close(self) -> None:
        """Lets go of the ledger, and deletes a copy of it."""
        with self._lock:
            self._opened.close()

    # -------------------------------------------------------------------------------------------- opening

    def _open(self) -> None:
        if not patiently(self._is_opened, time.monotonic() + self._patience):
            raise Busy(f"others change {self._path} too often for it to be read", where=self._path)

    def _is_opened(self) -> bool:
        """Whether what was opened is what lies there."""
        self._opened.close()
        self._mark = None  # until something is open: what lies there may be refused, and be right a moment later
        self._inspect()
        before = _mark(self._path, _ALL)
        with ExitStack() as opened:
            try:
                self._connection = opened.enter_context(closing(self._connected(opened, before)))
                stand_in(self._connection)
                self._connection.execute("PRAGMA query_only=ON")
                check_version(self._connection, self._path)
            except (sqlite3.OperationalError, FileNotFoundError):
                if _mark(self._path, _ALL) == before:
                    raise
                return False
            self._is_shared = _is_shared(before)
            mark = self._now()
            if not self._is_shared and mark != before:
                return False
            self._opened, self._mark = opened.pop_all(), mark
        return True

    def _inspect(self) -> None:
        try:
            inspect(self._path, only_read=True)
        except NoSuchSession as error:  # there was one when it was opened first
            raise Gone(f"{self._path} is gone", where=self._path) from error

    def _connected(self, opened: ExitStack, mark: _Mark) -> sqlite3.Connection:
        _, log, journal, _ = mark
        if _is_shared(mark):
            return connect(self._path, timeout=self._patience, options="?mode=ro")
        if not (log or journal):
            return connect(self._path, timeout=0, options="?mode=ro&immutable=1")
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="affray-"))
        copy = os.path.join(folder, "ledger.db")
        for ending in (_DATABASE, _LOG, _JOURNAL):
            if os.path.exists(self._path + ending):
                shutil.copyfile(self._path + ending, copy + ending)
        return connect(copy, timeout=0, options="?mode=rw")

    def _now(self) -> _Mark:
        """What would have to be the same for the connection to be still right."""
        if self._is_shared:  # SQLite itself notices what is written; only other files it does not
            return tuple(each and each[:2] for each in _mark(self._path, (_DATABASE, _LOG, _INDEX)))
        return _mark(self._path, _ALL)


def _taken(
    connection: sqlite3.Connection, query: str, values: Sequence[int | str], take: Take
) -> list[tuple[Any, ...]]:
    with closing(connection.cursor()) as cursor:
        return take(cursor.execute(query, values))


def _is_shared(mark: _Mark) -> bool:
    """Whether it can be read as it is, with whoever writes it: its log has an index."""
    _, log, journal, index = mark
    return bool(log and index and not journal)


_ALL = (_DATABASE, _LOG, _JOURNAL, _INDEX)


def _mark(path: str, endings: Sequence[str]) -> _Mark:
    return tuple(_stat(path + ending) for ending in endings)


def _stat(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None
