"""The log of a session: its head, its entries, and where in the stream they are."""

from collections.abc import Iterator

from ledger.chain import Record, genesis
from ledger.errors import Busy, Damaged
from ledger.stores import log_pages
from ledger.stores.jetstream import messages, uploads
from ledger.stores.jetstream.known import KnownSession
from ledger.stores.jetstream.messages import Entries, LogEnd, Logged, Uploaded
from ledger.stores.jetstream.recent import RecentRecords
from ledger.stores.jetstream.servers.errors import NotSent
from ledger.stores.jetstream.servers.link import Stored
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.sessions import StoredSessions
from ledger.stores.store import Batch, Head

_NEAR = 64
"""How many entries are read rather than looking for a nearer place."""


class SessionLog:
    """Reads the logs of sessions.

    Args:
        streams: The ledger's streams.
        sessions: Which sessions exist.
    """

    def __init__(self, streams: Streams, sessions: StoredSessions) -> None:
        self._streams = streams
        self._sessions = sessions
        self.recent = RecentRecords()

    def look(self, session: str, *, least: int = 0) -> tuple[Head, int]:
        """Asks for the last entry of a session, and for the number of its message in the stream, 0 for an empty log.

        Args:
            session: The id of the session.
            least: The number of an entry that is there, even if the server that answers is behind.

        Raises:
            NoSuchSession: There is no such session.
            Damaged: Entries that are known to have been written are not there.
        """
        place, known = self._streams.names.place(session), self._sessions.known(session)
        keyed = self._last_keyed(place) if known.tip is None else None
        least = max(least, keyed or 0, known.tip[0].seq if known.tip is not None else 0)
        missing = f"entry {least}"
        for _ in self._streams.attempts():
            for message in self._last_by_two(place):
                logged = None if message is None else messages.logged(message.payload)
                if logged is None or isinstance(logged, LogEnd):
                    known = self._sessions.look(session)  # raises if it was deleted
                head = Head(0, genesis(session)) if logged is None else _head(logged, session)
                at = 0 if message is None else message.seq
                if keyed is not None and not self._has_key(place, logged, keyed):
                    missing = f"the idempotency key of entry {head.seq}"
                elif head.seq >= least and _may_follow(known.tip, head, at):
                    return known.learn(head, at), at
        if self._streams.reader.is_leaderless(place.stream):
            raise NotSent("the servers that can be reached are behind")
        raise Damaged(f"{missing}, which was there, is not there", where=missing)

    def _last_by_two(self, place: SessionNames) -> Iterator[Stored | None]:
        """Yields the last message of a log by its leader, and by another server if that of the leader is too old.

        The leader of an earlier term may answer for seconds until it notices that it is not the leader any more.
        """
        yield self._streams.reader.last(place.stream, place.log)
        yield self._streams.reader.last_together(place.stream, (place.log,)).get(place.log)

    def read(self, session: str, after: int, upto: int | None) -> Iterator[Record]:
        """Yields the records with `after` < seq <= `upto`, as of the call."""
        known = self._sessions.known(session)
        is_known = known.tip is not None and upto is not None and upto <= known.tip[0].seq
        head, last = known.tip if known.tip is not None and is_known else self.look(session)
        low, high = max(after, 0), head.seq if upto is None else min(upto, head.seq)
        if low >= high:
            return iter(())
        recent = self.recent.find(session, low, high)
        return self._records(session, low, high, last, is_to_head=high == head.seq) if recent is None else iter(recent)

    def batch(self, session: str, batch: Batch) -> list[Record]:
        """Returns the records of an idempotency key.

        Raises:
            Damaged: They are not there.
        """
        last = batch.first - 1 + batch.count
        known = self._sessions.known(session)
        if known.tip is None or known.tip[0].seq < last:
            self.look(session, least=last)
        return list(self.read(session, batch.first - 1, last))

    def keys(self, session: str) -> dict[str, Batch]:
        """Returns the idempotency keys that were appended with, in order."""
        head, last = self.look(session)
        if not head.seq:
            return {}
        place = self._streams.names.place(session)
        found: dict[str, Batch] = {}
        for message in self._streams.reader.scan(place.stream, place.log, 1, last):
            logged = messages.logged(message.payload)
            if not isinstance(logged, LogEnd) and logged.key is not None:
                count = len(logged.records) if isinstance(logged, Entries) else logged.count
                found[logged.key] = Batch(logged.first, count)
        return found

    def _records(self, session: str, after: int, upto: int, last: int, *, is_to_head: bool) -> Iterator[Record]:
        place, known = self._streams.names.place(session), self._sessions.known(session)
        entry, start = self._start(place, known, after + 1, last)
        most = min(log_pages.RECORDS, upto - entry + 1)
        next_entry = None
        try:
            for message in self._streams.reader.scan(place.stream, place.log, start, last, most=most):
                logged = messages.logged(message.payload)
                next_entry = self._check_follows(logged, next_entry, after)
                known.marks.add(next_entry, message.seq)
                for record in self._entries(session, place, logged, after):
                    if record.seq > upto:
                        return
                    yield record
                next_entry = _head(logged, session).seq + 1
                if next_entry > upto and (message.seq == last or not is_to_head):
                    return
            raise Damaged(f"entries are missing from {after + 1} on", where=f"entry {after + 1}")
        except Damaged:
            self._sessions.look(session)  # raises if it was deleted
            raise

    def _last_keyed(self, place: SessionNames) -> int:
        """Returns the number of the last entry that has an idempotency key, so that its loss is noticed."""
        message = self._streams.reader.last(place.stream, f"{place.keys}.*")
        if message is None:
            return 0
        keyed = messages.keyed(message.payload)
        return keyed.first + keyed.count - 1

    def _has_key(self, place: SessionNames, logged: Logged | None, keyed: int) -> bool:
        """Returns whether the idempotency key of the last entries is there: it was stored with them.

        Args:
            place: The names of the session.
            logged: The last message of the log.
            keyed: The last entry with a key, as it was read before the log.
        """
        if logged is None or isinstance(logged, LogEnd) or logged.key is None:
            return True
        return keyed >= logged.head.seq or self._last_keyed(place) >= logged.head.seq

    def _entries(self, session: str, place: SessionNames, logged: Logged, after: int) -> Iterator[Record]:
        if isinstance(logged, Uploaded):
            yield from uploads.read_records(self._streams.reader, place, logged, after)
        elif isinstance(logged, Entries):
            records = logged.stored()
            self.recent.add(session, records)
            yield from (record for record in records if record.seq > after)

    def _check_follows(self, logged: Logged, expected: int | None, after: int) -> int:
        """Returns the number of the first entry of a message.

        Raises:
            Damaged: Entries are missing before it.
        """
        first = 0 if isinstance(logged, LogEnd) else logged.first
        if not first or (first != expected if expected is not None else first > after + 1):
            raise Damaged(
                f"entries are missing from {expected or after + 1} on", where=f"entry {expected or after + 1}"
            )
        return first

    def _start(self, place: SessionNames, known: KnownSession, wanted: int, last: int) -> tuple[int, int]:
        """Returns a place from which on to read: an entry at or before the wanted one and near it, and its message."""
        (entry, low), high = known.marks.before(wanted), last + 1
        while wanted - entry > _NEAR and high - low > 1:
            middle = (low + high) // 2
            found = self._first(place, middle)
            if found is None or found[0] > wanted:
                high = middle
            else:
                entry, low = found
                known.marks.add(entry, low)
        return max(entry, 1), max(low, 1)

    def _first(self, place: SessionNames, start: int) -> tuple[int, int] | None:
        """Returns the first message of a log from a place in the stream on: its first entry, and its place."""
        for message in self._streams.reader.scan(place.stream, place.log, start, most=1):
            logged = messages.logged(message.payload)
            return None if isinstance(logged, LogEnd) else (logged.first, message.seq)
        return None


def _head(logged: Logged, session: str) -> Head:
    if isinstance(logged, LogEnd):
        raise Busy(f"session {session!r} is being deleted", where="session")
    return logged.head


def _may_follow(seen: tuple[Head, int] | None, head: Head, at: int) -> bool:
    """Returns whether a log that ended at `seen` may end at `head` now."""
    if seen is None or (at == seen[1] and head == seen[0]):
        return True
    return at > seen[1] and head.seq > seen[0].seq
