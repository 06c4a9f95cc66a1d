"""A session's log over a store: the tree of entries and the state after each."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from ledger import chain, codec
from ledger.chain import Record
from ledger.commands import Command, Rewind
from ledger.entry import Entry, StoredRequest, Who
from ledger.errors import BadCommand, Broken, Damaged, NoSuchEntry, StoreRefused, Unreadable
from ledger.events import Event
from ledger.requests.command_checks import check_key
from ledger.stores import Head, Store
from projections.combat import Combat, fold
from projections.history.disclosures import Disclosures
from projections.history.draws import Draws
from projections.history.timeline import Timeline
from replays.sessions.record import checkpoints, stored_records
from replays.sessions.record.checkpoints import Checkpoint
from replays.sessions.record.verify import verify
from replays.sessions.states import Following, States
from replays.sessions.times import TIMES, is_time


class Draft(msgspec.Struct, frozen=True, gc=False):
    """An entry before it is appended."""

    command: Command
    events: tuple[Event, ...]
    by: Who
    after: int
    """The entry it stands on; for drafts of one batch, counted on from the log's end."""
    rules_version: int
    origin: int | None = None
    state: Combat | None = None
    """The state after it; None where only its events are known."""

    def state_on(self, before: Combat) -> Combat:
        """Returns the state after it, on the state before it."""
        return fold(self.events, before) if self.state is None else self.state


class Log:
    """A session's entries, their tree, and the states along it."""

    def __init__(self, store: Store, session: str) -> None:
        self.store = store
        self.session = session
        self._begin()
        if not self._has_resumed():
            self.refresh()

    def _begin(self) -> None:
        """Makes the log empty, as before its first entry."""
        self.timeline = Timeline()
        self.draws = Draws()
        self.disclosures = Disclosures(self.entry)
        self.digest = chain.genesis(self.session)
        self.rules_version = 0
        """The newest rules version that decided an entry."""
        self.corrections: list[int] = []
        """The first entry of each correction, standing or not: each continues the log from before its head.

        Where an overrule of the same request replaced that entry, the overrule.
        """
        self.waits: dict[int, object] = {}
        """What waited at each correction, by its first entry; kept by `replays.corrections.deferred`."""
        self.size = 0
        """Bytes of the lines of all entries."""
        self._originals: dict[int, int] = {}
        """The first performance of entries that were performed again, as far as it was asked for."""
        self.settled = 0
        """An entry at which no recorded answers were deferred when it was the last one; see `replays.corrections`."""
        self._states = States(self.timeline, self.entries_of)
        self.resumed_at = 0
        """The entry of the checkpoint from which the log was opened; 0 if all of it was folded."""
        self._checkpointed = 0
        """The last entry at which a checkpoint was stored."""

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.timeline.last

    @property
    def head(self) -> int:
        """The number of the last entry that stands."""
        return self.timeline.head

    @property
    def combat(self) -> Combat:
        """The present state."""
        return self.state(self.timeline.head)

    def refresh(self) -> int:
        """Reads entries that were appended by others; returns how many."""
        before = self.last
        self.take(self.store.read(self.session, after=before))
        return self.last - before

    @classmethod
    def folded(cls, store: Store, session: str, upto: int | None = None) -> "Log":
        """Returns a log that is verified and folded in one pass, without its checkpoint.

        Args:
            store: The store of the session.
            session: The session's id.
            upto: The last entry to read; by default the last one.

        Raises:
            Broken: An entry differs from what was recorded; the first one is reported.
        """
        log = cls.__new__(cls)
        log.store, log.session = store, session
        log._begin()
        log.take(chain.check(store.read(session, upto=upto), log.digest))
        return log

    def continued_in(self, store: Store) -> "Log":
        """Returns a log that goes on from this one in another store, which has the same records; nothing is folded."""
        log = type(self).__new__(type(self))
        log.store, log.session = store, self.session
        log._begin()
        log._resume(checkpoints.independent(self.checkpoint([self.head])))
        return log

    def take(self, records: Iterable[Record]) -> None:
        """Adds records that were appended to the store."""
        self._take((stored_records.decoded(record, self.last + 1), record) for record in records)

    def _take(self, written: Iterable[tuple[Entry, Record]]) -> None:
        """Adds entries, each with its record, in order."""
        following = Following(self._states, self.head)
        for entry, record in written:
            self._note(entry, record)
            following.add(entry, self.head)
        following.end()

    def _note(self, entry: Entry, record: Record) -> None:
        """Adds an entry to everything but the states."""
        continues_from_before = entry.after != self.timeline.head and type(entry.command) is not Rewind
        self.timeline.add(entry)
        if continues_from_before:
            self._note_correction(entry)
        self.draws.add(entry.events, entry.origin)
        self.disclosures.add(entry.events)
        self.digest = record.digest
        self.size += len(record.line)
        self.rules_version = max(self.rules_version, entry.rules_version)

    def _note_correction(self, entry: Entry) -> None:
        """Adds an entry that continues the log from before its head to the corrections, if one begins with it."""
        if not self.timeline.replaces_draft(entry):
            self.corrections.append(entry.seq)
        elif self.corrections[-1:] == [entry.seq - 1]:
            self.corrections[-1] = entry.seq

    def state(self, seq: int) -> Combat:
        """Returns the state after an entry, on the line that ends with it."""
        return self._states.at(seq)

    # -------------------------------------------------------------------------------------------- checkpoints

    def _has_resumed(self) -> bool:
        """Returns whether the log continues from its checkpoint, to which all later entries are chained."""
        stored = self.store.checkpoint(self.session)
        found = None if stored is None else checkpoints.decode(stored)
        if found is None:
            return False
        try:
            later = self.store.read(self.session, after=found.seq - 1)
            first = next(later, None)
            if first is None or (first.seq, first.digest) != (found.seq, found.digest):
                return False
            self._resume(found)
            self.take(chain.check(later, first.digest, first.seq))
        except (Broken, Damaged, Unreadable):  # folding everything meets them again, and reports them
            self._begin()
            return False
        return True

    def _resume(self, found: Checkpoint) -> None:
        self.timeline, self.draws, self.corrections = found.timeline, found.draws, found.corrections
        self.disclosures.audiences, self.disclosures.count = found.audiences, found.disclosures
        self.digest, self.size, self.rules_version = found.digest, found.size, found.rules_version
        self.settled = found.settled
        self.resumed_at = self._checkpointed = found.seq
        self._states = States(self.timeline, self.entries_of)
        for seq, combat in found.states.items():
            self._states.keep(seq, combat)

    def checkpoint(self, seqs: Iterable[int] = ()) -> Checkpoint:
        """Returns a checkpoint of the log as it is.

        Args:
            seqs: The entries after which it has the states; by default the last one in force and some before it.
        """
        states = {seq: self.state(seq) for seq in seqs} or self._states.spread()
        return Checkpoint(
            self.last, self.digest, self.size, self.rules_version, self.corrections,
            self.settled, self.timeline, self.draws, self.disclosures.count, self.disclosures.audiences, states,
        )  # fmt: skip

    def _store_checkpoint(self) -> None:
        """Stores a checkpoint; a failure is ignored, because the log does not need it."""
        self._checkpointed = self.last
        with suppress(StoreRefused, OverflowError):
            self.store.keep_checkpoint(self.session, checkpoints.encode(self.checkpoint()))

    # -------------------------------------------------------------------------------------------- reading

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yields all entries of a range, standing or not.

        Raises:
            Damaged: An entry cannot be in its place; raised when it is reached.
        """
        return map(stored_records.entry, self.store.read(self.session, after, upto))

    def entries_of(self, seqs: Sequence[int]) -> Iterator[Entry]:
        """Yields the entries of these numbers, in order; consecutive ones are read together."""
        start = 0
        for index in range(1, len(seqs) + 1):
            if index == len(seqs) or seqs[index] != seqs[index - 1] + 1:
                yield from self.entries(seqs[start] - 1, seqs[index - 1])
                start = index

    def entry(self, seq: int) -> Entry:
        """Returns one entry.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        self.check(seq)
        return next(self.entries(seq - 1, seq))

    def original(self, entry: Entry) -> Entry:
        """Returns the first entry of which one is a repetition; the entry itself where it repeats none."""
        passed = []
        while entry.origin is not None and entry.seq not in self._originals:
            passed.append(entry.seq)
            entry = self.entry(entry.origin)
        first = self._originals.get(entry.seq, entry.seq)
        self._originals.update(dict.fromkeys(passed, first))
        return entry if first == entry.seq else self.entry(first)

    def check(self, seq: int) -> None:
        """Rejects a number that no entry has.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        if type(seq) is not int or not 1 <= seq <= self.last:
            raise NoSuchEntry(f"there is no entry {seq!r:.40}", where="entry", accepts=f"1 to {self.last}")

    def digest_of(self, seq: int) -> bytes:
        """Returns the digest of an entry, which covers the record up to it."""
        return self.digest if seq == self.last else next(self.store.read(self.session, seq - 1, seq)).digest

    def newest_first(self, head: int | None = None) -> Iterator[Entry]:
        """Yields the entries that stand, latest first; reads them in pages."""
        here = self.head if head is None else head
        page: dict[int, Entry] = {}
        while here:
            if here not in page:
                page = {entry.seq: entry for entry in self.entries(max(0, here - 32), here)}
            yield page[here]
            here = self.timeline.after(here)

    def under_key(self, key: str | None) -> Sequence[Record]:
        """Returns the records that were appended under an idempotency key; empty for a new request.

        Args:
            key: The key; None where the request has none.

        Raises:
            BadIdempotencyKey: The key is invalid.
        """
        if key is None:
            return ()
        check_key(key)
        return self.store.batch(self.session, key)

    # -------------------------------------------------------------------------------------------- writing

    def append(
        self, drafts: Sequence[Draft], at: str, secrets: Sequence[bytes], request: StoredRequest | None = None
    ) -> list[Entry]:
        """Appends drafts, all or none.

        Args:
            drafts: The drafts, in order.
            at: The time.
            secrets: One for each draft, from which its salts are derived.
            request: What the first entry keeps of the request, where it has an idempotency key or takes several
                entries.

        Returns:
            The entries as they are in the log.

        Raises:
            Stale: Another writer appended first; `refresh` and decide again.
            BadCommand: See `sealed`.
            Unreadable: See `sealed`.
        """
        before = self.last
        records, entries = sealed(drafts, at, secrets, self.digest, before, request=request)
        key = request.key or None if request is not None else None
        written = self._written(records, before, key)
        if written[0].seq != before + 1 or written[0].digest != records[0].digest:
            self.refresh()
            return list(map(stored_records.entry, written))
        if drafts[-1].state is not None and all(map(_is_read_as_decided, drafts, entries)):
            self._take_decided(drafts, entries, records)
        else:
            self._take(zip(entries, records, strict=True))
        return entries

    def _written(self, records: Sequence[Record], before: int, key: str | None) -> Sequence[Record]:
        """Appends records to the store; where a checkpoint is due, it is stored in the same commit."""
        if before - self._checkpointed < checkpoints.EVERY:
            return self.store.append(self.session, records, expected=before, key=key)
        with self.store.together():
            self._store_checkpoint()
            return self.store.append(self.session, records, expected=before, key=key)

    def _take_decided(self, drafts: Sequence[Draft], entries: Sequence[Entry], records: Sequence[Record]) -> None:
        """Adds entries with those of their states that are known; nothing is folded again."""
        for draft, entry, record in zip(drafts, entries, records, strict=True):
            self._note(entry, record)
            if draft.state is not None and type(entry.command) is not Rewind:
                self._states.keep(entry.seq, draft.state)

    def verify(self, head: str | None = None) -> Head:
        """Checks the whole chain, and that it contains an earlier head; see `verify`."""
        return verify(self.store, self.session, head)


def _is_read_as_decided(draft: Draft, entry: Entry) -> bool:
    """Returns whether an entry has the events of its draft; not where a list became a tuple."""
    return draft.events == entry.events


def sealed(
    drafts: Sequence[Draft],
    at: str,
    secrets: Sequence[bytes],
    previous: bytes,
    before: int = 0,
    *,
    request: StoredRequest | None = None,
) -> tuple[list[Record], list[Entry]]:
    """Returns drafts as entries, and as records linked to the chain.

    Args:
        drafts: The drafts, in order.
        at: The time.
        secrets: One for each draft, from which its salts are derived.
        previous: The digest that they continue from.
        before: The number of the entry before them.
        request: What the first entry keeps of the request, where it has an idempotency key or takes several entries.

    Raises:
        BadCommand: The clock returned no valid time.
        Unreadable: A draft could not be read back, because a value in it has a wrong type.
    """
    if not is_time(at):
        raise BadCommand(f"the clock returned {at!r:.60}, which is not a time", where="at", accepts=TIMES)
    records, entries = [], []
    for seq, (draft, secret) in enumerate(zip(drafts, secrets, strict=True), before + 1):
        entry = Entry(
            v=codec.SHAPE, seq=seq, after=draft.after, at=at, by=draft.by, rules_version=draft.rules_version,
            origin=draft.origin, command=draft.command, events=draft.events,
            request=request if seq == before + 1 else None,
        )  # fmt: skip
        line, read = _readable(entry)
        previous = chain.seal(previous, line, secret)
        records.append(Record(seq, line, secret, previous))
        entries.append(read)
    return records, entries


def _readable(entry: Entry) -> tuple[bytes, Entry]:
    """Returns an entry's line, and the entry as it will be read: a list given for a tuple is a tuple there.

    Raises:
        Unreadable: The line could not be read back, and would make the whole session unreadable.
    """
    line = codec.encode(entry)
    try:
        return line, codec.decode(line)
    except Unreadable as error:
        problem = f"entry {entry.seq} was not written, because it could not be read back: {error.message}"
        raise Unreadable(problem, where=f"entry {entry.seq}", accepts="values of the fields' types") from error
