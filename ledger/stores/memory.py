"""The store in memory, lost when the process ends: for tests, previews, and scripts that keep nothing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from threading import Condition, RLock

from ledger import tombstone
from ledger.chain import Record, genesis
from ledger.errors import NoSuchSession, Sealed, SessionExists, Stale
from ledger.stores.checks import check_more, check_new, check_repeat, check_text
from ledger.stores.continued import ContinuedRecords
from ledger.stores.store import NO_KEYS, NOTHING, Batch, Head, Store
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord


class _StoredSession:
    """The records of one session, its idempotency keys, its sealed secrets and its checkpoint."""

    def __init__(self) -> None:
        self.records: list[Record] | ContinuedRecords = []
        self.batches: dict[str, Batch] = {}
        self.sealed: dict[str, bytes] = {}
        self.checkpoint: bytes | None = None

    def batch(self, key: str) -> list[Record]:
        """Returns the records of a known idempotency key."""
        batch = self.batches[key]
        return list(self.records[batch.first - 1 : batch.first - 1 + batch.count])


class MemoryStore:
    """Keeps logs in memory; `Store` documents the methods.

    Threads may share the store. There is no heads file.
    """

    heads = None
    one_writer = True
    reading_address = None

    def __init__(self) -> None:
        self._logs: dict[str, _StoredSession] = {}
        self._deleted: dict[str, TombstoneRecord] = {}
        self._lock = RLock()
        self._written = Condition(self._lock)
        self._news: set[str] = set()

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
        with self._lock:
            self._check_not_deleted(session)
            if session in self._logs:
                raise SessionExists(f"there is already a session {session!r}", where="session")
            self._logs[session] = _StoredSession()
            self._logs[session].records.extend(records)
            self._logs[session].sealed.update(sealed)
            self._logs[session].batches.update(keys)
            self._notify(session)

    def continue_from(self, store: Store, session: str, upto: int) -> None:
        """Adds a session that begins as in another store; its first records are read there, and not copied.

        Args:
            store: The other store, with the session.
            session: The id of the session.
            upto: The last record that is taken over.
        """
        with self._lock:
            self._logs[session] = log = _StoredSession()
            log.records = ContinuedRecords(store, session, upto)
            found = {name: store.unseal(session, name) for name in store.seals(session)}
            log.sealed = {name: secret for name, secret in found.items() if secret is not None}

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Appends records, all or none."""
        check_more(session, records, expected, key)
        with self._lock:
            log = self._log(session)
            if key is not None and key in log.batches:
                return check_repeat(key, log.batch(key), records)
            if expected != len(log.records):
                raise Stale(expected, len(log.records))
            log.records.extend(records)
            if key is not None:
                log.batches[key] = Batch(expected + 1, len(records))
            self._notify(session)
            return records

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Returns the records with `after` < seq <= `upto`, as of the call."""
        with self._lock:
            records = self._log(session).records
            last = len(records) if upto is None else max(0, min(upto, len(records)))
            return iter(records[max(0, after) : last])

    def head(self, session: str) -> Head:
        """Returns the head of the log."""
        with self._lock:
            records = self._log(session).records
            return Head(records[-1].seq, records[-1].digest) if records else Head(0, genesis(session))

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """Returns the records of an idempotency key."""
        check_text(key, "key")
        with self._lock:
            log = self._log(session)
            return log.batch(key) if key in log.batches else []

    def keys(self, session: str) -> Mapping[str, Batch]:
        """Returns all idempotency keys of a session."""
        with self._lock:
            return dict(self._log(session).batches)

    def sessions(self) -> Sequence[str]:
        """Returns the ids of all sessions, oldest first."""
        with self._lock:
            return list(self._logs)

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Stores a secret beside the log."""
        check_text(name, "name")
        with self._lock:
            sealed = self._log(session).sealed
            if name in sealed:
                raise Sealed(f"{name!r} is sealed already", where=name)
            sealed[name] = secret
            self._notify(session)

    def unseal(self, session: str, name: str) -> bytes | None:
        """Returns the secret of that name."""
        check_text(name, "name")
        with self._lock:
            return self._log(session).sealed.get(name)

    def seals(self, session: str) -> Sequence[str]:
        """Returns the names of the sealed secrets."""
        with self._lock:
            return sorted(self._log(session).sealed)

    def keep_checkpoint(self, session: str, checkpoint: bytes) -> None:
        """Replaces the checkpoint of a session."""
        with self._lock:
            self._log(session).checkpoint = checkpoint

    def checkpoint(self, session: str) -> bytes | None:
        """Returns the checkpoint of a session."""
        with self._lock:
            return self._log(session).checkpoint

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Permanently deletes a session and leaves a tombstone."""
        with self._lock:
            head = self.head(session)
            if expected not in (None, head.seq):
                raise Stale(expected or 0, head.seq)
            before = next(reversed(self._deleted.values()), None)
            self._deleted[session] = made = tombstone.make(session, deletion, head.seq, head.digest, before)
            del self._logs[session]
            self._notify(session)
            return tombstone.decode(made.line)

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in order."""
        with self._lock:
            return list(self._deleted.values())

    def check_there(self) -> None:
        """Does nothing: memory is always available."""

    def together(self) -> nullcontext[None]:
        """Returns a context manager that does nothing: every write is complete at once."""
        return nullcontext()

    def news(self, seconds: float) -> Collection[str]:
        """Waits for the next write."""
        with self._lock:
            self._written.wait_for(lambda: bool(self._news), seconds)
            news, self._news = self._news, set()
            return news

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def _notify(self, session: str) -> None:
        self._news.add(session)
        self._written.notify()

    def _check_not_deleted(self, session: str) -> None:
        if session in self._deleted:
            raise tombstone.decode(self._deleted[session].line).refusal()

    def _log(self, session: str) -> _StoredSession:
        check_text(session, "session")
        self._check_not_deleted(session)
        if session not in self._logs:
            raise NoSuchSession(f"there is no session {session!r}", where="session")
        return self._logs[session]
