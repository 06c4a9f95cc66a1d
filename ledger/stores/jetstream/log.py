"""The log of a session: its head, its entries, and where in the stream they are."""

from collections.abc import Iterator
from contextlib import contextmanager

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
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.sessions import StoredSessions
from ledger.stores.store import Batch, Head

_NEAR = 64
"""How many entries are read rather than looking for a nearer place."""
_COUNTED = 3
"""How often keys are counted, while others write, before each is compared."""


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
            Damaged: Entries that are known to have been written are not there.
        """
        with self._unless_deleted(session):
            return self._look(session, self._sessions.known(session), least)

    def check_keys(self, session: str) -> None:
        """Checks that each idempotency key is there that the log names, unless this process has counted them.

        Raises:
            Damaged: One is not: what it was used for would be done again.
        """
        known = self._sessions.known(session)
        if known.tip is None:
            self.look(session)
        if not known.are_keys_doubtful:
            return
        place = self._streams.names.place(session)
        for _ in range(_COUNTED):
            counted = self._keys.count(place)
            if counted == self.look(session).keyed:
                break
        else:
            self.keys(session)
        known.are_keys_doubtful = False

    def _look(self, session: str, known: KnownSession, least: int) -> Tip:
        place, seen = self._streams.names.place(session), known.tip
        least = max(least, seen.head.seq if seen is not None else known.message.created.entries)
        missing = f"entry {least}"
        for _ in self._streams.attempts_until_there():
            counted = self._keys.count(place) if seen is None else 0
            for message in self._streams.last_by_two(place.stream, place.log):
                tip = self._tip(session, known, message)
                if tip.keyed < counted:
                    missing = f"an entry after {tip.head.seq}"
                elif tip.head.seq >= least and (seen is None or seen.may_become(tip)):
                    known.are_keys_doubtful |= seen is None and counted < tip.keyed
                    return known.learn(tip)
        if self._streams.reader.is_leaderless(place.stream):
            raise NotSent("the servers that can be reached are behind")
        raise Damaged(f"{missing}, which was there, is not there", where=missing)

    def _tip(self, session: str, known: KnownSession, message: Stored | None) -> Tip:
        """Returns the end of a log, from its last message."""
        if message is None:
            self._sessions.look(session)  # raises if it was deleted
            return Tip(Head(0, genesis(session)), 0, 0)
        logged = messages.logged(message)
        if isinstance(logged, LogEnd):
            self._sessions.look(session)
            raise Busy(f"session {session!r} is being deleted", where="session")
        return Tip(logged.head, message.seq, self._keyed(session, known, logged, message.seq))

    def _keyed(self, session: str, known: KnownSession, logged: Entries | Uploaded, at: int) -> int:
        """Returns how many appends had a key until a message; those of an older Affray did not count them."""
        if logged.keyed is not None:
            return logged.keyed
        if known.tip is not None and known.tip.place == at:
            return known.tip.keyed
        return len(self._keys.logged(self._streams.names.place(session), at))

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
        with self._unless_deleted(session):
            return self._keys.checked(self._streams.names.place(session), tip.place)

    def _records(self, session: str, after: int, upto: int, last: int, *, is_to_head: bool) -> Iterator[Record]:
        place, known = self._streams.names.place(session), self._sessions.known(session)
        entry, start = self._start(place, known, after + 1, last)
        most = min(log_pages.RECORDS, upto - entry + 1)
        with self._unless_deleted(session):
            for seq, logged in in_order(self._streams.reader, place, after, start, last, most=most):
                known.marks.add(logged.first, seq)
                for record in self._entries(session, place, logged, after):
                    if record.seq > upto:
                        return
                    yield record
                if logged.head.seq >= upto and (seq == last or not is_to_head):
                    return
            raise Damaged(f"entries are missing from {after + 1} on", where=f"entry {after + 1}")

    @contextmanager
    def _unless_deleted(self, session: str) -> Iterator[None]:
        """Reports, in the place of damage, that the session was deleted meanwhile."""
        try:
            yield
        except Damaged:
            self._sessions.look(session)  # raises if it was deleted
            raise

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
            logged = messages.logged(message)
            return None if isinstance(logged, LogEnd) else (logged.first, message.seq)
        return None
