"""Deletion of a whole session from an SQLite file, and what is known of deleted ones.

What was deleted is overwritten with zeros in the file, and what else is left of it is cleared away after the commit:
see `leftovers`. Beyond the reach of this are copies: backups, exports, snapshots of the file system, and blocks
that a disk or a file system which copies on writing has laid aside.
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
    """Deletes a session in the transaction that is open; the trigger of the tombstone does it.

    Args:
        cursor: In a transaction that may write.
        number: The session's, in the table of sessions; it has no tombstone yet.
        session: Its id.
        deletion: By whom, when and why.
        expected: The number of the last entry that the caller knew; None for any.

    Returns:
        The tombstone.

    Raises:
        Stale: The log has another end.
        BadCommand: A word of the deletion is no text.
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
    """Returns what `TOMBSTONES` finds."""
    return [TombstoneRecord(*row) for row in rows]
