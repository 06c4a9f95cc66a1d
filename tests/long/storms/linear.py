"""Histories of appends and reads by several clients, and whether the promises of a store hold for them.

The promises: appends to one session have one order, and one that was acknowledged before another was asked for comes
before it (they are linearizable); what a client reads is a beginning of the log, never shorter than what the same client
has read or appended before; an acknowledged entry is in the log, once. Clients read the number of the last entry, or some
of the last entries, and sometimes the whole log; what they read is compared with the log at the end byte for byte.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from threading import Event, Lock, Thread

from ledger_records import content_of, record_after
from long.part import Failed

from ledger.chain import Record
from ledger.errors import LogRefused, StoreRefused
from ledger.stores import Head, Store

_PAUSE = 0.02
_LAST = 5
"""How many of the entries that a client knows are usually read again, with all that follow."""
_MORE = 70
"""How many of them are read now and then: more than a store keeps together in memory."""
_MORE_EVERY, _WHOLE_EVERY = 10, 100
"""One turn in so many reads more entries, or the whole log."""
_AGAIN = frozenset({"log/stale", "store/busy", "store/unsure", "store/unusable"})
"""Refusals after which a request is made again; any other one is a fault."""


@dataclass(frozen=True)
class Done:
    """An append that was acknowledged, or a read that was answered."""

    client: int
    is_append: bool
    began: float
    ended: float
    """Seconds on the monotonic clock of the machine."""
    seq: int
    """The number of the appended entry, or of the last entry that was read."""
    digest: bytes
    """The digest of that entry."""
    entries: "ReadEntries | None" = None
    """The entries that were read; None for an append, and where only the number of the last entry was read."""


@dataclass(frozen=True)
class ReadEntries:
    """Entries that were read."""

    after: int
    """The number of the entry before the first."""
    count: int
    content: str
    """What `content_of` returns for them."""


def check_entries(history: Sequence[Done], log: Sequence[Record]) -> None:
    """Checks that all entries that were read are, byte for byte, those of the log; `check_history` checks their end.

    Args:
        history: What was done, in any order.
        log: All entries at the end, from entry 1 on.

    Raises:
        Failed: Others were read.
    """
    for done in history:
        if (read := done.entries) is None:
            continue
        if read.after + read.count != done.seq:
            raise Failed(f"torn: client {done.client} read {read.count} entries after {read.after}, up to {done.seq}")
        if content_of(log[read.after : done.seq]) != read.content:
            raise Failed(f"altered: client {done.client} read other entries {read.after + 1} to {done.seq}")


def check_history(history: Sequence[Done], log: Sequence[bytes]) -> None:
    """Checks the promises.

    Args:
        history: What was done, in any order.
        log: The digests of all entries at the end, from entry 1 on.

    Raises:
        Failed: A promise was broken.
    """
    for done in history:
        if done.seq and (done.seq > len(log) or log[done.seq - 1] != done.digest):
            raise Failed(
                f"lost: entry {done.seq} was {'acknowledged' if done.is_append else 'read'}, and is another one"
            )
    appends = sorted((done for done in history if done.is_append), key=lambda done: done.seq)
    if len({done.seq for done in appends}) != len(appends):
        raise Failed("doubled: two appends were acknowledged as one entry")
    latest_start = float("-inf")
    for done in appends:  # in the order of the log
        if done.ended < latest_start:
            raise Failed(f"not linearizable: entry {done.seq} was acknowledged before an earlier entry was asked for")
        latest_start = max(latest_start, done.began)
    for client in {done.client for done in history}:
        _check_client([done for done in history if done.client == client])
    starts = {done.seq: done.began for done in appends}
    for done in history:
        if not done.is_append and starts.get(done.seq, float("-inf")) > done.ended:
            raise Failed(f"invented: entry {done.seq} was read before anyone asked for it")


def _check_client(mine: Sequence[Done]) -> None:
    seen = 0
    for done in sorted(mine, key=lambda each: each.began):
        if done.seq < seen:
            raise Failed(f"client {done.client} had seen entry {seen}, and then the log ended at entry {done.seq}")
        seen = max(seen, done.seq)


class Clients:
    """Clients that append to one session and read it, until they are ended.

    Args:
        open_one: Opens a store; each client has one.
        session: The session, which exists.
        number: How many there are.
    """

    def __init__(self, open_one: Callable[[], Store], session: str, number: int) -> None:
        self.history: list[Done] = []
        self.longest = 0.0
        """The longest time in seconds between the request of an append and its acknowledgment, since `reset`."""
        self.refusals = Counter[str]()
        """How often each kind of refusal was met, after which the request was repeated."""
        self._session = session
        self._ended = Event()
        self._lock = Lock()
        self._failures: list[BaseException] = []
        self._threads = [Thread(target=self._run, args=(open_one, client), daemon=True) for client in range(number)]
        for thread in self._threads:
            thread.start()

    def reset(self) -> float:
        """Returns the longest wait until now, and forgets it."""
        with self._lock:
            longest, self.longest = self.longest, 0.0
            return longest

    def end(self) -> None:
        """Lets all finish what they have begun.

        Raises:
            Failed: One does not, or has erred.
        """
        self._ended.set()
        for thread in self._threads:
            thread.join(120)
            if thread.is_alive():
                raise Failed("a client waits for an acknowledgment that does not come")
        if self._failures:
            raise Failed(f"a client has erred: {self._failures[0]!r}") from self._failures[0]

    def add(self, done: Sequence[Done]) -> None:
        """Adds to the history what was done elsewhere."""
        for each in done:
            self._add(each)

    def _run(self, open_one: Callable[[], Store], client: int) -> None:
        try:
            store = open_one()
            seen = 0
            for number in count():
                if self._ended.is_set():
                    break
                seen = max(seen, self._append(store, client, f"client {client}, {number}"))
                if number % 2:
                    seen = max(seen, self._read_entries(store, client, _start(number, seen)))
                else:
                    self._read(store, client)
            store.close()
        except BaseException as error:
            self._failures.append(error)

    def _append(self, store: Store, client: int, key: str) -> int:
        """Appends an entry, however often that must be tried; returns its number."""
        began = time.monotonic()
        while True:
            try:
                head = store.head(self._session)
                (stored,) = store.append(self._session, [record_after(head, key)], expected=head.seq, key=key)
            except (StoreRefused, LogRefused) as refusal:
                self._note(refusal)
                time.sleep(_PAUSE)
            else:
                self._add(Done(client, True, began, time.monotonic(), stored.seq, stored.digest))
                return stored.seq

    def _read(self, store: Store, client: int) -> None:
        began = time.monotonic()
        try:
            head: Head = store.head(self._session)
        except StoreRefused as refusal:
            self._note(refusal)
            return
        self._add(Done(client, False, began, time.monotonic(), head.seq, head.digest))

    def _read_entries(self, store: Store, client: int, after: int) -> int:
        """Reads all entries after one that the client has seen, or the whole log; returns the number of the last."""
        began = time.monotonic()
        try:
            records = list(store.read(self._session, after))
        except StoreRefused as refusal:
            self._note(refusal)
            return 0
        seqs = [record.seq for record in records]
        if seqs != list(range(after + 1, after + len(seqs) + 1)):
            raise Failed(f"torn: client {client} read the entries {seqs[:20]} after entry {after}")
        read = ReadEntries(after, len(records), content_of(records))
        digest = records[-1].digest if records else b""
        self._add(Done(client, False, began, time.monotonic(), after + len(records), digest, read))
        return after + len(records)

    def _note(self, refusal: StoreRefused | LogRefused) -> None:
        """Counts a refusal; raises one that is no reason to try again."""
        if refusal.slug not in _AGAIN:
            raise refusal
        with self._lock:
            self.refusals[type(refusal).__name__] += 1

    def _add(self, done: Done) -> None:
        with self._lock:
            self.history.append(done)
            if done.is_append:
                self.longest = max(self.longest, done.ended - done.began)


def _start(number: int, seen: int) -> int:
    """Returns the entry after which a client reads in a turn: usually one of the last that it has seen."""
    if number % _WHOLE_EVERY == 1:
        return 0
    return max(0, seen - (_MORE if number % _MORE_EVERY == 1 else _LAST))
