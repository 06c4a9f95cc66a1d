"""Answers the queries of a heads file about an SQLite ledger."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ledger.chain import genesis
from ledger.errors import ForeignFile
from ledger.stores.heads import NewHead, StoredHead
from ledger.stores.opened_files import check_name, identity
from ledger.stores.sqlite.schema import SPAN, last_row

Rows = Callable[..., list[tuple[Any, ...]]]

_LAST = last_row("s.number")
_FIND = (
    f"SELECT {_LAST} & {SPAN - 1}, (SELECT CAST(digest AS BLOB) FROM entries WHERE id = s.number * {SPAN} + ?), "
    "CAST(t.digest AS BLOB), t.entries, CAST(t.last AS BLOB) "
    "FROM sessions s LEFT JOIN tombstones t ON t.session = s.number WHERE s.id = ?"
)
_LINE = f"SELECT CAST(line AS BLOB) FROM entries WHERE id = (SELECT number FROM sessions WHERE id = ?) * {SPAN} + ?"
_ALL = (
    f"SELECT CAST(s.id AS BLOB), e.id & {SPAN - 1}, CAST(e.digest AS BLOB), 0 "
    f"FROM sessions s LEFT JOIN entries e ON e.id = {_LAST} "
    "WHERE s.number NOT IN (SELECT session FROM tombstones) UNION ALL "
    "SELECT CAST(s.id AS BLOB), t.entries, CAST(t.digest AS BLOB), t.number "
    "FROM tombstones t JOIN sessions s ON s.number = t.session"
)


class _Timed(msgspec.Struct):
    at: str = ""


class SqliteHeads:
    """The heads of the sessions in a ledger.

    Args:
        rows: Runs a query with its values.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def find(self, session: str, seq: int) -> StoredHead | None:
        """Returns the stored state of a session; None if the session is unknown."""
        for last, digest, tombstone, deleted, final in self._rows(_FIND, seq, session):
            return StoredHead(last or 0, digest if seq else genesis(session), tombstone, deleted or 0, final)
        return None

    def at(self, session: str, seq: int) -> str:
        """Returns the time at which an entry was appended; empty if it has none."""
        try:
            return "".join(msgspec.json.decode(line, type=_Timed).at for (line,) in self._rows(_LINE, session, seq))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return ""

    def all(self) -> Iterator[NewHead]:
        """Yields the head of each session, and of each deleted session."""
        for session, seq, digest, deleted in self._rows(_ALL):
            name = session.decode(errors="replace")  # another program may have stored other bytes
            yield NewHead(name, seq or 0, digest or genesis(name), deleted)


def place(ledger: str, heads: str | None) -> str:
    """Returns the path of a ledger's heads file.

    Args:
        ledger: The absolute path of the ledger.
        heads: A file, or an existing folder in which it has its usual name; None for beside the ledger.

    Raises:
        ForeignFile: The path is a file of the ledger itself.
        Unusable: No file can have that path.
    """
    if heads is None:
        return f"{ledger}-heads"
    check_name(heads, "heads")
    path = os.path.abspath(heads)
    if os.path.isdir(path):
        path = os.path.join(path, f"{os.path.basename(ledger)}-heads")
    own = {identity(ledger + ending) for ending in ("", "-wal", "-shm", "-journal", "-turn")}
    if identity(path) in own - {None}:
        raise ForeignFile(
            f"{path} is a file of the ledger itself", where="heads", accepts="another path for the heads file"
        )
    return path
