"""Which entries stand. The log is a tree with a head: what stands is found by walking up from it.

Unlike the other projections this one grows with the log, so it is kept in place, three numbers an entry, and is not
part of `Combat`.
"""

from array import array

from ledger.commands import Rewind
from ledger.entry import Entry
from ledger.errors import Damaged


def misplaced(seq: int, after: int, origin: int | None, to: int | None, *, place: int) -> str:
    """Returns why an entry cannot be in a place of the log, or nothing if it can.

    What stands is found by walking from each entry to the one before it, so an entry that points forwards, or to
    itself, would make that walk endless.

    Args:
        seq: The number in the entry's line.
        after: The entry it stands on.
        origin: The entry it performs again, if it does.
        to: The entry it rewinds to, if it does.
        place: Where it is in the log, from 1.

    Returns:
        What is wrong with it, as the rest of a sentence; empty if nothing is.
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
    """The same of a whole entry."""
    if entry.seq == place and 0 < entry.after < place and entry.origin is None and type(entry.command) is not Rewind:
        return ""  # almost all are such; this is asked at every loading
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
        """The last entry that stands."""
        return self._heads[-1]

    def add(self, entry: Entry) -> None:
        """One entry more.

        Raises:
            Damaged: It cannot be the next one; nothing is changed.
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
        if to == self.head:
            pass  # nothing was undone
        elif self._redo and self._redo[-1] == to:
            self._redo.pop()
        else:
            self._redo.append(self.head)
        self._heads.append(to)

    @property
    def redo(self) -> int | None:
        """The head before the last undo, while nothing new was decided."""
        return self._redo[-1] if self._redo else None

    def after(self, seq: int) -> int:
        """The entry that an entry stands on; 0 for the first."""
        return self._after[seq]

    def first(self, seq: int) -> int:
        """The first entry of the request that an entry answers; itself, where the record knows of no others.

        Entries of older logs do not say how many answer a request that came without an idempotency key.
        """
        return self._first[seq]

    def head_at(self, seq: int) -> int:
        """The last entry that stood when entry `seq` had been appended."""
        return self._heads[seq]

    def line(self, head: int | None = None, since: int = 0) -> list[int]:
        """The entries that stand, in order.

        Args:
            head: The last of them; the head of the log where left out.
            since: Only those after this one; if it does not stand, all.
        """
        line = []
        here = self.head if head is None else head
        while here and here != since:
            line.append(here)
            here = self._after[here]
        line.reverse()
        return line

    def stands(self, seq: int, head: int | None = None) -> bool:
        """Is this entry on the line that leads to the head?"""
        here = self.head if head is None else head
        while here > seq:
            here = self._after[here]
        return here == seq
