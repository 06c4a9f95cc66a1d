"""The tables of the ledger as an SQLite file, and the triggers by which the file defends itself.

They are made in steps, one from each version of the tables to the next: a new file takes them all, an older one those
that it lacks. A step that was ever released is never changed: a new one is added.

Nothing is ever updated, and nothing is deleted but in one way: a row is inserted into `tombstones`, and a trigger then
deletes the entries, keys and sealed secrets of that one session, in the same statement. The row itself, like that in
`sessions` which keeps the id from being used again, stays for good.
"""

APPLICATION = 0x41465259
"""``AFRY``, which stands in the file's header."""

PAGE_SIZE = 8192
"""Entries are about a thousand bytes; in SQLite's usual pages of 4096 a tenth of the file would stay empty."""

SPAN = 2**32
"""An entry's row number is its session's number times this, plus its seq: a session's entries lie together."""

_LAST = SPAN - 1


HEAD = f"SELECT id & {_LAST}, CAST(digest AS BLOB) FROM entries WHERE id > ? AND id < ? ORDER BY id DESC LIMIT 1"
"""The number and the digest of a session's last entry, given the row numbers between which its entries lie."""


def last_row(session: str) -> str:
    """Returns a subquery for the row number of a session's last entry.

    Args:
        session: What has the session's number in the query around it, such as ``s.number``.
    """
    return f"(SELECT max(id) FROM entries WHERE id > {session} * {SPAN} AND id < ({session} + 1) * {SPAN})"


def _never(table: str, *actions: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{action} BEFORE {action} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
        for action in actions
    ]


def _only(table: str, condition: str) -> str:
    return (
        f"CREATE TRIGGER {table}_only_new BEFORE INSERT ON {table} WHEN NOT ({condition}) "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only and has no gaps'); END"
    )


def _only_deleted(table: str, session: str) -> str:
    """Refuses to delete a row whose session has no tombstone."""
    return (
        f"CREATE TRIGGER {table}_no_DELETE BEFORE DELETE ON {table} WHEN NOT {_has_tombstone(session)} "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only: only whole sessions are deleted, by a tombstone'); END"
    )


def _has_tombstone(session: str) -> str:
    return f"EXISTS (SELECT 1 FROM tombstones WHERE session = {session})"


_FIRST = (
    "CREATE TABLE sessions (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL)",
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, line BLOB NOT NULL, secret BLOB NOT NULL, digest BLOB NOT NULL)",
    "CREATE TABLE batches (session INTEGER NOT NULL, key TEXT NOT NULL, "
    "first INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (session, key)) WITHOUT ROWID",
    "CREATE TABLE sealed (session INTEGER NOT NULL, name TEXT NOT NULL, secret BLOB NOT NULL, "
    "PRIMARY KEY (session, name)) WITHOUT ROWID",
    # For people with the sqlite3 shell.
    f"CREATE VIEW log (session, seq, line) AS SELECT sessions.id, entries.id & {_LAST}, CAST(line AS TEXT) "
    f"FROM sessions JOIN entries ON entries.id BETWEEN number * {SPAN} + 1 AND number * {SPAN} + {_LAST} "
    "ORDER BY entries.id",
    *_never("sessions", "UPDATE", "DELETE"),
    *_never("entries", "UPDATE", "DELETE"),
    *_never("batches", "UPDATE", "DELETE"),
    *_never("sealed", "UPDATE"),
    # INSERT OR REPLACE deletes without a word to the triggers above; these see it first.
    _only("sessions", "NOT EXISTS (SELECT 1 FROM sessions WHERE number = NEW.number OR id = NEW.id)"),
    _only("batches", "NOT EXISTS (SELECT 1 FROM batches WHERE session = NEW.session AND key = NEW.key)"),
    _only("sealed", "NOT EXISTS (SELECT 1 FROM sealed WHERE session = NEW.session AND name = NEW.name)"),
    _only(
        "entries",
        f"CASE NEW.id & {_LAST} WHEN 0 THEN 0 "
        f"WHEN 1 THEN EXISTS (SELECT 1 FROM sessions WHERE number = NEW.id / {SPAN}) "
        "AND NOT EXISTS (SELECT 1 FROM entries WHERE id = NEW.id) "
        f"ELSE NEW.id - 1 IS (SELECT max(id) FROM entries WHERE id <= NEW.id | {_LAST}) END",
    ),
)

_END = last_row("NEW.session")

_DELETION = (
    # `entries` and `last` stand in the line, too: here the triggers compare them with what is deleted.
    "CREATE TABLE tombstones (number INTEGER PRIMARY KEY, session INTEGER UNIQUE NOT NULL, "
    "entries INTEGER NOT NULL, last BLOB NOT NULL, line BLOB NOT NULL, digest BLOB NOT NULL)",
    *_never("tombstones", "UPDATE", "DELETE"),
    _only(
        "tombstones",
        "NEW.number IS (SELECT coalesce(max(number), 0) + 1 FROM tombstones) "
        f"AND NOT {_has_tombstone('NEW.session')} "
        "AND EXISTS (SELECT 1 FROM sessions WHERE number = NEW.session) "
        f"AND NEW.entries IS coalesce({_END} & {_LAST}, 0) "
        f"AND (NEW.entries = 0 OR NEW.last IS (SELECT CAST(digest AS BLOB) FROM entries WHERE id = {_END}))",
    ),
    *(f"DROP TRIGGER IF EXISTS {table}_no_DELETE" for table in ("entries", "batches")),
    _only_deleted("entries", f"OLD.id / {SPAN}"),
    _only_deleted("batches", "OLD.session"),
    _only_deleted("sealed", "OLD.session"),
    "CREATE TRIGGER tombstones_delete AFTER INSERT ON tombstones BEGIN "
    f"DELETE FROM entries WHERE id > NEW.session * {SPAN} AND id < (NEW.session + 1) * {SPAN}; "
    "DELETE FROM batches WHERE session = NEW.session; DELETE FROM sealed WHERE session = NEW.session; END",
    # What belongs to a deleted session never comes again.
    *(f"DROP TRIGGER IF EXISTS {table}_only_new" for table in ("entries", "batches", "sealed")),
    _only(
        "batches",
        "NOT EXISTS (SELECT 1 FROM batches WHERE session = NEW.session AND key = NEW.key) "
        f"AND NOT {_has_tombstone('NEW.session')}",
    ),
    _only(
        "sealed",
        "NOT EXISTS (SELECT 1 FROM sealed WHERE session = NEW.session AND name = NEW.name) "
        f"AND NOT {_has_tombstone('NEW.session')}",
    ),
    _only(
        "entries",
        f"CASE NEW.id & {_LAST} WHEN 0 THEN 0 "
        f"WHEN 1 THEN EXISTS (SELECT 1 FROM sessions WHERE number = NEW.id / {SPAN}) "
        f"AND NOT {_has_tombstone(f'NEW.id / {SPAN}')} "
        "AND NOT EXISTS (SELECT 1 FROM entries WHERE id = NEW.id) "
        f"ELSE NEW.id - 1 IS (SELECT max(id) FROM entries WHERE id <= NEW.id | {_LAST}) END",
    ),
)

STEPS = (_FIRST, _DELETION)
"""The statements that make each version of the tables of the one before; the first makes version 1 of nothing."""

SCHEMA = len(STEPS)
"""The version of the tables."""

STAND_INS = ("CREATE TEMP TABLE tombstones (number, session, entries, last, line, digest)",)
"""What is missing in the oldest version, empty: with this, an older file is read without being changed."""
