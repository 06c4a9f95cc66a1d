"""The tree of entries with its head: the entries in force are those on the path from the root to the head.

Unlike the state this projection grows with the log, so it is mutable and not part of `Combat`. Nearly every entry
stands on the one before it and is its own request; only the others take memory.
"""

from bisect import bisect_left, bisect_right

import msgspec

from ledger.commands import Rewind
from ledger.entry import Entry
from ledger.errors import Damaged


def misplaced(seq: int, after: int, origin: int | None, to: int | None, *, place: int) -> str:
    """Returns why an entry cannot be in a place of the log.

    The entries in force are found by walking from each entry to the one that it stands on. An entry that points
    forwards, or to itself, would make that walk endless.

    Args:
        seq: The number in the entry's line.
        after: The entry that it stands on.
        origin: The entry that it performs again, if any.
        to: The entry that it rewinds to, if any.
        place: Its place in the log, from 1.

    Returns:
        The fault, as the rest of a sentence; empty if there is none.
    """
    lowest = 0 if place == 1 else 1
    if seq != place:
        return f"has the number {seq} in its line"
    if not lowest <= after < seq or (to is not None and not lowest <= to < seq):
        return "stands on nothing that is before it"
    if origin is not None and not 0 < origin < seq:
        return f"performs entry {origin} again, which is not before it"
    return ""


def misplaced_entry(entry: Entry, place: int) -> str:
    """Returns why a whole entry cannot be in a place of the log; see `misplaced`."""
    if entry.seq == place and 0 < entry.after < place and entry.origin is None and type(entry.command) is not Rewind:
        return ""  # almost all entries are like this; each is checked at every loading
    to = entry.command.to if isinstance(entry.command, Rewind) else None
    return misplaced(entry.seq, entry.after, entry.origin, to, place=place)


class Timeline(msgspec.Struct):
    """The shape of one session's log."""

    last: int = 0
    """The number of entries."""
    head: int = 0
    """The number of the last entry in force."""
    branches: list[int] = msgspec.field(default_factory=lambda: [1])
    """The first entry, and those that do not stand on the one before them, in order."""
    forks: list[int] = msgspec.field(default_factory=lambda: [0])
    """The entry that each of them stands on."""
    rewinds: dict[int, int] = {}
    """The head after each rewind, by the number of the rewind."""
    batches: list[tuple[int, int]] = []
    """The first and the last entry of each request of several entries."""
    undone: list[int] = []
    """The heads that can be redone, the latest last."""

    def __len__(self) -> int:
        return self.last

    def add(self, entry: Entry) -> None:
        """Adds one more entry.

        Raises:
            Damaged: It cannot be the next entry; nothing is changed.
        """
        seq = self.last + 1
        problem = misplaced_entry(entry, seq)
        if problem:
            raise Damaged.at(seq, problem)
        if entry.after != self.last:
            self.branches.append(seq)
            self.forks.append(entry.after)
        if entry.request is not None and (entry.request.entries > 1 or self.first(seq) != seq):
            self.batches.append((seq, seq + entry.request.entries - 1))
        self.last = seq
        if isinstance(entry.command, Rewind):
            self._rewind(entry.command.to)
        else:
            self.undone.clear()
            self.head = seq

    def _rewind(self, to: int) -> None:
        """Makes an earlier entry the head, which is an undo, or a later one, which redoes what was undone up to it."""
        if to < self.head:
            self.undone.append(self.head)
        while self.undone and self.undone[-1] <= to:
            self.undone.pop()
        self.head = self.rewinds[self.last] = to

    @property
    def redo(self) -> int | None:
        """The head before the last undo; None after a new decision."""
        return self.undone[-1] if self.undone else None

    def after(self, seq: int) -> int:
        """Returns the entry that an entry stands on; 0 for the first."""
        nth = bisect_left(self.branches, seq)
        return self.forks[nth] if nth < len(self.branches) and self.branches[nth] == seq else seq - 1

    def first(self, seq: int) -> int:
        """Returns the first entry of the request that an entry answers; the entry itself if the record names no other.

        Entries of older logs do not record how many entries answer a request without an idempotency key.
        """
        nth = bisect_left(self.batches, (seq + 1, 0)) - 1
        return self.batches[nth][0] if nth >= 0 and seq <= self.batches[nth][1] else seq

    def replaces_draft(self, entry: Entry) -> bool:
        """Returns whether an entry of the timeline replaces the one before it, a draft that answers the same request.

        A correction that decides an entry with an overrule appends it without the overrule first, for the record.
        """
        before = entry.seq - 1
        is_same_request = self.first(entry.seq) <= before and entry.origin == before
        return is_same_request and entry.after == self.after(before)

    def head_at(self, seq: int) -> int:
        """Returns the last entry that was in force after entry `seq` had been appended."""
        return self.rewinds.get(seq, seq)

    def line(self, head: int | None = None, since: int = 0) -> list[int]:
        """Returns the entries in force, in order.

        Args:
            head: The last of them; by default the head of the log.
            since: Only those after this entry; all if it is not in force.
        """
        stretches = []
        here = self.head if head is None else head
        while here and here != since:
            first, fork = self._stretch(here)
            if first <= since < here:
                first, fork = since + 1, since
            stretches.append(range(first, here + 1))
            here = fork
        return [seq for stretch in reversed(stretches) for seq in stretch]

    def standing(self, after: int, upto: int) -> set[int]:
        """Returns the entries in force among those after one, up to another."""
        found: set[int] = set()
        here = self.head
        while here > after:
            first, fork = self._stretch(here)
            found.update(range(max(first, after + 1), min(here, upto) + 1))
            here = fork
        return found

    def stands(self, seq: int, head: int | None = None) -> bool:
        """Returns whether an entry is on the path that leads to the head."""
        here = self.head if head is None else head
        while here > seq:
            first, fork = self._stretch(here)
            here = seq if first <= seq else fork
        return here == seq

    def fork(self, one: int, other: int) -> int:
        """Returns the last entry that is in force whether one entry or another is the head; 0 if there is none."""
        while one != other:
            lower, higher = sorted((one, other))
            first, fork = self._stretch(higher)
            one, other = lower, lower if first <= lower else fork
        return one

    def _stretch(self, seq: int) -> tuple[int, int]:
        """Returns the first of the consecutive entries up to an entry, and the entry that the first stands on."""
        nth = bisect_right(self.branches, seq) - 1
        return self.branches[nth], self.forks[nth]
