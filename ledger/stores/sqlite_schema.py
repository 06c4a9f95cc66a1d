"""The tables of the ledger as an SQLite file, and the triggers by which the file defends itself."""

APPLICATION = 0x41465259
"""``AFRY``, which stands in the file's header."""

SCHEMA = 1
"""The version of the tables."""

PAGE_SIZE = 8192
"""Entries are about a thousand bytes; in SQLite's usual pages of 4096 a tenth of the file would stay empty."""

SPAN = 2**32
"""An entry's row number is its session's number times this, plus its seq: a session's entries lie together."""

_LAST = SPAN - 1


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


TABLES = (
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
