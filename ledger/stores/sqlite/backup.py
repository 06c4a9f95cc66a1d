"""Copies a ledger in a file, while other processes may write into it: complete and checked, or not at all.

A copy of the file alone lacks the content of the write-ahead log beside it, without any sign. SQLite's online backup
reads both as of one moment. The copy has a temporary name until it has been checked.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from ledger.errors import AlreadyThere, Damaged, NoFile, Unusable
from ledger.stores.sqlite.errors import SqliteErrors
from ledger.stores.sqlite.file import connect
from ledger.stores.sqlite.readonly import Snapshot

PATIENCE = 60.0
"""Seconds to wait while other processes keep changing the ledger."""

_BESIDE = ("", "-wal", "-journal", "-shm")
_LEAST = 0o600
"""The permissions that the owner of a copy always has."""


def file_of(url: str) -> str:
    """Returns the path of the file of a ledger.

    Args:
        url: The address, such as ``sqlite:///affray.db``.

    Raises:
        NoFile: The ledger is not a file; the message explains how to back it up.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and len(rest) > 1 and rest.startswith("/"):
        return os.path.realpath(rest[1:])
    if scheme in ("postgresql", "postgres"):
        raise NoFile(
            "a ledger in PostgreSQL is backed up by PostgreSQL: pg_dump --format=custom --file=FILE DATABASE, "
            "and pg_restore; affray copy takes its sessions into a file",
            where="ledger", accepts="pg_dump, or affray copy",
        )  # fmt: skip
    raise NoFile("this ledger is not a file", where="ledger", accepts="sqlite:///path.db")


@contextmanager
def copied(source: str, target: str) -> Iterator[str]:
    """Copies a ledger. The block may check the copy; at its end the copy is moved to its place.

    Args:
        source: The ledger; neither it nor a file beside it is changed.
        target: The path of the copy.

    Yields:
        The temporary path of the complete copy. If the block raises, the copy is deleted.

    Raises:
        AlreadyThere: There is a file at `target`, or one beside it that belongs to a ledger.
        Damaged: The ledger is damaged.
        StoreRefused: The ledger cannot be read, or the copy cannot be written.
    """
    target = os.path.realpath(target)
    check_free(target)
    folder, name = os.path.split(target)
    with SqliteErrors(target):
        if not os.path.isdir(folder):
            raise Unusable(f"there is no folder {folder}", where=target)
        handle, part = tempfile.mkstemp(prefix=f"{name}.", suffix=".part", dir=folder)
        os.close(handle)
    try:
        _copy(source, part, target)
        yield part
        with SqliteErrors(target):
            _put(part, target)
    finally:
        for ending in _BESIDE:
            with suppress(FileNotFoundError):
                os.unlink(part + ending)


def check_free(path: str) -> None:
    """Checks that there is no file of a ledger at a path.

    Raises:
        AlreadyThere: There is one.
    """
    for ending in _BESIDE:
        if os.path.lexists(path + ending):
            raise AlreadyThere(
                f"{path}{ending} exists, and is not overwritten", where=path, accepts="a path without a file"
            )


def _copy(source: str, part: str, target: str) -> None:
    with SqliteErrors(source), closing(Snapshot(source, PATIENCE)) as snapshot:
        mode = os.stat(source).st_mode & 0o777 | _LEAST
        with SqliteErrors(target), closing(connect(part, timeout=0)) as copy:
            copy.execute("PRAGMA synchronous=OFF")  # the whole file is synced at the end
            _fill(snapshot, copy, source)
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file, readable on a read-only disk
            problems = copy.execute("PRAGMA integrity_check(1)").fetchall()
    if problems != [("ok",)]:
        raise Damaged(f"{source} is damaged: {problems[0][0]}", where=source)
    os.chmod(part, mode)


def _fill(snapshot: Snapshot, copy: sqlite3.Connection, source: str) -> None:
    """Copies the database. Errors of reading are reported for the source, not for the copy."""
    try:
        snapshot.copy_to(copy)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise Damaged(f"{source} is truncated or overwritten", where=source) from error
        raise


def _put(part: str, target: str) -> None:
    """Syncs the copy and gives it its name, if that is still free."""
    _sync(part, os.O_RDWR)  # some systems do not sync a file that is open read-only
    check_free(target)
    try:
        os.link(part, target)  # fails if the target exists, unlike renaming
    except FileExistsError:
        check_free(target)
        raise
    except OSError:  # the file system has no hard links
        os.rename(part, target)
    with suppress(OSError):  # some systems cannot open folders
        _sync(os.path.dirname(target), os.O_RDONLY)


def _sync(path: str, mode: int) -> None:
    handle = os.open(path, mode)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
