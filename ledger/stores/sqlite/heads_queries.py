"""What a heads file asks an SQLite ledger."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ledger.chain import genesis
from ledger.errors import ForeignFile
from ledger.stores.heads import Found, Noted
from ledger.stores.places import check_name, identity
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


class SqliteEnds:
    """The heads of the sessions in a ledger.

    Args:
        rows: Asks the ledger: a query and its values.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def find(self, session: str, seq: int) -> Found | None:
        """Returns what the ledger holds of a session; None where it has never heard of it."""
        for last, digest, tombstone, deleted, final in self._rows(_FIND, seq, session):
            return Found(last or 0, digest if seq else genesis(session), tombstone, deleted or 0, final)
        return None

    def at(self, session: str, seq: int) -> str:
        """Returns when an entry was appended; empty where it has no time."""
        try:
            return "".join(msgspec.json.decode(line, type=_Timed).at for (line,) in self._rows(_LINE, session, seq))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return ""

    def all(self) -> Iterator[Noted]:
        """Returns the head of each session, and each deletion."""
        for session, seq, digest, deleted in self._rows(_ALL):
            name = session.decode(errors="replace")  # whatever a stranger has put there
            yield Noted(name, seq or 0, digest or genesis(name), deleted)


def place(ledger: str, heads: str | None) -> str:
    """Returns where a ledger's heads file lies.

    Args:
        ledger: The ledger's file, absolute.
        heads: A file, or a folder that is there, in which it is then called as beside the ledger; None for beside it.

    Raises:
        ForeignFile: There lies a file of the ledger itself.
        Unusable: That can be no file's path.
    """
    if heads is None:
        return f"{ledger}-heads"
    check_name(heads, "heads")
    path = os.path.abspath(heads)
    if os.path.isdir(path):
        path = os.path.join(path, f"{os.path.basename(ledger)}-heads")
    own = {identity(ledger + ending) for ending in ("", "-wal", "-shm", "-journal", "-turn")}
    if identity(path) in own - {None}:
        raise ForeignFile(f"{path} is a file of the ledger itself", where="heads", accepts="another place for it")
    return path
