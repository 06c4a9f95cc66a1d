"""Copying a ledger that is a file, while others may write into it: whole and checked, or not at all.

A copy of the file alone lacks what stands in the write-ahead log beside it, and nothing in it tells. SQLite's online
backup reads both, at one moment. The copy is made under another name and gets its own when it has been checked.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from ledger.errors import AlreadyThere, Damaged, NoFile, Unusable
from ledger.stores.sqlite.errors import Plainly
from ledger.stores.sqlite.file import connect
from ledger.stores.sqlite.readonly import Snapshot

PATIENCE = 60.0
"""Seconds to wait while others change the ledger again and again."""

_BESIDE = ("", "-wal", "-journal", "-shm")
_LEAST = 0o600
"""Permissions that the owner of a copy has in any case."""


def file_of(url: str) -> str:
    """Returns the path of the file that is the ledger at an address.

    Args:
        url: Such as ``sqlite:///affray.db``.

    Raises:
        NoFile: It is not a file; the message says how such a ledger is backed up.
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
    """Copies a ledger; within the block the copy may be checked, and after it, it is in its place.

    Args:
        source: The ledger; nothing of it, or beside it, is changed.
        target: The path of the copy.

    Yields:
        The path under which the whole copy lies until the block ends. If the block raises, it is deleted.

    Raises:
        AlreadyThere: There is something at `target`, or beside it.
        Damaged: The ledger is damaged, and so would be its copy.
        StoreRefused: It cannot be read, or the copy cannot be written; the slug says why.
    """
    target = os.path.realpath(target)
    check_free(target)
    folder, name = os.path.split(target)
    with Plainly(target):
        if not os.path.isdir(folder):
            raise Unusable(f"there is no folder {folder}", where=target)
        handle, part = tempfile.mkstemp(prefix=f"{name}.", suffix=".part", dir=folder)
        os.close(handle)
    try:
        _copy(source, part, target)
        yield part
        with Plainly(target):
            _put(part, target)
    finally:
        for ending in _BESIDE:
            with suppress(FileNotFoundError):
                os.unlink(part + ending)


def check_free(path: str) -> None:
    """Refuses to put a ledger where there is a file, or what belongs to one.

    Raises:
        AlreadyThere: There is.
    """
    for ending in _BESIDE:
        if os.path.lexists(path + ending):
            raise AlreadyThere(
                f"{path}{ending} is there, and is not overwritten", where=path, accepts="a path where nothing is"
            )


def _copy(source: str, part: str, target: str) -> None:
    with Plainly(source), closing(Snapshot(source, PATIENCE)) as snapshot:
        mode = os.stat(source).st_mode & 0o777 | _LEAST
        with Plainly(target), closing(connect(part, timeout=0)) as copy:
            copy.execute("PRAGMA synchronous=OFF")  # the whole of it is brought to the disk at the end
            _fill(snapshot, copy, source)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, that can be read where nothing can be written
            problems = copy.execute("PRAGMA integrity_check(1)").fetchall()
    if problems != [("ok",)]:
        raise Damaged(f"{source} is damaged: {problems[0][0]}", where=source)
    os.chmod(part, mode)


def _fill(snapshot: Snapshot, copy: sqlite3.Connection, source: str) -> None:
    """Copy the database; what fails on reading is told of its source."""
    try:
        snapshot.copy_to(copy)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise Damaged(f"{source} is cut short or overwritten", where=source) from error
        raise


def _put(part: str, target: str) -> None:
    """Bring the copy to the disk and give it its name, if that is still free."""
    _sync(part, os.O_RDWR)  # some systems bring nothing to the disk of what is only read
    check_free(target)
    try:
        os.link(part, target)  # refuses where something is, which renaming does not
    except FileExistsError:
        check_free(target)
        raise
    except OSError:  # a file system without links
        os.rename(part, target)
    with suppress(OSError):  # where folders cannot be opened
        _sync(os.path.dirname(target), os.O_RDONLY)


def _sync(path: str, mode: int) -> None:
    handle = os.open(path, mode)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
