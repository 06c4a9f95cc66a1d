"""Appending entries: one atomic batch, which another writer's batch or a repetition makes void."""

import time
from collections.abc import Sequence

from ledger.chain import Record
from ledger.errors import Stale, StoreRefused
from ledger.stores.checks import check_repeat
from ledger.stores.jetstream import messages, uploads
from ledger.stores.jetstream.known import KnownSession, Tip
from ledger.stores.jetstream.log import SessionLog
from ledger.stores.jetstream.messages import LARGEST, Entries, Keyed, Uploaded, encode, entries_of
from ledger.stores.jetstream.probe import probe
from ledger.stores.jetstream.servers.errors import Answered, NoAnswer, NotSent
from ledger.stores.jetstream.servers.link import EXPECTED, NONE_YET
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.servers.writing import Conflict
from ledger.stores.jetstream.sessions import StoredSessions
from ledger.stores.store import Batch, Head

_OVERHEAD = 16
"""More bytes than MessagePack needs beside the values of an entry."""


class Appender:
    """Appends entries to logs.

    Args:
        streams: The ledger's streams.
        sessions: Which sessions exist.
        log: Reads the logs.
    """

    def __init__(self, streams: Streams, sessions: StoredSessions, log: SessionLog) -> None:
        self._streams = streams
        self._sessions = sessions
        self._log = log

    def first_messages(self, session: str, records: Sequence[Record]) -> list[Message]:
        """Returns the messages with which the log of a new session begins."""
        place = self._streams.names.place(session)
        return _messages(place, self._packed(place, records, None, 0), 0) if records else []

    def add(self, session: str, records: Sequence[Record], expected: int, key: str | None) -> Sequence[Record]:
        """Appends entries, all or none; as `Store.append`."""
        known, place = self._sessions.known(session), self._streams.names.place(session)
        if key is not None and key in known.keys:
            return check_repeat(key, self._log.batch(session, known.keys[key]), records)
        self._log.check_keys(session)
        packed: Entries | Uploaded | None = None
        may_be_own, is_of_leader, began = False, False, time.monotonic()
        try:
            for attempt, _ in enumerate(self._streams.attempts()):
                tip = (not attempt and known.tip) or self._log.look(session)
                if may_be_own and self._has(session, records, tip.head):
                    return records
                if tip.head.seq == expected:
                    packed = packed or self._packed(place, records, key, tip.keyed + (key is not None))
                    try:
                        return self._write(place, known, packed, tip.place, records)
                    except Conflict as conflict:
                        may_be_own |= conflict.may_be_own
                        self._streams.link.notice_behind(began)
                if key is not None and (stored := self.stored(session, key)):
                    return check_repeat(key, stored, records)
                if attempt and tip.head.seq != expected:
                    if is_of_leader or tip.head.seq > expected:
                        if packed is not None and known.losing.is_over(time.monotonic()):
                            self._streams.link.leave()  # those at other servers are always faster
                        raise Stale(expected, tip.head.seq)
                    self._wait_for_leader(session)
                    is_of_leader = True
        except (Stale, StoreRefused, Answered):
            if packed is not None and not may_be_own:  # else the parts may be those of entries that were written
                uploads.discard(self._streams, place, _messages(place, packed, 0))
            raise
        raise NotSent("other writers were always faster")

    def stored(self, session: str, key: str) -> Sequence[Record]:
        """Returns the entries that were appended with an idempotency key; empty if there are none.

        That there are none holds for the log as far as this process has seen it: a server that has not all of that,
        such as the leader of an earlier term, is not believed.
        """
        place, known = self._streams.names.place(session), self._sessions.known(session)
        self._log.check_keys(session)
        least = (known.tip or self._log.look(session)).place
        for _ in self._streams.attempts_until_there():
            found = self._streams.reader.last_together(place.stream, (place.key(key), place.log))
            if place.key(key) in found:
                keyed = messages.keyed(found[place.key(key)])
                return self._log.batch(session, Batch(keyed.first, keyed.count))
            if not least or (place.log in found and found[place.log].seq >= least):
                return []
            self._sessions.look(session)  # raises if it was deleted
        raise NotSent("no server that can be reached has the whole log")

    def _wait_for_leader(self, session: str) -> None:
        """Waits until the servers that answer accept writes.

        They are not cut off then, and know all entries. The leader of an earlier term may answer until it notices that
        it is cut off.
        """
        names = self._streams.names
        try:
            self._streams.writer.write([probe(names, names.shard_of(session))])
        except NoAnswer as error:
            raise NotSent(str(error)) from error  # nothing of the caller's may have been written

    def _write(
        self, place: SessionNames, known: KnownSession, packed: Entries | Uploaded, last: int, records: Sequence[Record]
    ) -> Sequence[Record]:
        seq = self._streams.writer.write(_messages(place, packed, last))
        known.losing.forget()
        known.marks.add(packed.first, seq)
        known.learn(Tip(packed.head, seq, packed.keyed or 0))
        if isinstance(packed, Entries):
            self._log.recent.add(known.message.created.id, records)
        return records

    def _packed(
        self, place: SessionNames, records: Sequence[Record], key: str | None, keyed: int
    ) -> Entries | Uploaded:
        size = sum(len(each.line) + len(each.secret) + len(each.digest) + _OVERHEAD for each in records)
        if size <= LARGEST:
            return entries_of(records, key, keyed)
        return uploads.upload_records(self._streams, place, records, key, keyed)

    def _has(self, session: str, records: Sequence[Record], head: Head) -> bool:
        """Returns whether the log has these very entries: their secrets make their digests unique."""
        first, last = records[0].seq, records[-1].seq
        return head.seq >= last and list(self._log.read(session, first - 1, last)) == list(records)


def _messages(place: SessionNames, packed: Entries | Uploaded, last: int) -> list[Message]:
    """Returns the messages of an append; the last one is that of the log."""
    batch = []
    if packed.key is not None:
        batch.append(Message(place.key(packed.key), encode(Keyed(packed.first, packed.count)), NONE_YET))
    if isinstance(packed, Uploaded):
        batch.append(uploads.closing(place, packed.upload))
    return [*batch, Message(place.log, encode(packed), {EXPECTED: str(last)})]
