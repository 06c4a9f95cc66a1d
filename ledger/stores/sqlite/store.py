"""The default store: one SQLite file, safe for several processes and threads, durable when `append` returns."""

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, starmap
from typing import Any

from ledger import tombstone
from ledger.chain import Record, genesis
from ledger.errors import Damaged, NoSuchSession, Sealed, SessionExists, Stale
from ledger.stores import pages
from ledger.stores.checks import check_batch, check_more, check_new, check_repeat, check_text
from ledger.stores.heads import HeadsFile, Noted, Signer
from ledger.stores.pages import Take
from ledger.stores.places import check_name
from ledger.stores.sqlite import delete
from ledger.stores.sqlite.errors import Plainly
from ledger.stores.sqlite.file import Reader, inspect, open_writer
from ledger.stores.sqlite.heads_queries import SqliteEnds, place
from ledger.stores.sqlite.readonly import NoWriting, Snapshot
from ledger.stores.sqlite.schema import HEAD, SPAN
from ledger.stores.sqlite.watch import Watch
from ledger.stores.sqlite.writing import Writing
from ledger.stores.store import NO_KEYS, NOTHING, PATIENCE, Batch, Head
from ledger.stores.turns import Turnstile
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord

_MOST_SESSIONS = 2**31
"""More than there can be: row numbers have 63 bits."""

_SEQ = f"id & {SPAN - 1}"
_BLOBS = "CAST(line AS BLOB), CAST(secret AS BLOB), CAST(digest AS BLOB)"  # whatever a stranger has put there
_PAGE = f"SELECT {_SEQ}, {_BLOBS} FROM entries WHERE id > ? AND id <= ? ORDER BY id LIMIT {pages.RECORDS}"
_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?)"
_BATCH = "INSERT INTO batches VALUES (?, ?, ?, ?)"
_SEALED = "INSERT INTO sealed VALUES (?, ?, ?)"
_SESSIONS = "SELECT CAST(id AS BLOB) FROM sessions WHERE number NOT IN (SELECT session FROM tombstones) ORDER BY number"
_NUMBER = "SELECT number FROM sessions WHERE id = ?"
_DELETED = f"SELECT CAST(line AS BLOB) FROM tombstones WHERE session = ({_NUMBER})"


class SqliteStore:
    """Logs in an SQLite file. What each method does and refuses is said in `Store`.

    Beside the file lie its write-ahead log while it is in use, ``-turn``, by which processes take turns, and
    ``-heads``, which remembers the last entry of each session: a session of which entries are missing is refused with
    `Cut`. Threads may share a store; a forked process opens its own. One that cannot be written is read, and nothing
    is put beside it.

    Args:
        path: The file; it is made where there is none, its folder is not.
        patience: Seconds to wait for one's turn before `Busy`.
        only_read: Treat it as one that cannot be written, whether it can or not.
        heads: Where the heads file is instead, such as on another disk: a file, or a folder that is there.
        keys: What the lines of the heads file are signed with: the last one signs, any of them is believed.

    Raises:
        ForeignFile: It belongs to some other program; nothing of it was changed.
        Newer: It was written by a newer Affray.
        Damaged: It is cut short.
        ReadOnly: It, or its folder, cannot be written, and there is no ledger in it.
        Unusable: It cannot be opened for another reason.
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
        path = os.path.realpath(path)  # where the files beside it lie, whatever it is called by
        self._path = path
        self._plainly = Plainly(path)
        self._numbers: dict[str, int] = {}
        self._writing: Writing | NoWriting = NoWriting(path)
        self._reader: Reader | Snapshot
        self._watch: Watch | Snapshot
        with self._plainly, ExitStack() as opened:
            is_writable = inspect(path, only_read=only_read)
            if is_writable:
                writer = opened.enter_context(closing(open_writer(path, patience)))
                turnstile = opened.enter_context(closing(Turnstile(path + "-turn")))
                self._reader = opened.enter_context(closing(Reader(path, patience)))
            else:
                self._reader = self._watch = opened.enter_context(closing(Snapshot(path, patience)))
            signer = Signer(keys) if keys else None
            made = HeadsFile(place(path, heads), path, SqliteEnds(self._rows), signer, only_read=not is_writable)
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
        """Begin a log, empty or with its first records."""
        check_new(session, records, sealed, keys)
        self._check_writable()
        with self._plainly, self._writing as cursor:
            try:
                cursor.execute("INSERT INTO sessions (id) VALUES (?)", (session,))
            except sqlite3.IntegrityError as error:
                self._check_not_deleted(session)
                raise SessionExists(f"there is a session {session!r} already", where="session") from error
            number = cursor.lastrowid or 0
            cursor.executemany(_ENTRY, _rows(number * SPAN, records))
            cursor.executemany(_SEALED, [(number, name, secret) for name, secret in sealed.items()])
            cursor.executemany(_BATCH, [(number, key, batch.first, batch.count) for key, batch in keys.items()])
            seq, digest = (records[-1].seq, records[-1].digest) if records else (0, genesis(session))
            self._writing.note(Noted(session, seq, digest))

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Add records, all or none, durably."""
        check_more(session, records, expected, key)
        self._check_writable()
        base = self._base(session)
        with self._plainly, self._writing as cursor:
            # Nothing is asked first: the database itself refuses a key that is there, an entry that is there and one
            # whose predecessor is not.
            if key is None or _try_note(cursor, (base // SPAN, key, expected + 1, len(records))):
                try:
                    cursor.executemany(_ENTRY, _rows(base, records))
                except sqlite3.IntegrityError as error:
                    self._check_not_deleted(session)
                    found = cursor.execute(HEAD, (base, base + SPAN)).fetchone()
                    raise Stale(expected, found[0] if found else 0) from error
                self._writing.note(Noted(session, records[-1].seq, records[-1].digest))
                return records
        return check_repeat(key, self.batch(session, key), records)

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """The records with `after` < seq <= `upto`, as they are at the call."""
        base, last = self._base(session), self.head(session).seq
        last = last if upto is None else min(last, upto)
        pages = self._pages(session, base + max(0, after), base + last)
        return chain.from_iterable(starmap(Record, page) for page in pages)

    def head(self, session: str) -> Head:
        """The end of the log."""
        base = self._base(session)
        rows = self._rows(HEAD, base, base + SPAN)
        if not rows:
            self._check_not_deleted(session)
        if not rows and self._rows(_PAGE, base, base + 1):  # it has just begun, or its end is lost
            rows = self._rows(HEAD, base, base + SPAN)
            if not rows:
                raise Damaged(f"the end of {session!r} cannot be found", where=session)
        return Head(*rows[0]) if rows else Head(0, genesis(session))

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """The records that were appended under an idempotency key."""
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
        """All idempotency keys of a session."""
        number = self._base(session) // SPAN
        rows = self._rows("SELECT key, first, count FROM batches WHERE session = ? ORDER BY first", number)
        if not rows:
            self._check_not_deleted(session)
        return {key: Batch(first, count) for key, first, count in rows}

    def sessions(self) -> Sequence[str]:
        """The ids of all sessions, oldest first."""
        return [session.decode(errors="replace") for (session,) in self._rows(_SESSIONS)]

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Keep something beside the log."""
        check_text(name, "name")
        self._check_writable()
        number = self._base(session) // SPAN
        with self._plainly, self._writing as cursor:
            try:
                cursor.execute(_SEALED, (number, name, secret))
            except sqlite3.IntegrityError as error:
                self._check_not_deleted(session)
                raise Sealed(f"{name!r} is sealed already", where=name) from error

    def unseal(self, session: str, name: str) -> bytes | None:
        """What was sealed under that name."""
        check_text(name, "name")
        number = self._base(session) // SPAN
        rows = self._rows("SELECT CAST(secret AS BLOB) FROM sealed WHERE session = ? AND name = ?", number, name)
        if not rows:
            self._check_not_deleted(session)
        return bytes(rows[0][0]) if rows else None

    def seals(self, session: str) -> Sequence[str]:
        """The names under which something is sealed."""
        number = self._base(session) // SPAN
        rows = self._rows("SELECT CAST(name AS BLOB) FROM sealed WHERE session = ? ORDER BY name", number)
        if not rows:
            self._check_not_deleted(session)
        return [name.decode(errors="replace") for (name,) in rows]

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Deletes a session for good and leaves a tombstone; `delete.py` says what may remain elsewhere."""
        self._check_writable()
        number = self._base(session) // SPAN
        with self._plainly, self._writing as cursor:
            self._check_not_deleted(session)
            made = delete.delete(cursor, number, session, deletion, expected)
            stone = tombstone.decode(made.line)
            self._writing.note(Noted(session, stone.entries, made.digest, stone.number))
        return stone

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in their order."""
        return delete.records(self._rows(delete.TOMBSTONES))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let what this thread writes be one durable commit."""
        with self._plainly, self._writing.together():
            yield

    def news(self, seconds: float) -> Collection[str] | None:
        """Wait for what is written; which sessions went on is not known."""
        with self._plainly:
            return None if self._watch.wait(seconds) else ()

    def close(self) -> None:
        """Let go of the file, once who writes has finished."""
        with self._plainly:
            self._opened.close()

    def check_there(self) -> None:
        """Refuses where the files that were opened are gone, or no commit is taken; reading notices the rest itself."""
        if isinstance(self._writing, Writing):
            self._check_writable()

    def _check_writable(self) -> None:
        with self._plainly:
            self._writing.check_there()
        self.heads.check_begun()

    def _base(self, session: str) -> int:
        """The row number before the session's first."""
        check_text(session, "session")
        base = self._numbers.get(session)
        if base is None:
            self._check_not_deleted(session)
            self.heads.check(session)
            rows = self._rows(_NUMBER, session)
            if not rows:
                raise NoSuchSession(f"there is no session {session!r}", where="session")
            if not 0 < rows[0][0] < _MOST_SESSIONS:
                raise Damaged(f"{session!r} has a number that no session has", where=session)
            base = int(rows[0][0]) * SPAN
            if self._writing.inside is None:  # else it may have begun just now, and be lost again
                self._numbers[session] = base
        return base

    def _check_not_deleted(self, session: str) -> None:
        """Refuse a deleted session. Asked where nothing was found: another process may have deleted it just now."""
        for (line,) in self._rows(_DELETED, session):
            self._numbers.pop(session, None)
            raise tombstone.decode(line).refusal()

    def _pages(self, session: str, low: int, high: int) -> Iterator[list[tuple[int, bytes, bytes, bytes]]]:
        """What lies in `low` < id <= `high`; between two pages nothing is held, so that others may write."""
        while low < high:
            page = self._rows(_PAGE, low, high, take=pages.page_of)
            try:
                pages.check_whole([row[0] for row in page], low % SPAN, high % SPAN, is_full=pages.is_full(page))
            except Damaged:
                self._check_not_deleted(session)
                raise
            low += len(page)
            yield page

    def _rows(self, query: str, *values: int | str, take: Take = list) -> list[tuple[Any, ...]]:
        """What is found, as far as `take` wants it."""
        with self._plainly:
            inside = self._writing.inside
            if inside is not None:
                with closing(inside.connection.cursor()) as cursor:
                    return take(cursor.execute(query, values))
            return self._reader.read(query, values, take)


def _try_note(cursor: sqlite3.Cursor, batch: tuple[int, str, int, int]) -> bool:
    """Notes what is written under an idempotency key, and tells whether the key was free."""
    try:
        cursor.execute(_BATCH, batch)
    except sqlite3.IntegrityError:
        return False
    return True


def _rows(base: int, records: Sequence[Record]) -> list[tuple[int, bytes, bytes, bytes]]:
    return [(base + record.seq, record.line, record.secret, record.digest) for record in records]
