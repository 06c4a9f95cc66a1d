"""The ledger as an SQLite file: how it is told from other files, made and opened.

The file is looked at before it is opened in earnest, through a connection that takes no lock and writes nothing, so
that nobody else's file is ever touched. (Reading its header with `open` will not do: closing *any* descriptor of a file
drops all locks that this process holds on it, those of an open ledger included.)
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
from ledger.stores.pages import Take
from ledger.stores.sqlite.beside import check_whole
from ledger.stores.sqlite.errors import is_busy
from ledger.stores.sqlite.schema import APPLICATION, PAGE_SIZE, SCHEMA, STAND_INS, STEPS
from ledger.stores.turns import patiently

_MAGIC = b"SQLite format 3\x00"
_SMALLEST = 512  # bytes of the smallest possible database


def connect(path: str, timeout: float, options: str = "") -> sqlite3.Connection:
    """A connection in autocommit mode that any thread may use.

    Args:
        path: Absolute; no name is special, not even ``:memory:``.
        timeout: Seconds for which SQLite itself waits for others.
        options: Of SQLite's file addresses, such as ``?mode=ro``.
    """
    return sqlite3.connect(
        "file:" + quote(os.fsencode(path)) + options,
        uri=True, timeout=timeout, isolation_level=None, check_same_thread=False,
    )  # fmt: skip


class Reader:
    """Reads a ledger that others may write at the same time. Threads may share it.

    Args:
        path: The ledger, which is there.
        patience: Seconds to wait for others.
    """

    def __init__(self, path: str, patience: float) -> None:
        self.connection = connect(path, timeout=patience, options="?mode=rw")
        self._lock = Lock()
        self.connection.execute("PRAGMA query_only=ON")

    def read(self, query: str, values: Sequence[int | str] = (), take: Take = list) -> list[tuple[Any, ...]]:
        """Returns the rows of a query, as they were at one moment, as far as `take` wants them."""
        with self._lock, closing(self.connection.cursor()) as cursor:
            return take(cursor.execute(query, values))

    def close(self) -> None:
        """Lets go of the file, once nobody reads."""
        with self._lock:
            self.connection.close()


def open_writer(path: str, patience: float) -> sqlite3.Connection:
    """Open a ledger for writing, making it where there is none; it does not wait for locks by itself.

    Args:
        path: The file, of which `inspect` has said that it can be written.
        patience: Seconds to wait for others.

    Raises:
        Refused: It is no ledger; nothing of it was changed.
        Busy: Others had it for longer than `patience` seconds.
    """
    connection = connect(path, timeout=0)
    try:
        if not patiently(lambda: _try_prepare(connection, path), time.monotonic() + patience):
            raise Busy(f"another process has held {path} for {patience:g} s", where=path)
    except BaseException:
        connection.close()
        raise
    return connection


# ------------------------------------------------------------------------------------------------ looking first


def inspect(path: str, *, only_read: bool = False) -> bool:
    """Looks at a file before it is opened; nothing of it, or beside it, is changed.

    Args:
        path: The file, which need not be there.
        only_read: It is not to be written, though it may be possible.

    Returns:
        Whether it can be written; if not, there is a ledger in it.

    Raises:
        ForeignFile: It belongs to some other program.
        Newer: It was written by a newer Affray.
        Damaged: A part of it is missing.
        ReadOnly: It cannot be written, and there is no ledger in it.
        Unusable: It is no file, or its folder is not there.
    """
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise Unusable(f"there is no folder {folder}", where=path)
    log = _size(path + "-wal")  # before the file, which is made first: another process may make both just now
    size = _size(path)
    is_open = (size is None or os.access(path, os.W_OK)) and os.access(folder, os.W_OK | os.X_OK)
    can_write = is_open and not only_read
    check_whole(path)
    is_ledger = bool(size) and _is_ledger(path, size or 0)
    if log and not size:
        raise Damaged(f"{path} is gone or empty, but what was last written to it is still in {path}-wal", where=path)
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
    """Whether there is a ledger in a file; if not, it may become one."""
    if size < _SMALLEST:  # no database that anybody could have open
        with open(path, "rb") as file:
            beginning = file.read(len(_MAGIC))
        if _MAGIC.startswith(beginning):
            raise Damaged(f"{path} is cut short", where=path)
        raise ForeignFile(f"{path} is no ledger: it is not an SQLite database", where=path)
    with closing(connect(path, timeout=0, options="?mode=ro&immutable=1")) as connection:
        connection.execute("PRAGMA writable_schema=ON")  # lets the header of a file that is cut short be read
        if _pragma(connection, "application_id") == APPLICATION:
            _inspect_ledger(connection, path, size)
            return True
        if not _is_blank(connection, path):
            raise ForeignFile(f"{path} is no ledger: another program's database is in it", where=path)
    return False


def _inspect_ledger(connection: sqlite3.Connection, path: str, size: int) -> None:
    _check_version(_pragma(connection, "user_version"), path)
    # SQLite notices missing pages, but not that the last one is cut. Beside a write-ahead log the power may have failed
    # in the middle of a page, and the log heals it.
    if size % _pragma(connection, "page_size") and not _size(path + "-wal"):
        raise Damaged(f"{path} is cut short", where=path)


def _is_blank(connection: sqlite3.Connection, path: str) -> bool:
    if _pragma(connection, "application_id") or _size(path + "-wal") or _size(path + "-journal"):
        return False
    return _is_without_tables(connection)


# ------------------------------------------------------------------------------------------------ opening in earnest


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
    connection.execute("PRAGMA secure_delete=ON")  # what is deleted or moved is overwritten; nothing else is slower
    connection.execute("PRAGMA fullfsync=ON")  # macOS: past the drive's own cache; elsewhere nothing
    if _pragma(connection, "user_version") == 0:
        connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
        # Before the write-ahead log begins, so that the mark is in the file itself from its first byte on.
        _make_tables(connection, path)
    _check_version(_pragma(connection, "user_version"), path)
    if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
        raise Unusable(f"{path} is where no write-ahead log can be kept", where=path)
    if _pragma(connection, "user_version") < SCHEMA:
        _make_tables(connection, path)
    # Reading opens the write-ahead log, which is not deleted as long as a connection has it open.
    connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()


def stand_in(connection: sqlite3.Connection) -> None:
    """Lets an older file be read as it is: what its version has no tables for is empty, in this connection alone.

    Args:
        connection: To a ledger that is only read, and that may be of any known version.
    """
    if _pragma(connection, "user_version") < SCHEMA:
        for statement in STAND_INS:
            connection.execute(statement)


def _make_tables(connection: sqlite3.Connection, path: str) -> None:
    """Takes the steps from the file's version to the newest, all of them or none."""
    connection.execute("BEGIN EXCLUSIVE")
    try:
        version = _pragma(connection, "user_version")  # another process may have been faster
        _check_version(version, path)
        if version == 0:
            if not _is_without_tables(connection):
                raise Damaged(f"{path} has lost the number of its version", where=path)
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
    """Refuses a ledger of tables that this Affray does not know, whatever its file's header says.

    Raises:
        Newer: It was written by a newer Affray.
        Damaged: It has lost the number of its version.
    """
    _check_version(_pragma(connection, "user_version"), path)


def _check_version(version: int, path: str) -> None:
    if version > SCHEMA:
        raise Newer(f"{path} was written by a newer Affray (schema {version})", where=path, accepts=f"up to {SCHEMA}")
    if version < 0:
        raise Damaged(f"{path} has lost the number of its version", where=path)


def _is_without_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
