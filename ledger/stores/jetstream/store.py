"""The store in NATS JetStream, on several servers: an append is one atomic batch of messages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext

from ledger import tombstone
from ledger.chain import Record
from ledger.errors import Stale
from ledger.stores.checks import check_more, check_new, check_text, check_writable
from ledger.stores.jetstream.appending import Appender
from ledger.stores.jetstream.checkpoints import Checkpoints
from ledger.stores.jetstream.deletion import complete, deleted, ending, tombstones
from ledger.stores.jetstream.log import SessionLog
from ledger.stores.jetstream.migrations import check_ledger
from ledger.stores.jetstream.news import News
from ledger.stores.jetstream.probe import Probe
from ledger.stores.jetstream.seals import Seals
from ledger.stores.jetstream.servers.address import parse, with_shards
from ledger.stores.jetstream.servers.errors import JetStreamErrors, NotSent
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.servers.writing import Conflict
from ledger.stores.jetstream.sessions import StoredSessions
from ledger.stores.store import NO_KEYS, NOTHING, PATIENCE, Batch, Head
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord


class JetStreamStore:
    """Keeps logs in NATS JetStream; `Store` documents the methods, and README.md the promises.

    Threads may share a store; a forked process opens another one. The library reconnects to any of the servers. After
    an answer that did not come, every write is repeated until the patience is used up: each names what it expects to
    find, so that the repetition is executed once at most.

    There is no heads file: a majority of the servers has each acknowledged entry on its disk.

    Args:
        url: ``nats://user:password@host1,host2,host3/ledger``, with streams created by `ledger.stores.migrate`.
        patience: Seconds to wait for an answer before `Busy`, or `Unsure` for a write, is raised.
        only_read: Whether to refuse writes. A ledger whose address gives its shards is then opened also while too few
            servers are there to accept any.

    Raises:
        NotMigrated: The streams are missing, or older than this Affray.
        Newer: The streams are newer.
        Unusable: No server can be reached; or the servers are too old, or do not write to disk at once, or too few
            have a copy, and the address does not ask for that.
    """

    heads = None
    one_writer = False

    def __init__(self, url: str, *, patience: float = PATIENCE, only_read: bool = False) -> None:
        address = parse(url)
        self._errors = JetStreamErrors(address.name)
        self._name, self._only_read = address.name, only_read
        with self._errors:
            self._link = Link(address, patience)
            try:
                names = check_ledger(self._link, address, only_read=only_read)
            except BaseException:
                self._link.close()
                raise
        self.reading_address = with_shards(url, names.shards)
        self._streams = streams = Streams(self._link, names)
        self._sessions = StoredSessions(streams)
        self._log = SessionLog(streams, self._sessions)
        self._appender = Appender(streams, self._sessions, self._log)
        self._seals = Seals(streams, self._sessions)
        self._checkpoints = Checkpoints(streams, self._sessions)
        self._news = News(self._link, names, address.name)
        self._probe = Probe(self._link, names, address.name)

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
            log = self._appender.first_messages(session, records)
            self._sessions.create(session, log, len(records), sealed, keys)

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Appends records, all or none, durably."""
        self._check_writable()
        check_more(session, records, expected, key)
        with self._errors:
            return self._appender.add(session, records, expected, key)

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Yields the records with `after` < seq <= `upto`, as of the call."""
        with self._errors:
            records = self._log.read(session, after, upto)
        return self._with_refusals(records)

    def head(self, session: str) -> Head:
        """Returns the head of the log."""
        with self._errors:
            return self._log.look(session).head

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """Returns the records of an idempotency key."""
        check_text(key, "key")
        with self._errors:
            known = self._sessions.look(session)
            if key in known.keys:
                return self._log.batch(session, known.keys[key])
            return self._appender.stored(session, key)

    def keys(self, session: str) -> Mapping[str, Batch]:
        """Returns all idempotency keys of a session."""
        with self._errors:
            return {**self._sessions.look(session).keys, **self._log.keys(session)}

    def sessions(self) -> Sequence[str]:
        """Returns the ids of all sessions, oldest first by the clocks of the servers."""
        with self._errors:
            return self._sessions.all()

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Stores a secret beside the log."""
        self._check_writable()
        check_text(name, "name")
        with self._errors:
            self._seals.seal(session, name, secret)

    def unseal(self, session: str, name: str) -> bytes | None:
        """Returns the secret of that name."""
        check_text(name, "name")
        with self._errors:
            return self._seals.unseal(session, name)

    def seals(self, session: str) -> Sequence[str]:
        """Returns the names of the sealed secrets."""
        with self._errors:
            return self._seals.names(session)

    def keep_checkpoint(self, session: str, checkpoint: bytes) -> None:
        """Replaces the checkpoint of a session, unless it is too large for a message."""
        self._check_writable()
        with self._errors:
            self._checkpoints.keep(session, checkpoint)

    def checkpoint(self, session: str) -> bytes | None:
        """Returns the checkpoint of a session."""
        with self._errors:
            return self._checkpoints.find(session)

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Permanently deletes a session and leaves a tombstone; the servers remove its bytes in the course of time."""
        self._check_writable()
        with self._errors:
            for _ in self._streams.attempts():
                known = self._sessions.look(session)
                place, tip = self._streams.names.place(session), self._log.look(session)
                if expected not in (None, tip.head.seq):
                    raise Stale(expected or 0, tip.head.seq)
                gone = deleted(session, deletion, tip.head)
                try:
                    seq = self._streams.writer.write(ending(place, gone, tip.place, known.message.seq))
                except Conflict as conflict:
                    found = self._sessions.deletion_of(session) if conflict.may_be_own else None
                    if found is None or found[0].line != gone.line:
                        continue  # another writer was faster
                    gone, seq = found
                self._sessions.forget(session)
                return tombstone.decode(complete(self._streams, gone, seq).line)
            raise NotSent("other writers were always faster")

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in order."""
        with self._errors:
            return tombstones(self._streams)

    def check_there(self) -> None:
        """Checks that every shard takes writes: its leader answers, and a majority has it."""
        with self._errors:
            self._probe.check()

    def together(self) -> nullcontext[None]:
        """Returns a context manager that does nothing: each write is durable at once."""
        return nullcontext()

    def news(self, seconds: float) -> Collection[str] | None:
        """Waits for the next write."""
        with self._errors:
            return self._news.wait(seconds)

    def close(self) -> None:
        """Ends the connection."""
        self._news.close()
        self._link.close()

    def _check_writable(self) -> None:
        check_writable(self._name, only_read=self._only_read)

    def _with_refusals(self, records: Iterator[Record]) -> Iterator[Record]:
        with self._errors:
            yield from records
