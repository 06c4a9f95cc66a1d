"""The default store: one SQLite file, safe for several processes and threads."""

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, starmap
from typing import Any

from ledger import tombstone
from ledger.chain import Record, genesis
from ledger.errors import Damaged, NoSuchSession, Sealed, SessionExists, Stale
from ledger.stores import log_pages
from ledger.stores.checks import check_batch, check_more, check_new, check_repeat, check_text
from ledger.stores.fair_lock import Turnstile
from ledger.stores.heads import HeadsFile, LineSigner, NewHead
from ledger.stores.log_pages import Take
from ledger.stores.opened_files import check_name
from ledger.stores.sqlite import delete
from ledger.stores.sqlite.errors import SqliteErrors
from ledger.stores.sqlite.file import Reader, inspect, open_writer
from ledger.stores.sqlite.heads_queries import SqliteHeads, place
from ledger.stores.sqlite.readonly import NoWriting, Snapshot
from ledger.stores.sqlite.schema import HEAD, SPAN
from ledger.stores.sqlite.watch import Watch
from ledger.stores.sqlite.writing import Writing
from ledger.stores.store import NO_KEYS, NOTHING, PATIENCE, Batch, Head
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord

_MOST_SESSIONS = 2**31
"""An upper bound of the number of a session: row numbers have 63 bits."""

_SEQ = f"id & {SPAN - 1}"
_BLOBS = "CAST(line AS BLOB), CAST(secret AS BLOB), CAST(digest AS BLOB)"  # another program may have stored other types
_PAGE = f"SELECT {_SEQ}, {_BLOBS} FROM entries WHERE id > ? AND id <= ? ORDER BY id LIMIT {log_pages.RECORDS}"
_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?)"
_BATCH = "INSERT INTO batches VALUES (?, ?, ?, ?)"
_SEALED = "INSERT INTO sealed VALUES (?, ?, ?)"
_CHECKPOINT = "SELECT CAST(checkpoint AS BLOB) FROM checkpoints WHERE session = ?"
_KEEP = "INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET checkpoint = excluded.checkpoint"
_SESSIONS = "SELECT CAST(id AS BLOB) FROM sessions WHERE number NOT IN (SELECT session FROM tombstones) ORDER BY number"
_NUMBER = "SELECT number FROM sessions WHERE id = ?"
_DELETED = f"SELECT CAST(line AS BLOB) FROM tombstones WHERE session = ({_NUMBER})"


class SqliteStore:
    """Keeps logs in an SQLite file; `Store` documents the methods.

    Beside the file are its write-ahead log while it is in use, ``-turn``, the turnstile of the writing processes, and
    ``-heads``, which records the last entry of each session: a session that has lost entries is refused with `Cut`.
    Threads may share a store; a forked process opens another one. A file that is not writable is only read, and no file
    beside it is created.

    Args:
        path: The file; created if it is missing, but its folder must exist.
        patience: Seconds to wait for the lock before `Busy` is raised.
        only_read: Whether to open a writable file read-only, too.
        heads: The path of the heads file, such as on another disk: a file, or an existing folder.
        keys: The keys that sign the lines of the heads file: the last one signs, any of them verifies.

    Raises:
        ForeignFile: The file belongs to another program; nothing was changed.
        Newer: The file was written by a newer Affray.
        Damaged: The file is truncated.
        ReadOnly: The file or its folder is not writable, and the file contains no ledger.
        Unusable: The file cannot be opened for another reason.
    """

    one_writer = True

    def __init__(
        self,
        path: str,
        *,
        patience: float = PATIENCE,
        only_read: bool = False,
        heads: str | None = None,
        keys: Sequence[bytes] = (),
    ) -> None:
        check_name(path, "ledger")
        path = os.path.realpath(path)  # the files beside it are in the folder of the file, not of a link to it
        self._path = path
        self.reading_address = f"sqlite:///{path}"
        self._errors = SqliteErrors(path)
        self._numbers: dict[str, int] = {}
        self._writing: Writing | NoWriting = NoWriting(path)
        self._reader: Reader | Snapshot
        self._watch: Watch | Snapshot
        with self._errors, ExitStack() as opened:
            is_writable = inspect(path, only_read=only_read)
            if is_writable:
                writer = opened.enter_context(closing(open_writer(path, patience)))
                turnstile = opened.enter_context(closing(Turnstile(path + "-turn")))
                self._reader = opened.enter_context(closing(Reader(path, patience)))
            else:
                self._reader = self._watch = opened.enter_context(closing(Snapshot(path, patience)))
            signer = LineSigner(keys) if keys else None
            made = HeadsFile(place(path, heads), path, SqliteHeads(self._rows), signer, only_read=not is_writable)
            self.heads = opened.enter_context(closing(made))
            if is_writable:
                writing = Writing(writer, turnstile, patience, path, self.heads.add)
                self._writing = opened.enter_context(closing(writing))
                self._watch = opened.enter_context(closing(Watch(path)))
            self._opened = opened.pop_all()

    def create(
        self,
        session: str,
        records: Sequence[Record] = (),
        *,
        sealed: Mapping[str, bytes] = NOTHING,
        keys: Mapping[str, Batch] = NO_KEYS,
    ) -> None:
        """Creates a session, empty or with its first records."""
        check_new(session, records, sealed, keys)
        self._check_writable()
        with self._errors, self._writing as cursor:
            try:
                cursor.execute("INSERT INTO sessions (id) VALUES (?)", (session,))
            except sqlite3.IntegrityError as error:
                self._check_not_deleted(session)
                raise SessionExists(f"there is already a session {session!r}", where="session") from error
            number = cursor.lastrowid or 0
            cursor.executemany(_ENTRY, _rows(number * SPAN, records))
            cursor.executemany(_SEALED, [(number, name, secret) for name, secret in sealed.items()])
            cursor.executemany(_BATCH, [(number, key, batch.first, batch.count) for key, batch in keys.items()])
            seq, digest = (records[-1].seq, records[-1].digest) if records else (0, genesis(session))
            self._writing.note(NewHead(session, seq, digest))

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Appends records, all or none, durably."""
        check_more(session, records, expected, key)
        self._check_writable()
        base = self._base(session)
        with self._errors, self._writing as cursor:
            # No query comes first: the database refuses a known key, a known entry, and one without its predecessor.
            if key is None or _try_insert(cursor, (base // SPAN, key, expected + 1, len(records))):
                try:
                    cursor.executemany(_ENTRY, _rows(base, records))
                except sqlite3.IntegrityError as error:
                    self._check_not_deleted(session)
                    found = cursor.execute(HEAD, (base, base + SPAN)).fetchone()
                    raise Stale(expected, found[0] if found else 0) from error
                self._writing.note(NewHead(session, records[-1].seq, records[-1].digest))
                return records
        return check_repeat(key, self.batch(session, key), records)

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Yields the records with `after` < seq <= `upto`, as of the call."""
        base, last = self._base(session), self.head(session).seq
        last = last if upto is None else min(last, upto)
        pages = self._pages(session, base + max(0, after), base + last)
        return chain.from_iterable(starmap(Record, page) for page in pages)

    def head(self, session: str) -> Head:
        """Returns the head of the log."""
        base = self._base(session)
        rows = self._rows(HEAD, base, base + SPAN)
        if not rows:
            self._check_not_deleted(session)
        if not rows and self._rows(_PAGE, base, base + 1):  # the session was just created, or its head is lost
            rows = self._rows(HEAD, base, base + SPAN)
            if not rows:
                raise Damaged(f"the last entry of {session!r} cannot be found", where=session)
        return Head(*rows[0]) if rows else Head(0, genesis(session))

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """Returns the records of an idempotency key."""
        check_text(key, "key")
        base = self._base(session)
        rows = self._rows("SELECT first, count FROM batches WHERE session = ? AND key = ?", base // SPAN, key)
        for first, count in rows:
            check_batch(key, first, count)
            pages = self._pages(session, base + first - 1, base + first - 1 + count)
            return [Record(*row) for page in pages for row in page]
        self._check_not_deleted(session)
        return []

    def keys(self, session: str) -> Mapping[str, Batch]:
        """Returns all idempotency keys of a session."""
        number = self._base(session) // SPAN
        rows = self._rows("SELECT key, first, count FROM batches WHERE session = ? ORDER BY first", number)
        if not rows:
            self._check_not_deleted(session)
        return {key: Batch(first, count) for key, first, count in rows}

    def sessions(self) -> Sequence[str]:
        """Returns the ids of all sessions, oldest first."""
        return [session.decode(errors="replace") for (session,) in self._rows(_SESSIONS)]

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Stores a secret beside the log."""
        check_text(name, "name")
        self._check_writable()
        number = self._base(session) // SPAN
        with self._errors, self._writing as cursor:
            try:
                cursor.execute(_SEALED, (number, name, secret))
            except sqlite3.IntegrityError as error:
                self._check_not_deleted(session)
                raise Sealed(f"{name!r} is sealed already", where=name) from error

    def unseal(self, session: str, name: str) -> bytes | None:
        """Returns the secret of that name."""
        check_text(name, "name")
        number = self._base(session) // SPAN
        rows = self._rows("SELECT CAST(secret AS BLOB) FROM sealed WHERE session = ? AND name = ?", number, name)
        if not rows:
            self._check_not_deleted(session)
        return bytes(rows[0][0]) if rows else None

    def seals(self, session: str) -> Sequence[str]:
        """Returns the names of the sealed secrets."""
        number = self._base(session) // SPAN
        rows = self._rows("SELECT CAST(name AS BLOB) FROM sealed WHERE session = ? ORDER BY name", number)
        if not rows:
            self._check_not_deleted(session)
        return [name.decode(errors="replace") for (name,) in rows]

    def keep_checkpoint(self, session: str, checkpoint: bytes) -> None:
        """Replaces the checkpoint of a session."""
        self._check_writable()
        number = self._base(session) // SPAN
        with self._errors, self._writing as cursor:
            try:
                cursor.execute(_KEEP, (number, checkpoint))
            except sqlite3.IntegrityError:
                self._check_not_deleted(session)
                raise

    def checkpoint(self, session: str) -> bytes | None:
        """Returns the checkpoint of a session."""
        rows = self._rows(_CHECKPOINT, self._base(session) // SPAN)
        if not rows:
            self._check_not_deleted(session)
        return rows[0][0] if rows else None

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Permanently deletes a session and leaves a tombstone; `delete.py` lists what may remain elsewhere."""
        self._check_writable()
        number = self._base(session) // SPAN
        with self._errors, self._writing as cursor:
            self._check_not_deleted(session)
            made = delete.delete(cursor, number, session, deletion, expected)
            stone = tombstone.decode(made.line)
            self._writing.note(NewHead(session, stone.entries, made.digest, stone.number))
        return stone

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in order."""
        return delete.records(self._rows(delete.TOMBSTONES))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commits all writes of this thread in the block together."""
        with self._errors, self._writing.together():
            yield

    def news(self, seconds: float) -> Collection[str] | None:
        """Waits for the next write; never reports which sessions were written to."""
        with self._errors:
            return None if self._watch.wait(seconds) else ()

    def close(self) -> None:
        """Closes the file when the current write is finished."""
        with self._errors:
            self._opened.close()

    def check_there(self) -> None:
        """Checks that the opened files are in place, can be read, and accept commits, unless they are read-only."""
        if isinstance(self._writing, Writing):
            self._check_writable()
        self._rows("SELECT 1 FROM sessions LIMIT 1")

    def _check_writable(self) -> None:
        with self._errors:
            self._writing.check_there()
        self.heads.check_begun()

    def _base(self, session: str) -> int:
        """Returns the row number before the session's first entry."""
        base = self._numbers.get(session) if isinstance(session, str) else None
        if base is None:
            check_text(session, "session")
            self._check_not_deleted(session)
            self.heads.check(session)
            rows = self._rows(_NUMBER, session)
            if not rows:
                raise NoSuchSession(f"there is no session {session!r}", where="session")
            if not 0 < rows[0][0] < _MOST_SESSIONS:
                raise Damaged(f"{session!r} has an impossible number", where=session)
            base = int(rows[0][0]) * SPAN
            if self._writing.inside is None:  # an uncommitted session may still be rolled back
                self._numbers[session] = base
        return base

    def _check_not_deleted(self, session: str) -> None:
        """Raises if the session was deleted. Called when nothing is found: another process may just have deleted it."""
        for (line,) in self._rows(_DELETED, session):
            self._numbers.pop(session, None)
            raise tombstone.decode(line).refusal()

    def _pages(self, session: str, low: int, high: int) -> Iterator[list[tuple[int, bytes, bytes, bytes]]]:
        """Yields the rows with `low` < id <= `high` by page; no lock is held between pages."""
        while low < high:
            page = self._rows(_PAGE, low, high, take=log_pages.page_of)
            try:
                log_pages.check_whole(
                    [row[0] for row in page], low % SPAN, high % SPAN, is_full=log_pages.is_full(page)
                )
            except Damaged:
                self._check_not_deleted(session)
                raise
            low += len(page)
            yield page

    def _rows(self, query: str, *values: int | str, take: Take = list) -> list[tuple[Any, ...]]:
        """Returns the rows of a query that `take` takes."""
        with self._errors:
            inside = self._writing.inside
            if inside is not None:
                with closing(inside.connection.cursor()) as cursor:
                    return take(cursor.execute(query, values))
            return self._reader.read(query, values, take)


def _try_insert(cursor: sqlite3.Cursor, batch: tuple[int, str, int, int]) -> bool:
    """Inserts the batch of an idempotency key. Returns whether the key was free."""
    try:
        cursor.execute(_BATCH, batch)
    except sqlite3.IntegrityError:
        return False
    return True


def _rows(base: int, records: Sequence[Record]) -> list[tuple[int, bytes, bytes, bytes]]:
    return [(base + record.seq, record.line, record.secret, record.digest) for record in records]
