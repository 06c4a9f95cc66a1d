"""The tables of the ledger in an SQLite file, and triggers that keep it append-only.

They are created in steps, one from each version of the tables to the next: all for a new file, the missing ones for an
older file. A released step is never changed: a new one is added.

Nothing of the log is ever updated, and sessions are deleted in only one way: a row is inserted into `tombstones`, and
a trigger deletes the entries, keys, sealed secrets and checkpoint of that session in the same statement. The row, like
the one in `sessions` that prevents the reuse of the id, is permanent. Checkpoints are no part of the log: they are
replaced, and may be deleted at any time.
"""

APPLICATION = 0x41465259
"""``AFRY``, the application id in the file's header."""

PAGE_SIZE = 8192
"""Bytes of a page. Entries have about 1000 bytes; with SQLite's default of 4096 a tenth of the file would be unused."""

SPAN = 2**32
"""An entry's row number is its session's number times this, plus its seq, so a session's entries are adjacent."""

_LAST = SPAN - 1


HEAD = f"SELECT id & {_LAST}, CAST(digest AS BLOB) FROM entries WHERE id > ? AND id < ? ORDER BY id DESC LIMIT 1"
"""The number and the digest of a session's last entry, given the row numbers below and above its entries."""


def last_row(session: str) -> str:
    """Returns a subquery for the row number of a session's last entry.

    Args:
        session: The column of the outer query that has the session's number, such as ``s.number``.
    """
    return f"(SELECT max(id) FROM entries WHERE id > {session} * {SPAN} AND id < ({session} + 1) * {SPAN})"


def _forbid(table: str, *actions: str) -> list[str]:
    """Returns triggers that refuse these actions on a table."""
    return [
        f"CREATE TRIGGER {table}_no_{action} BEFORE {action} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
        for action in actions
    ]


def _insert_only_if(table: str, condition: str) -> str:
    """Returns a trigger that refuses a new row unless it fulfills a condition."""
    return (
        f"CREATE TRIGGER {table}_only_new BEFORE INSERT ON {table} WHEN NOT ({condition}) "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only and has no gaps'); END"
    )


def _delete_only_if_tombstone(table: str, session: str) -> str:
    """Returns a trigger that refuses to delete a row whose session has no tombstone."""
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
    *_forbid("sessions", "UPDATE", "DELETE"),
    *_forbid("entries", "UPDATE", "DELETE"),
    *_forbid("batches", "UPDATE", "DELETE"),
    *_forbid("sealed", "UPDATE"),
    # INSERT OR REPLACE deletes rows without firing the triggers above; these fire before it.
    _insert_only_if("sessions", "NOT EXISTS (SELECT 1 FROM sessions WHERE number = NEW.number OR id = NEW.id)"),
    _insert_only_if("batches", "NOT EXISTS (SELECT 1 FROM batches WHERE session = NEW.session AND key = NEW.key)"),
    _insert_only_if("sealed", "NOT EXISTS (SELECT 1 FROM sealed WHERE session = NEW.session AND name = NEW.name)"),
    _insert_only_if(
        "entries",
        f"CASE NEW.id & {_LAST} WHEN 0 THEN 0 "
        f"WHEN 1 THEN EXISTS (SELECT 1 FROM sessions WHERE number = NEW.id / {SPAN}) "
        "AND NOT EXISTS (SELECT 1 FROM entries WHERE id = NEW.id) "
        f"ELSE NEW.id - 1 IS (SELECT max(id) FROM entries WHERE id <= NEW.id | {_LAST}) END",
    ),
)

_END = last_row("NEW.session")

_DELETION = (
    # `entries` and `last` are also in the line; the triggers compare these columns with the deleted rows.
    "CREATE TABLE tombstones (number INTEGER PRIMARY KEY, session INTEGER UNIQUE NOT NULL, "
    "entries INTEGER NOT NULL, last BLOB NOT NULL, line BLOB NOT NULL, digest BLOB NOT NULL)",
    *_forbid("tombstones", "UPDATE", "DELETE"),
    _insert_only_if(
        "tombstones",
        "NEW.number IS (SELECT coalesce(max(number), 0) + 1 FROM tombstones) "
        f"AND NOT {_has_tombstone('NEW.session')} "
        "AND EXISTS (SELECT 1 FROM sessions WHERE number = NEW.session) "
        f"AND NEW.entries IS coalesce({_END} & {_LAST}, 0) "
        f"AND (NEW.entries = 0 OR NEW.last IS (SELECT CAST(digest AS BLOB) FROM entries WHERE id = {_END}))",
    ),
    *(f"DROP TRIGGER IF EXISTS {table}_no_DELETE" for table in ("entries", "batches")),
    _delete_only_if_tombstone("entries", f"OLD.id / {SPAN}"),
    _delete_only_if_tombstone("batches", "OLD.session"),
    _delete_only_if_tombstone("sealed", "OLD.session"),
    "CREATE TRIGGER tombstones_delete AFTER INSERT ON tombstones BEGIN "
    f"DELETE FROM entries WHERE id > NEW.session * {SPAN} AND id < (NEW.session + 1) * {SPAN}; "
    "DELETE FROM batches WHERE session = NEW.session; DELETE FROM sealed WHERE session = NEW.session; END",
    # Nothing can be inserted for a deleted session.
    *(f"DROP TRIGGER IF EXISTS {table}_only_new" for table in ("entries", "batches", "sealed")),
    _insert_only_if(
        "batches",
        "NOT EXISTS (SELECT 1 FROM batches WHERE session = NEW.session AND key = NEW.key) "
        f"AND NOT {_has_tombstone('NEW.session')}",
    ),
    _insert_only_if(
        "sealed",
        "NOT EXISTS (SELECT 1 FROM sealed WHERE session = NEW.session AND name = NEW.name) "
        f"AND NOT {_has_tombstone('NEW.session')}",
    ),
    _insert_only_if(
        "entries",
        f"CASE NEW.id & {_LAST} WHEN 0 THEN 0 "
        f"WHEN 1 THEN EXISTS (SELECT 1 FROM sessions WHERE number = NEW.id / {SPAN}) "
        f"AND NOT {_has_tombstone(f'NEW.id / {SPAN}')} "
        "AND NOT EXISTS (SELECT 1 FROM entries WHERE id = NEW.id) "
        f"ELSE NEW.id - 1 IS (SELECT max(id) FROM entries WHERE id <= NEW.id | {_LAST}) END",
    ),
)

_CHECKPOINTS = (
    "CREATE TABLE checkpoints (session INTEGER PRIMARY KEY, checkpoint BLOB NOT NULL)",
    _insert_only_if(
        "checkpoints",
        f"EXISTS (SELECT 1 FROM sessions WHERE number = NEW.session) AND NOT {_has_tombstone('NEW.session')}",
    ),
    "CREATE TRIGGER tombstones_delete_checkpoints AFTER INSERT ON tombstones BEGIN "
    "DELETE FROM checkpoints WHERE session = NEW.session; END",
)

STEPS = (_FIRST, _DELETION, _CHECKPOINTS)
"""The statements from each version of the tables to the next; the first step creates version 1."""

SCHEMA = len(STEPS)
"""The version of the tables."""

STAND_INS = (
    "CREATE TEMP TABLE tombstones (number, session, entries, last, line, digest)",
    "CREATE TEMP TABLE checkpoints (session, checkpoint)",
)
"""Creates, empty and temporary, the table that each step after the first adds, to read an older file without changing
it."""
