"""One session's log with what is so after each entry: a tree of entries over a store.

A state costs little to keep (frozen, structurally shared), so some are kept as checkpoints: the latest ones, and one
in every few dozen before them. Any other is the nearest kept one before it and a short fold.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ledger import chain, codec
from ledger.asking import check_key
from ledger.chain import Record
from ledger.commands import Command, Rewind
from ledger.entry import Entry, Request, Who
from ledger.errors import BadCommand, Broken, NoSuchEntry, Unreadable
from ledger.events import Event
from ledger.stores import Head, Store
from projections.combat import Combat, Folding, fold
from projections.history.disclosures import Disclosures
from projections.history.draws import Draws
from projections.history.timeline import Timeline
from replays.sessions import bindings, stored_records
from replays.sessions.times import TIMES, is_time

_EVERY = 64
"""Of older states one in so many is kept."""
_LATEST = 256
"""So many of the latest are kept all."""
_NOTHING = Combat()


class Draft(msgspec.Struct, frozen=True, gc=False):
    """An entry before it is appended."""

    command: Command
    events: tuple[Event, ...]
    by: Who
    after: int
    """The entry it stands on; counted on from the log's end for drafts of one batch."""
    rules_version: int
    origin: int | None = None


class Log:
    """A session's entries, their tree, and the states along it."""

    def __init__(self, store: Store, session: str) -> None:
        self.store = store
        self.session = session
        self.timeline = Timeline()
        self.draws = Draws()
        self.disclosures = Disclosures(self.entry)
        self.digest = chain.genesis(session)
        self.rules_version = 0
        """The newest version of the rules that decided an entry."""
        self.corrections: list[int] = []
        """The first entries of corrections, standing or not: each continues the log from before its head."""
        self.size = 0
        """Bytes of the lines of all entries."""
        self._states: dict[int, Combat] = {0: _NOTHING}
        self.refresh()

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.timeline)

    @property
    def head(self) -> int:
        """The last entry that stands."""
        return self.timeline.head

    @property
    def combat(self) -> Combat:
        """What is so now."""
        return self.state(self.head)

    def refresh(self) -> int:
        """Take in what others have written; returns how many entries that was."""
        before = self.last
        self.take(self.store.read(self.session, after=before))
        return self.last - before

    def take(self, records: Iterable[Record]) -> None:
        """Take in records that were appended."""
        self._take((stored_records.decoded(record, self.last + 1), record) for record in records)

    def _take(self, written: Iterable[tuple[Entry, Record]]) -> None:
        """Take in entries, each with its record, in their order."""
        tip = self.head
        folding = Folding(self.state(tip))
        for entry, record in written:
            self._note(entry, record)
            rewinds = type(entry.command) is Rewind
            if rewinds or entry.after != tip:
                self._states[tip] = folding.combat()
                tip = self.head if rewinds else entry.after
                folding = Folding(self.state(tip))
            if not rewinds:
                folding.add(entry.events)
                tip = entry.seq
            if not entry.seq % _EVERY:
                self._states[tip] = combat = folding.combat()
                folding = Folding(combat)
        self._states[tip] = folding.combat()
        self._thin()

    def _note(self, entry: Entry, record: Record) -> None:
        """Note an entry, but for what is so after it."""
        if entry.after != self.timeline.head and type(entry.command) is not Rewind:
            self.corrections.append(entry.seq)
        self.timeline.add(entry)
        self.draws.add(entry.events, entry.origin)
        self.disclosures.add(entry.events)
        self.digest = record.digest
        self.size += len(record.line)
        self.rules_version = max(self.rules_version, entry.rules_version)

    def state(self, seq: int) -> Combat:
        """What was so on the line that ends with entry `seq`."""
        kept = self._states.get(seq)
        if kept is not None:
            return kept
        line = []
        here = seq
        while here not in self._states:
            line.append(here)
            here = self.timeline.after(here)
        line.reverse()
        events = (event for entry in self.entries_of(line) for event in entry.events)
        self._states[seq] = combat = fold(events, self._states[here])
        return combat

    def _thin(self) -> None:
        if len(self._states) < 2 * _LATEST + self.last // _EVERY:
            return
        recent = self.last - _LATEST
        self._states = {
            seq: combat for seq, combat in self._states.items() if seq > recent or not seq % _EVERY or seq == self.head
        }

    # -------------------------------------------------------------------------------------------- reading

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """All entries of a stretch of the log, standing or not.

        Raises:
            Damaged: When one is reached that cannot be in its place.
        """
        return map(stored_records.entry, self.store.read(self.session, after, upto))

    def entries_of(self, seqs: Sequence[int]) -> Iterator[Entry]:
        """These entries, in their order; neighbors are read together."""
        start = 0
        for index in range(1, len(seqs) + 1):
            if index == len(seqs) or seqs[index] != seqs[index - 1] + 1:
                yield from self.entries(seqs[start] - 1, seqs[index - 1])
                start = index

    def entry(self, seq: int) -> Entry:
        """One entry.

        Raises:
            NoSuchEntry: There is none of that number.
        """
        self.check(seq)
        return next(self.entries(seq - 1, seq))

    def check(self, seq: int) -> None:
        """Refuse a number that no entry has.

        Raises:
            NoSuchEntry: There is none.
        """
        if type(seq) is not int or not 1 <= seq <= self.last:
            raise NoSuchEntry(f"there is no entry {seq!r:.40}", where="entry", accepts=f"1 to {self.last}")

    def upwards(self, head: int | None = None) -> Iterator[Entry]:
        """The entries that stand, from the last one up to the first; read in pages."""
        here = self.head if head is None else head
        page: dict[int, Entry] = {}
        while here:
            if here not in page:
                page = {entry.seq: entry for entry in self.entries(max(0, here - 32), here)}
            yield page[here]
            here = self.timeline.after(here)

    def under_key(self, key: str | None) -> Sequence[Record]:
        """Returns what was written for the request under an idempotency key; nothing where it was not made yet.

        Args:
            key: The key; None where the request has none.

        Raises:
            BadIdempotencyKey: It can be none.
        """
        if key is None:
            return ()
        check_key(key)
        return self.store.batch(self.session, key)

    # -------------------------------------------------------------------------------------------- writing

    def append(
        self, drafts: Sequence[Draft], at: str, secrets: Sequence[bytes], request: Request | None = None
    ) -> list[Entry]:
        """Append drafts, all or none.

        Args:
            drafts: In their order.
            at: When.
            secrets: One for each, from which its salts come.
            request: What was asked, where it came under an idempotency key or takes several entries.

        Returns:
            The entries as they stand in the log.

        Raises:
            Stale: Somebody else wrote first; `refresh` and decide again.
            BadCommand: See `sealed`.
            Unreadable: See `sealed`.
        """
        before = self.last
        records, entries = sealed(drafts, at, secrets, self.digest, before, request=request)
        key = request.key or None if request is not None else None
        written = self.store.append(self.session, records, expected=before, key=key)
        if written[0].seq != before + 1 or written[0].digest != records[0].digest:
            self.refresh()
            return list(map(stored_records.entry, written))
        self._take(zip(entries, records, strict=True))
        return entries

    def verify(self, head: str | None = None) -> Head:
        """Check the whole chain, and that an earlier head is part of it; see `verify`."""
        return verify(self.store, self.session, head)


def verify(store: Store, session: str, head: str | None = None) -> Head:
    """Check a session's whole chain, what lies beside it, and that an earlier head is part of it.

    Nothing of it is believed, nor folded. Beside it lie the idempotency keys and the sealed seed of the dice.

    Args:
        store: Where it is kept.
        session: Its id.
        head: A digest, in hex, from somebody who kept it.

    Returns:
        The end of the log.

    Raises:
        Broken: At the first entry that is not what was recorded; or the head is no part of this log; or a key or the
            seed is not the one that the log binds.
    """
    previous, seq, known = chain.genesis(session), 0, head is None
    asked: dict[int, Request | None] = {}
    try:
        for record in chain.check(store.read(session), previous):
            previous, seq = record.digest, record.seq
            entry = stored_records.check(record)
            if entry.v != 1:
                asked[seq] = entry.request
            known = known or record.digest.hex() == head
    except RecursionError as error:
        raise stored_records.too_deep(seq + 1) from error
    if not seq:
        raise Broken("the log has lost its opening", seq=1)
    if not known:
        raise Broken(f"no entry of this log has the digest {head}", seq=seq)
    bindings.check_keys(store.keys(session), asked, seq)
    bindings.check_seed(store, session)
    return Head(seq, previous)


def sealed(
    drafts: Sequence[Draft],
    at: str,
    secrets: Sequence[bytes],
    previous: bytes,
    before: int = 0,
    *,
    request: Request | None = None,
) -> tuple[list[Record], list[Entry]]:
    """Drafts as entries, and as records linked to the chain.

    Args:
        drafts: In their order.
        at: When.
        secrets: One for each, from which its salts come.
        previous: The digest they continue from.
        before: The number of the entry before them.
        request: What was asked, where it came under an idempotency key or takes several entries; the first of them
            keeps it.

    Raises:
        BadCommand: The clock has told no time.
        Unreadable: One could not be read again, for something in it is of another type than it must be.
    """
    if not is_time(at):
        raise BadCommand(f"the clock has told {at!r:.60}, which is no time", where="at", accepts=TIMES)
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
        Unreadable: It could not be read again, and would make the whole session unreadable.
    """
    line = codec.encode(entry)
    try:
        return line, codec.decode(line)
    except Unreadable as error:
        problem = f"entry {entry.seq} is not written, for it could not be read again: {error.message}"
        raise Unreadable(problem, where=f"entry {entry.seq}", accepts="what can be read again") from error
