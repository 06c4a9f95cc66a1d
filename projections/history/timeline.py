"""The tree of entries with its head: the entries in force are those on the path from the root to the head.

Unlike the state this projection grows with the log. So it is mutable, with three numbers per entry, and not part of
`Combat`.
"""

from array import array

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


class Timeline:
    """The shape of one session's log."""

    def __init__(self) -> None:
        self._after = array("L", [0])
        self._heads = array("L", [0])
        self._first = array("L", [0])
        self._batch = (0, 0)
        self._redo: list[int] = []

    def __len__(self) -> int:
        return len(self._heads) - 1

    @property
    def head(self) -> int:
        """The number of the last entry in force."""
        return self._heads[-1]

    def add(self, entry: Entry) -> None:
        """Adds one more entry.

        Raises:
            Damaged: It cannot be the next entry; nothing is changed.
        """
        seq, command = len(self) + 1, entry.command
        problem = misplaced_entry(entry, seq)
        if problem:
            raise Damaged.at(seq, problem)
        self._after.append(entry.after)
        if entry.request is not None:
            self._batch = (seq, seq + entry.request.entries - 1)
        self._first.append(self._batch[0] if seq <= self._batch[1] else seq)
        if isinstance(command, Rewind):
            self._rewound(command.to)
        else:
            if self._redo:
                self._redo.clear()
            self._heads.append(seq)

    def _rewound(self, to: int) -> None:
        """Makes an earlier entry the head, which is an undo, or a later one, which redoes what was undone up to it."""
        if to < self.head:
            self._redo.append(self.head)
        while self._redo and self._redo[-1] <= to:
            self._redo.pop()
        self._heads.append(to)

    @property
    def redo(self) -> int | None:
        """The head before the last undo; None after a new decision."""
        return self._redo[-1] if self._redo else None

    def after(self, seq: int) -> int:
        """Returns the entry that an entry stands on; 0 for the first."""
        return self._after[seq]

    def first(self, seq: int) -> int:
        """Returns the first entry of the request that an entry answers; the entry itself if the record names no other.

        Entries of older logs do not record how many entries answer a request without an idempotency key.
        """
        return self._first[seq]

    def replaces_draft(self, entry: Entry) -> bool:
        """Returns whether an entry of the timeline replaces the one before it, a draft that answers the same request.

        A correction that decides an entry with an overrule appends it without the overrule first, for the record.
        """
        before = entry.seq - 1
        is_same_request = self._first[entry.seq] <= before and entry.origin == before
        return is_same_request and entry.after == self._after[before]

    def head_at(self, seq: int) -> int:
        """Returns the last entry that was in force after entry `seq` had been appended."""
        return self._heads[seq]

    def line(self, head: int | None = None, since: int = 0) -> list[int]:
        """Returns the entries in force, in order.

        Args:
            head: The last of them; by default the head of the log.
            since: Only those after this entry; all if it is not in force.
        """
        line = []
        here = self.head if head is None else head
        while here and here != since:
            line.append(here)
            here = self._after[here]
        line.reverse()
        return line

    def stands(self, seq: int, head: int | None = None) -> bool:
        """Returns whether an entry is on the path that leads to the head."""
        here = self.head if head is None else head
        while here > seq:
            here = self._after[here]
        return here == seq
