"""The store in a PostgreSQL database, for many tables at once. An append is one round trip."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from itertools import chain, starmap

from psycopg.errors import RestrictViolation

from ledger import tombstone
from ledger.chain import Record, genesis
from ledger.errors import Damaged, NoSuchSession, Sealed, SessionExists, Stale, StoreRefused, Unsure
from ledger.stores import log_pages
from ledger.stores.checks import check_batch, check_more, check_new, check_repeat, check_text, check_writable
from ledger.stores.postgres import bulk
from ledger.stores.postgres.address import parse
from ledger.stores.postgres.connecting import connect
from ledger.stores.postgres.errors import PostgresErrors
from ledger.stores.postgres.migrations import check_version
from ledger.stores.postgres.news import Listener
from ledger.stores.postgres.notifier import Notifier
from ledger.stores.postgres.pool import CONNECTIONS, Connections, Rows, Values
from ledger.stores.postgres.pooler import connect_unshared
from ledger.stores.store import NO_KEYS, NOTHING, PATIENCE, Batch, Head
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord

_CREATE = (
    "SELECT affray.create_session(%b, %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[], "
    "%b::bytea[], %b::bigint[], %b::bigint[])"
)
# After a crash, a primary shows entries that no standby has yet; another primary would not have them. A request is
# acknowledged for such entries only after a commit, which waits until a standby has all that was written before.
_REPLICATED = (
    "CASE WHEN current_setting('synchronous_standby_names') <> '' AND current_setting('transaction_read_only') = 'off' "
    "THEN pg_logical_emit_message(true, 'affray', '') IS NOT NULL END"
)
_APPEND = (
    "SELECT outcome, number, line, secret, digest, "
    f"CASE WHEN outcome = 'known' THEN {_REPLICATED} END "
    "FROM affray.append(%b, %b::bigint, %b::bytea, %b::bytea[], %b::bytea[], %b::bytea[])"
)
_PAGE = (
    "SELECT seq, line, secret, digest FROM ("
    "SELECT seq, line, secret, digest, sum(octet_length(line)) OVER (ORDER BY seq) - octet_length(line) AS before "
    "FROM affray.entries WHERE session = %b::bigint AND seq > %b::bigint AND seq <= %b::bigint "
    f"ORDER BY seq LIMIT {log_pages.RECORDS}) AS page WHERE before < {log_pages.BYTES} ORDER BY seq"
)  # octet_length does not read values that are stored outside the row
_HEAD = "SELECT seq, digest FROM affray.entries WHERE session = %b::bigint ORDER BY seq DESC LIMIT 1"
_BATCH = f"SELECT first, count, {_REPLICATED} FROM affray.batches WHERE session = %b::bigint AND key = %b"
_SEAL = (
    "WITH made AS (INSERT INTO affray.sealed VALUES (%b::bigint, %b, %b) ON CONFLICT DO NOTHING RETURNING session) "
    "SELECT pg_notify('affray', session::text) FROM made"
)
_KEYS = "SELECT key, first, count FROM affray.batches WHERE session = %b::bigint ORDER BY first"
_CHECKPOINT = "SELECT checkpoint FROM affray.checkpoints WHERE session = %b::bigint"
_KEEP = (
    "INSERT INTO affray.checkpoints VALUES (%b::bigint, %b) "
    "ON CONFLICT (session) DO UPDATE SET checkpoint = excluded.checkpoint RETURNING session"
)
_UNSEAL = "SELECT secret FROM affray.sealed WHERE session = %b::bigint AND name = %b"
_SESSIONS = (
    "SELECT id FROM affray.sessions s WHERE NOT EXISTS "
    "(SELECT FROM affray.tombstones t WHERE t.session = s.number) ORDER BY number"
)
_TOMBSTONES = "SELECT number, line, digest FROM affray.tombstones ORDER BY number"
_DELETED = "SELECT t.line FROM affray.tombstones t JOIN affray.sessions s ON s.number = t.session WHERE s.id = %b"
_LEARN = (
    "SELECT s.number, s.id, t.line FROM affray.sessions s LEFT JOIN affray.tombstones t ON t.session = s.number WHERE "
)
_DELETE = "SELECT affray.delete_session(%b, %b::bigint, %b::bigint, %b, %b, %b)"
_SEALS = "SELECT name FROM affray.sealed WHERE session = %b::bigint ORDER BY name"


class PostgresStore:
    """Keeps logs in a PostgreSQL database; `Store` documents the methods.

    Threads may share a store; a forked process opens another one. Lost connections are reopened. After a lost
    connection an idempotent query is repeated: reads, and appends, because an append is for one place in the log, so
    that the repetition finds the place free or the records already there. Creating and deleting a session and sealing
    are not repeated: they raise `Unsure`.

    There is no heads file: the server is responsible for what it has acknowledged, and has its own log and backups.

    Args:
        url: ``postgresql://user:password@host:5432/database``, with tables created by `ledger.stores.migrate`.
        patience: Seconds to wait for a connection or an answer before `Busy` is raised.
        connections: The maximum number of connections, beside two for notifications.
        only_read: Whether to refuse writes.

    Raises:
        NotMigrated: The tables are missing, or older than this Affray.
        Newer: The tables are newer.
        Unusable: The server cannot be reached, or refuses the connection; or the address is that of a pooler in
            transaction mode.
    """

    heads = None
    one_writer = False

    def __init__(
        self, url: str, *, patience: float = PATIENCE, connections: int = CONNECTIONS, only_read: bool = False
    ) -> None:
        address = parse(url)
        self._name, self._only_read = address.name, only_read
        self.reading_address = url
        self._errors = PostgresErrors(address.name)
        self._numbers: dict[str, int] = {}
        self._ids: dict[int, str] = {}
        with self._errors:
            # It fails at once, where the pool would keep trying.
            with closing(connect_unshared(address, patience)) as connection:
                check_version(connection, address)
            self._connections = Connections(address, patience, connections)
        self._listener = Listener(lambda: connect(address, patience), address.name)
        self._notifier = Notifier(lambda: connect(address, patience))

    def create(
        self,
        session: str,
        records: Sequence[Record] = (),
        *,
        sealed: Mapping[str, bytes] = NOTHING,
        keys: Mapping[str, Batch] = NO_KEYS,
    ) -> None:
        """Creates a session, empty or with its first records."""
        self._check_writable()
        check_new(session, records, sealed, keys)
        with self._errors:
            is_new = (self._create_large if bulk.is_large(records, keys) else self._create)(
                session, records, sealed, keys
            )
        if not is_new:
            self._check_not_deleted(session)
            raise SessionExists(f"there is already a session {session!r}", where="session")
        self._notifier.add(_bytes(session))

    def _create(
        self, session: str, records: Sequence[Record], sealed: Mapping[str, bytes], keys: Mapping[str, Batch]
    ) -> bool:
        """Creates a session in one round trip; returns whether it is new."""
        kept = [_bytes(name) for name in sealed], list(sealed.values())
        batches = list(keys.values())
        known = [_bytes(key) for key in keys], [each.first for each in batches], [each.count for each in batches]
        ((is_new,),) = self._connections.ask(_CREATE, (_bytes(session), *_columns(records), *kept, *known))
        return bool(is_new)

    def _create_large(
        self, session: str, records: Sequence[Record], sealed: Mapping[str, bytes], keys: Mapping[str, Batch]
    ) -> bool:
        """Creates a session in one transaction of many messages; returns whether it is new."""
        with self._connections.transaction() as connection:
            return bulk.create(connection, _bytes(session), records, sealed, keys)

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Appends records, all or none, durably."""
        self._check_writable()
        check_more(session, records, expected, key)
        given = _bytes(session), expected, None if key is None else _bytes(key), *_columns(records)
        attempts: list[None] = []
        with self._errors:
            rows = self._connections.insist(_APPEND, given, again=lambda: attempts.append(None))
        if not rows:
            raise Damaged(f"the entries of the key {key!r} cannot be found", where="key")
        outcome, actual = rows[0][:2]
        if outcome == "unknown":
            raise _unknown(session)
        if outcome == "deleted":
            raise tombstone.decode(rows[0][2]).refusal()
        if outcome == "known":
            records = check_repeat(key or "", [Record(*row[1:5]) for row in rows], records)
        elif outcome == "stale" and not (attempts and self._has_stored(session, records)):
            raise Stale(expected, actual)
        self._notifier.add(_bytes(session))  # also for a repeated request: the process of the first may have died
        return records

    def _has_stored(self, session: str, records: Sequence[Record]) -> bool:
        """Returns whether exactly these records are in the log, which means that an append without an answer succeeded.

        Other records cannot have the same digests, because their secrets are random.
        """
        try:
            is_stored = list(self.read(session, records[0].seq - 1, records[-1].seq)) == list(records)
            if is_stored:
                self._rows(f"SELECT {_REPLICATED}")
            return is_stored
        except StoreRefused as error:
            raise Unsure(f"whether {session!r} was written is not known: {error.message}", where=error.where) from error

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Yields the records with `after` < seq <= `upto`, as of the call."""
        number, last = self._number(session), self.head(session).seq
        last = last if upto is None else min(last, upto)
        return chain.from_iterable(starmap(Record, page) for page in self._pages(session, number, max(0, after), last))

    def head(self, session: str) -> Head:
        """Returns the head of the log."""
        rows = self._rows(_HEAD, self._number(session))
        if not rows:
            self._check_not_deleted(session)
        return Head(*rows[0]) if rows else Head(0, genesis(session))

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """Returns the records of an idempotency key."""
        check_text(key, "key")
        number = self._number(session)
        for first, count, _ in self._rows(_BATCH, number, _bytes(key)):
            check_batch(key, first, count)
            pages = self._pages(session, number, first - 1, first - 1 + count)
            return [Record(*row) for page in pages for row in page]
        self._check_not_deleted(session)
        return []

    def keys(self, session: str) -> Mapping[str, Batch]:
        """Returns all idempotency keys of a session."""
        rows = self._rows(_KEYS, self._number(session))
        if not rows:
            self._check_not_deleted(session)
        return {_text(key): Batch(first, count) for key, first, count in rows}

    def sessions(self) -> Sequence[str]:
        """Returns the ids of all sessions, oldest first."""
        return [_text(session) for (session,) in self._rows(_SESSIONS)]

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Stores a secret beside the log."""
        self._check_writable()
        check_text(name, "name")
        number = self._number(session)
        with self._errors:
            try:
                written = self._connections.ask(_SEAL, (number, _bytes(name), secret))
            except RestrictViolation:
                self._check_not_deleted(session)
                raise
        if not written:
            raise Sealed(f"{name!r} is sealed already", where=name)

    def unseal(self, session: str, name: str) -> bytes | None:
        """Returns the secret of that name."""
        check_text(name, "name")
        rows = self._rows(_UNSEAL, self._number(session), _bytes(name))
        if not rows:
            self._check_not_deleted(session)
        return bytes(rows[0][0]) if rows else None

    def seals(self, session: str) -> Sequence[str]:
        """Returns the names of the sealed secrets."""
        rows = self._rows(_SEALS, self._number(session))
        if not rows:
            self._check_not_deleted(session)
        return [_text(name) for (name,) in rows]

    def keep_checkpoint(self, session: str, checkpoint: bytes) -> None:
        """Replaces the checkpoint of a session."""
        self._check_writable()
        number = self._number(session)
        with self._errors:
            try:
                self._connections.insist(_KEEP, (number, checkpoint))
            except RestrictViolation:
                self._check_not_deleted(session)
                raise

    def checkpoint(self, session: str) -> bytes | None:
        """Returns the checkpoint of a session."""
        rows = self._rows(_CHECKPOINT, self._number(session))
        if not rows:
            self._check_not_deleted(session)
        return bytes(rows[0][0]) if rows else None

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Permanently deletes a session and leaves a tombstone; vacuuming the tables removes its bytes."""
        self._check_writable()
        while True:
            head, before = self.head(session), self.tombstones()[-1:]
            if expected not in (None, head.seq):
                raise Stale(expected or 0, head.seq)
            made = tombstone.make(session, deletion, head.seq, head.digest, *before or (None,))
            given = _bytes(session), made.number, head.seq, head.digest, made.line, made.digest
            with self._errors:
                ((outcome,),) = self._connections.ask(_DELETE, given)
            if outcome == "written":
                return tombstone.decode(made.line)
            self._check_not_deleted(session)  # otherwise another writer was faster: the loop makes a new tombstone

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in order."""
        return [TombstoneRecord(*row) for row in self._rows(_TOMBSTONES)]

    def check_there(self) -> None:
        """Checks that the database answers, with Affray's tables."""
        self._rows("SELECT 1 FROM affray.sessions LIMIT 1")

    def together(self) -> nullcontext[None]:
        """Returns a context manager that does nothing: each write is durable at once."""
        return nullcontext()

    def news(self, seconds: float) -> Collection[str] | None:
        """Waits for the next write."""
        deadline = time.monotonic() + seconds
        self._notifier.wait(seconds)  # otherwise this process's writes until now might be reported one by one
        with self._errors:
            numbers = self._listener.wait(deadline - time.monotonic())
        if numbers is None:
            return None
        unknown = [number for number in numbers if number not in self._ids]
        if unknown:
            self._learn("s.number = ANY(%b::bigint[])", unknown)
        return {self._ids[number] for number in numbers if number in self._ids}

    def close(self) -> None:
        """Closes the connections; other processes are notified of all writes before."""
        self._notifier.close()
        self._listener.close()
        self._connections.close()

    def _number(self, session: str) -> int:
        check_text(session, "session")
        if session not in self._numbers:
            self._learn("s.id = %b", _bytes(session))
            if session not in self._numbers:
                raise _unknown(session)
        return self._numbers[session]

    def _check_not_deleted(self, session: str) -> None:
        """Raises if the session was deleted. Called when nothing is found: another process may just have deleted it."""
        for (line,) in self._rows(_DELETED, _bytes(session)):
            raise tombstone.decode(line).refusal()

    def _learn(self, condition: str, value: bytes | list[int]) -> None:
        """Looks up ids and numbers of sessions, which never change.

        Raises:
            SessionDeleted: The session was looked up by its id, and is deleted.
        """
        for number, raw, line in self._rows(_LEARN + condition, value):
            session = _text(raw)
            self._ids[number] = session
            if line is None:
                self._numbers[session] = number
            elif isinstance(value, bytes):
                raise tombstone.decode(line).refusal()

    def _pages(self, session: str, number: int, low: int, high: int) -> Iterator[Rows]:
        """Yields the rows with `low` < seq <= `high` by page; no connection is held between pages."""
        while low < high:
            page = self._rows(_PAGE, number, low, high)
            try:
                log_pages.check_whole([row[0] for row in page], low, high, is_full=log_pages.is_full(page))
            except Damaged:
                self._check_not_deleted(session)
                raise
            low += len(page)
            yield page

    def _check_writable(self) -> None:
        check_writable(self._name, only_read=self._only_read)

    def _rows(self, query: str, *values: bytes | int | list[int]) -> Rows:
        with self._errors:
            return self._connections.look(query, values)


def _unknown(session: str) -> NoSuchSession:
    return NoSuchSession(f"there is no session {session!r}", where="session")


def _columns(records: Sequence[Record]) -> Values:
    return [r.line for r in records], [r.secret for r in records], [r.digest for r in records]


def _bytes(text: str) -> bytes:
    return text.encode()


def _text(raw: bytes) -> str:
    return bytes(raw).decode(errors="replace")
