"""Recognizes, creates and opens the SQLite file of a ledger.

The file is inspected before it is opened for use, through a connection that takes no lock and writes nothing, so that
files of other programs are never changed. (Reading the header with `open` is not possible: closing *any* descriptor of
a file drops all locks that this process holds on it, including those of an open ledger.)
"""

import os
import sqlite3
import stat
import time
from collections.abc import Sequence
from contextlib import closing
from threading import Lock
from typing import Any
from urllib.parse import quote

from ledger.errors import Busy, Damaged, ForeignFile, Newer, NoSuchSession, ReadOnly, Unusable
from ledger.stores.fair_lock import patiently
from ledger.stores.log_pages import Take
from ledger.stores.sqlite.errors import is_busy
from ledger.stores.sqlite.lost_files import check_whole
from ledger.stores.sqlite.schema import APPLICATION, PAGE_SIZE, SCHEMA, STAND_INS, STEPS

_MAGIC = b"SQLite format 3\x00"
_SMALLEST = 512  # bytes of the smallest possible database


def connect(path: str, timeout: float, options: str = "") -> sqlite3.Connection:
    """Opens a connection in autocommit mode that any thread may use.

    Args:
        path: The absolute path; no name is special, not even ``:memory:``.
        timeout: Seconds for which SQLite waits for locks.
        options: Parameters of SQLite's file URI, such as ``?mode=ro``.
    """
    return sqlite3.connect(
        "file:" + quote(os.fsencode(path)) + options,
        uri=True, timeout=timeout, isolation_level=None, check_same_thread=False,
    )  # fmt: skip


class Reader:
    """Reads a ledger that other connections may write at the same time. Threads may share it.

    Args:
        path: The ledger, which must exist.
        patience: Seconds to wait for locks.
    """

    def __init__(self, path: str, patience: float) -> None:
        self.connection = connect(path, timeout=patience, options="?mode=rw")
        self._lock = Lock()
        self.connection.execute("PRAGMA query_only=ON")

    def read(self, query: str, values: Sequence[int | str] = (), take: Take = list) -> list[tuple[Any, ...]]:
        """Returns the rows of a query that `take` takes, as of one moment."""
        with self._lock, closing(self.connection.cursor()) as cursor:
            return take(cursor.execute(query, values))

    def close(self) -> None:
        """Closes the file when no thread is reading."""
        with self._lock:
            self.connection.close()


def open_writer(path: str, patience: float) -> sqlite3.Connection:
    """Opens a ledger for writing, and creates it if it is missing. The connection does not wait for locks.

    Args:
        path: The file, for which `inspect` has returned True.
        patience: Seconds to wait for other processes.

    Raises:
        Refused: The file is not a ledger; nothing was changed.
        Busy: Other processes held it for longer than `patience` seconds.
    """
    connection = connect(path, timeout=0)
    try:
        if not patiently(lambda: _try_prepare(connection, path), time.monotonic() + patience):
            raise Busy(f"another process has held {path} for {patience:g} s", where=path)
    except BaseException:
        connection.close()
        raise
    return connection


# ------------------------------------------------------------------------------------------------ inspection


def inspect(path: str, *, only_read: bool = False) -> bool:
    """Inspects a file before it is opened; neither it nor a file beside it is changed.

    Args:
        path: The file, which may be missing.
        only_read: Whether the caller only wants to read it.

    Returns:
        Whether the file can be opened for writing; if not, it contains a ledger.

    Raises:
        ForeignFile: The file belongs to another program.
        Newer: The file was written by a newer Affray.
        Damaged: A part of the file is missing.
        ReadOnly: The file is not writable, and contains no ledger.
        Unusable: The path is not a file, or its folder is missing.
    """
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise Unusable(f"there is no folder {folder}", where=path)
    log = _size(path + "-wal")  # before the database, which is created first: another process may be creating both
    size = _size(path)
    is_open = (size is None or os.access(path, os.W_OK)) and os.access(folder, os.W_OK | os.X_OK)
    can_write = is_open and not only_read
    check_whole(path)
    is_ledger = bool(size) and _is_ledger(path, size or 0)
    if log and not size:
        raise Damaged(f"{path} is missing or empty, but its latest writes are still in {path}-wal", where=path)
    if not (is_open or is_ledger):
        raise ReadOnly(f"{path}, or its folder, cannot be written", where=path)
    if not (can_write or is_ledger):
        raise NoSuchSession(f"there is no ledger in {path}", where=path)
    return can_write


def _size(path: str) -> int | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise Unusable(f"{path} is not a file", where=path)
    return status.st_size


def _is_ledger(path: str, size: int) -> bool:
    """Returns whether a file contains a ledger; if not, one may be created in it."""
    if size < _SMALLEST:  # too small to be a database that is in use
        with open(path, "rb") as file:
            beginning = file.read(len(_MAGIC))
        if _MAGIC.startswith(beginning):
            raise Damaged(f"{path} is truncated", where=path)
        raise ForeignFile(f"{path} is not a ledger: it is not an SQLite database", where=path)
    with closing(connect(path, timeout=0, options="?mode=ro&immutable=1")) as connection:
        connection.execute("PRAGMA writable_schema=ON")  # makes the header of a truncated file readable
        if _pragma(connection, "application_id") == APPLICATION:
            _inspect_ledger(connection, path, size)
            return True
        if not _is_blank(connection, path):
            raise ForeignFile(f"{path} is not a ledger: it is a database of another program", where=path)
    return False


def _inspect_ledger(connection: sqlite3.Connection, path: str, size: int) -> None:
    _check_version(_pragma(connection, "user_version"), path)
    # SQLite detects missing pages, but not an incomplete last one. If there is a write-ahead log, the power may have
    # failed in the middle of a page, which the log repairs.
    if size % _pragma(connection, "page_size") and not _size(path + "-wal"):
        raise Damaged(f"{path} is truncated", where=path)


def _is_blank(connection: sqlite3.Connection, path: str) -> bool:
    if _pragma(connection, "application_id") or _size(path + "-wal") or _size(path + "-journal"):
        return False
    return _is_without_tables(connection)


# ------------------------------------------------------------------------------------------------ opening


def _try_prepare(connection: sqlite3.Connection, path: str) -> bool:
    try:
        _prepare(connection, path)
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        return False
    return True


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA secure_delete=ON")  # overwrites deleted rows; no other operation gets slower
    connection.execute("PRAGMA fullfsync=ON")  # on macOS, flushes the drive's cache; no effect elsewhere
    if _pragma(connection, "user_version") == 0:
        connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
        # Before the write-ahead log is enabled, so that the database file has the application id from the start.
        _make_tables(connection, path)
    _check_version(_pragma(connection, "user_version"), path)
    if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
        raise Unusable(f"{path} is on a file system without write-ahead logs", where=path)
    if _pragma(connection, "user_version") < SCHEMA:
        _make_tables(connection, path)
    # Reading opens the write-ahead log, which is not deleted while a connection has it open.
    connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()


def stand_in(connection: sqlite3.Connection) -> None:
    """Makes an older file readable: creates the tables that it lacks, empty, in this connection only.

    Args:
        connection: A connection that only reads a ledger of any known version.
    """
    version = _pragma(connection, "user_version")
    for statement in STAND_INS[max(0, version - 1) :]:
        connection.execute(statement)


def _make_tables(connection: sqlite3.Connection, path: str) -> None:
    """Applies the steps from the file's version to the newest, all or none."""
    connection.execute("BEGIN EXCLUSIVE")
    try:
        version = _pragma(connection, "user_version")  # another process may have been faster
        _check_version(version, path)
        if version == 0:
            if not _is_without_tables(connection):
                raise Damaged(f"{path} has lost its version number", where=path)
            connection.execute(f"PRAGMA application_id={APPLICATION}")
        for step in STEPS[version:]:
            for statement in step:
                connection.execute(statement)
        if version < SCHEMA:
            connection.execute(f"PRAGMA user_version={SCHEMA}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def check_version(connection: sqlite3.Connection, path: str) -> None:
    """Checks the version of a ledger's tables.

    Raises:
        Newer: The ledger was written by a newer Affray.
        Damaged: The ledger has lost its version number.
    """
    _check_version(_pragma(connection, "user_version"), path)


def _check_version(version: int, path: str) -> None:
    if version > SCHEMA:
        raise Newer(f"{path} was written by a newer Affray (schema {version})", where=path, accepts=f"up to {SCHEMA}")
    if version < 0:
        raise Damaged(f"{path} has lost its version number", where=path)


def _is_without_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
