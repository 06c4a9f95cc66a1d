"""The log of a session: its head, its entries, and where in the stream they are."""

from collections.abc import Iterator

from ledger.chain import Record, genesis
from ledger.errors import Busy, Damaged
from ledger.stores import log_pages
from ledger.stores.jetstream import messages, uploads
from ledger.stores.jetstream.in_order import in_order
from ledger.stores.jetstream.keys import LoggedKeys
from ledger.stores.jetstream.known import KnownSession, Tip
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
        self._keys = LoggedKeys(streams)
        self.recent = RecentRecords()

    def look(self, session: str, *, least: int = 0) -> Tip:
        """Asks for the end of a session's log.

        Args:
            session: The id of the session.
            least: The number of an entry that is there, even if the server that answers is behind.

        Raises:
            NoSuchSession: There is no such session.
            Damaged: Entries or idempotency keys that are known to have been written are not there.
        """
        place, known = self._streams.names.place(session), self._sessions.known(session)
        counted = self._keys.count(place) if known.tip is None else None
        least = max(least, known.tip.head.seq if known.tip is not None else 0)
        missing = f"entry {least}"
        for _ in self._streams.attempts():
            for message in self._last_by_two(place):
                logged = None if message is None else messages.logged(message.payload)
                if logged is None or isinstance(logged, LogEnd):
                    known = self._sessions.look(session)  # raises if it was deleted
                tip = self._tip(session, place, logged, 0 if message is None else message.seq)
                if counted is not None and (lacking := self._keys.lacking(place, tip, counted)):
                    missing = lacking
                elif tip.head.seq >= least and (known.tip is None or known.tip.may_become(tip)):
                    return known.learn(tip)
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
        is_known = known.tip is not None and upto is not None and upto <= known.tip.head.seq
        tip = known.tip if known.tip is not None and is_known else self.look(session)
        low, high = max(after, 0), tip.head.seq if upto is None else min(upto, tip.head.seq)
        if low >= high:
            return iter(())
        recent = self.recent.find(session, low, high)
        if recent is not None:
            return iter(recent)
        return self._records(session, low, high, tip.place, is_to_head=high == tip.head.seq)

    def batch(self, session: str, batch: Batch) -> list[Record]:
        """Returns the records of an idempotency key.

        Raises:
            Damaged: They are not there.
        """
        last = batch.first - 1 + batch.count
        known = self._sessions.known(session)
        if known.tip is None or known.tip.head.seq < last:
            self.look(session, least=last)
        return list(self.read(session, batch.first - 1, last))

    def keys(self, session: str) -> dict[str, Batch]:
        """Returns the idempotency keys that were appended with, in order."""
        tip = self.look(session)
        try:
            return self._keys.checked(self._streams.names.place(session), tip.place)
        except Damaged:
            self._sessions.look(session)  # raises if it was deleted
            raise

    def _records(self, session: str, after: int, upto: int, last: int, *, is_to_head: bool) -> Iterator[Record]:
        place, known = self._streams.names.place(session), self._sessions.known(session)
        entry, start = self._start(place, known, after + 1, last)
        most = min(log_pages.RECORDS, upto - entry + 1)
        try:
            for seq, logged in in_order(self._streams.reader, place, after, start, last, most=most):
                known.marks.add(logged.first, seq)
                for record in self._entries(session, place, logged, after):
                    if record.seq > upto:
                        return
                    yield record
                if logged.head.seq >= upto and (seq == last or not is_to_head):
                    return
            raise Damaged(f"entries are missing from {after + 1} on", where=f"entry {after + 1}")
        except Damaged:
            self._sessions.look(session)  # raises if it was deleted
            raise

    def _tip(self, session: str, place: SessionNames, logged: Logged | None, at: int) -> Tip:
        """Returns the end of a log, from its last message."""
        if logged is None:
            return Tip(Head(0, genesis(session)), 0, 0)
        head = _head(logged, session)
        keyed = None if isinstance(logged, LogEnd) else logged.keyed
        return Tip(head, at, len(self._keys.logged(place, at)) if keyed is None else keyed)

    def _entries(self, session: str, place: SessionNames, logged: Logged, after: int) -> Iterator[Record]:
        if isinstance(logged, Uploaded):
            yield from uploads.read_records(self._streams.reader, place, logged, after)
        elif isinstance(logged, Entries):
            records = logged.stored()
            self.recent.add(session, records)
            yield from (record for record in records if record.seq > after)

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
