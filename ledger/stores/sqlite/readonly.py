"""Reads a ledger that cannot be written, without creating, changing or deleting any file.

How it is read depends on the files beside it:

    none                     as an immutable file
    a write-ahead log        through the log's index, like other connections
    a log without an index   in a copy of both, because SQLite could read them only by creating an index

A writer with more permissions may start at any time, so the files are examined before and after each reading.
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
from ledger.stores.fair_lock import patiently
from ledger.stores.heads import NewHead
from ledger.stores.log_pages import Take
from ledger.stores.sqlite.file import check_version, connect, inspect, stand_in

T = TypeVar("T")

PAUSE = 0.02
"""Seconds between two checks for writes of other processes."""

_DATABASE, _LOG, _JOURNAL, _INDEX = "", "-wal", "-journal", "-shm"
_Mark = tuple[tuple[int, ...] | None, ...]
"""Device, inode, size and modification time of each file of a ledger; None for one that is missing or empty."""


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

    def note(self, _: NewHead) -> NoReturn:
        """Refuses to write."""
        self.check_there()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Runs the block, in which every write is refused."""
        yield

    def close(self) -> None:
        """Does nothing: there is nothing to release."""


class Snapshot:
    """Reads a ledger without creating files beside it. Threads may share it.

    Args:
        path: The ledger, which exists and has been inspected.
        patience: Seconds to wait until the ledger can be read.

    Raises:
        Busy: Other processes kept changing the ledger.
        Damaged: A part of the ledger is missing.
        Gone: The ledger was removed.
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
        """Returns the rows of a query, as of one moment.

        Args:
            query: A query that only reads.
            values: The values of its placeholders.
            take: Takes the rows, up to a limit.

        Raises:
            Busy: Other processes changed the ledger during every attempt.
        """
        return self._steadily(lambda connection: _taken(connection, query, values, take))

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copies the whole database, as of one moment, while other processes may write.

        Args:
            other: An empty database.

        Raises:
            Busy: Other processes changed the ledger during every attempt.
        """
        self._steadily(lambda connection: connection.backup(other))

    def _steadily(self, use: Callable[[sqlite3.Connection], T]) -> T:
        """Returns the result of `use`, repeated until the files did not change while it ran."""
        found: list[T] = []

        def attempt() -> bool:
            if self._mark is None:
                self._open()
            try:
                result = use(self._connection)
            except sqlite3.DatabaseError:
                if self._now() == self._mark:
                    raise
            else:
                if self._now() == self._mark:  # now, and so they were before, too
                    found.append(result)
                    return True
            self._mark = None
            return False

        with self._lock:
            if not patiently(attempt, time.monotonic() + self._patience):
                raise Busy(f"other processes change {self._path} too often for it to be read", where=self._path)
        return found[0]

    def wait(self, seconds: float) -> bool:
        """Waits until something was written. Returns whether something was; always True at the first call.

        Args:
            seconds: The maximum time to wait.
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
        """Closes the ledger, and deletes the copy, if there is one."""
        with self._lock:
            self._opened.close()

    # -------------------------------------------------------------------------------------------- opening

    def _open(self) -> None:
        if not patiently(self._is_opened, time.monotonic() + self._patience):
            raise Busy(f"other processes change {self._path} too often for it to be read", where=self._path)

    def _is_opened(self) -> bool:
        """Opens the files, and returns whether they did not change meanwhile."""
        self._opened.close()
        self._mark = None  # nothing is open; if the inspection refuses the files, the next use must open them again
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
        except NoSuchSession as error:  # there was a ledger when it was first opened
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
        """Returns the state of the files that must be unchanged for the connection to be valid."""
        if self._is_shared:  # SQLite detects writes, but not replaced files
            return tuple(each and each[:2] for each in _mark(self._path, (_DATABASE, _LOG, _INDEX)))
        return _mark(self._path, _ALL)


def _taken(
    connection: sqlite3.Connection, query: str, values: Sequence[int | str], take: Take
) -> list[tuple[Any, ...]]:
    with closing(connection.cursor()) as cursor:
        return take(cursor.execute(query, values))


def _is_shared(mark: _Mark) -> bool:
    """Returns whether the ledger can be read while it is written: its log has an index."""
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
