"""Deletes whole sessions from an SQLite file, and reads their tombstones.

Deleted rows are overwritten with zeros in the file, and other traces are removed after the commit: see `leftovers`.
Copies are out of reach: backups, exports, snapshots of the file system, and old blocks that a disk or a copy-on-write
file system keeps.
"""

import sqlite3
from collections.abc import Sequence

from ledger import tombstone
from ledger.chain import genesis
from ledger.errors import Stale
from ledger.stores.sqlite.schema import HEAD, SPAN
from ledger.tombstone import Deletion, TombstoneRecord

TOMBSTONES = "SELECT number, CAST(line AS BLOB), CAST(digest AS BLOB) FROM tombstones ORDER BY number"
_LATEST = TOMBSTONES + " DESC LIMIT 1"
_TOMBSTONE = "INSERT INTO tombstones VALUES (?, ?, ?, ?, ?, ?)"


def delete(
    cursor: sqlite3.Cursor, number: int, session: str, deletion: Deletion, expected: int | None
) -> TombstoneRecord:
    """Deletes a session in the current transaction by inserting its tombstone, whose trigger deletes the rows.

    Args:
        cursor: A cursor in a transaction that may write.
        number: The number of the session, which has no tombstone yet.
        session: The id of the session.
        deletion: The person, the time and the reason.
        expected: The number of the last entry that the caller knows; None for any.

    Returns:
        The tombstone.

    Raises:
        Stale: The log has another head.
        BadCommand: A value of the deletion is not text.
    """
    found = cursor.execute(HEAD, (number * SPAN, (number + 1) * SPAN)).fetchone()
    entries, last = found or (0, genesis(session))
    if expected not in (None, entries):
        raise Stale(expected or 0, entries)
    before = cursor.execute(_LATEST).fetchone()
    made = tombstone.make(session, deletion, entries, last, TombstoneRecord(*before) if before else None)
    cursor.execute(_TOMBSTONE, (made.number, number, entries, last, made.line, made.digest))
    return made


def records(rows: Sequence[tuple[int, bytes, bytes]]) -> list[TombstoneRecord]:
    """Returns the tombstones in the rows of the query `TOMBSTONES`."""
    return [TombstoneRecord(*row) for row in rows]
