"""Converts errors of SQLite and of the file system to refusals. Only this module knows their codes."""

import errno
import sqlite3
from collections.abc import Mapping

from ledger.errors import Busy, Damaged, ForeignFile, Full, ReadOnly, StoreRefused, Unusable
from ledger.stores.refusals import StoreErrors
from ledger.stores.sqlite.size_limits import is_at_a_limit

_TOO_LARGE: tuple[type[StoreRefused], str] = (
    Full,
    "{path}, or a file beside it, has reached the maximum size of a file; nothing was written",
)
_GROWING = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE)
"""The codes of a file that may not grow, which SQLite also uses for other errors."""

_MALFORMED = b"malformed database schema"
"""The start of SQLite's message about overwritten table definitions; Python's module cannot decode the rest."""

_SQLITE: Mapping[int, tuple[type[StoreRefused], str]] = {
    sqlite3.SQLITE_READONLY: (ReadOnly, "{path} cannot be written"),
    sqlite3.SQLITE_PERM: (ReadOnly, "{path} may not be accessed"),
    sqlite3.SQLITE_CANTOPEN: (Unusable, "{path}, or a file beside it, cannot be opened"),
    sqlite3.SQLITE_FULL: (Full, "the disk of {path} is full; nothing was written"),
    sqlite3.SQLITE_IOERR: (Unusable, "the disk failed at {path}"),
    sqlite3.SQLITE_IOERR_SHMSIZE: (Full, "the disk has no room for a file beside {path}; nothing was written"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "{path} is truncated or overwritten"),
    sqlite3.SQLITE_NOTADB: (ForeignFile, "{path} is not a ledger: it is not an SQLite database"),
    sqlite3.SQLITE_BUSY: (Busy, "another process has held {path} for too long"),
    sqlite3.SQLITE_LOCKED: (Busy, "another process has held {path} for too long"),
    sqlite3.SQLITE_PROTOCOL: (Busy, "another process has held {path} for too long"),
}
"""Refusals by extended or primary result code."""

_SYSTEM: Mapping[int | None, tuple[type[StoreRefused], str]] = {
    errno.EACCES: (ReadOnly, "{path} may not be accessed"),
    errno.EPERM: (ReadOnly, "{path} may not be accessed"),
    errno.EROFS: (ReadOnly, "{path} is on a read-only disk"),
    errno.ENOSPC: (Full, "the disk of {path} is full; nothing was written"),
    errno.EDQUOT: (Full, "the disk quota of {path} is used up; nothing was written"),
    errno.EFBIG: _TOO_LARGE,
}


def is_busy(error: sqlite3.Error) -> bool:
    """Returns whether another process holds the file, so that trying again may help."""
    return _code(error) & 0xFF == sqlite3.SQLITE_BUSY


def refusal(error: sqlite3.Error | OSError, path: str) -> StoreRefused:
    """Returns the refusal for an error of the ledger at `path`."""
    kind, sentence = _meaning(error)
    if isinstance(error, sqlite3.Error) and _code(error) in _GROWING and is_at_a_limit(path):
        kind, sentence = _TOO_LARGE
    return kind(sentence.format(path=path), where=path)


class SqliteErrors(StoreErrors):
    """Raises errors of SQLite and of the file system as refusals; its name is the path of the ledger."""

    def refusal(self, error: BaseException) -> StoreRefused | None:
        """Returns the refusal for an error of SQLite or of the file system."""
        if isinstance(error, sqlite3.Error | OSError):
            return refusal(error, self._name)
        if isinstance(error, UnicodeDecodeError) and error.object.startswith(_MALFORMED):
            damaged, sentence = _SQLITE[sqlite3.SQLITE_CORRUPT]
            return damaged(sentence.format(path=self._name), where=self._name)
        return None


def _meaning(error: sqlite3.Error | OSError) -> tuple[type[StoreRefused], str]:
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    other = (Unusable, "{path} cannot be used: " + words.replace("{", "{{").replace("}", "}}"))
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno, other)
    if str(error).startswith("Could not decode to UTF-8"):  # raised by Python's module, without a code
        return _SQLITE[sqlite3.SQLITE_CORRUPT]
    code = _code(error)
    return _SQLITE.get(code) or _SQLITE.get(code & 0xFF) or other


def _code(error: sqlite3.Error) -> int:
    # Errors of Python's module, such as the use of a closed connection, have no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
