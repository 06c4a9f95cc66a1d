"""Keeps the states along a log's tree: the latest ones, and one in every few dozen older ones.

States are frozen and share structure, so keeping them is cheap. Any other state is folded from the nearest kept one
before it.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from ledger.commands import Rewind
from ledger.entry import Entry
from projections.combat import Combat, Folding
from projections.history.timeline import Timeline

EVERY = 64
"""How many entries lie between two kept states, except among the latest."""
FINEST = 8
"""The least distance between the last two states of `States.spread`."""
LATEST = 256
"""How many of the latest states are all kept."""


class States:
    """The states of one log.

    Args:
        timeline: The log's tree; entries may be added to it.
        entries_of: Reads the entries of these numbers.
    """

    def __init__(self, timeline: Timeline, entries_of: Callable[[Sequence[int]], Iterable[Entry]]) -> None:
        self._timeline = timeline
        self._entries_of = entries_of
        self._kept: dict[int, Combat] = {0: Combat()}

    def at(self, seq: int) -> Combat:
        """Returns the state after an entry, on the line that ends with it."""
        kept = self._kept.get(seq)
        if kept is not None:
            return kept
        line = []
        here = seq
        while here not in self._kept:
            line.append(here)
            here = self._timeline.after(here)
        line.reverse()
        return self.fold(self._entries_of(line), self._kept[here])

    def keep(self, seq: int, combat: Combat) -> None:
        """Keeps the state after an entry; drops some of the old ones if there are many."""
        self._kept[seq] = combat
        if len(self._kept) >= 2 * LATEST + self._timeline.last // EVERY:
            self._thin()

    def fold(self, entries: Iterable[Entry], combat: Combat) -> Combat:
        """Returns the state after entries, and keeps it and some of those before it.

        Args:
            entries: The entries, in order.
            combat: The state before them.
        """
        coming = iter(entries)
        while some := list(islice(coming, EVERY)):
            folding = Folding(combat)
            for entry in some:
                folding.add(entry.events)
            combat = folding.combat()
            self.keep(some[-1].seq, combat)
        return combat

    def spread(self) -> dict[int, Combat]:
        """Returns some of the kept states along the line in force: the older, the farther apart."""
        timeline, head = self._timeline, self._timeline.head
        found, farthest = {head: self.at(head)}, FINEST
        for seq in sorted(self._kept, reverse=True):
            if 0 < seq <= head - farthest and timeline.stands(seq):
                found[seq] = self._kept[seq]
                farthest = 2 * (head - seq)
        return found

    def _thin(self) -> None:
        """Drops all states but the latest, the present one, and the last in each stretch of `EVERY` entries."""
        recent = self._timeline.last - LATEST
        spread = {seq // EVERY: seq for seq in sorted(self._kept)}
        wanted = {0, self._timeline.head, *spread.values()}
        self._kept = {seq: combat for seq, combat in self._kept.items() if seq > recent or seq in wanted}


class Following:
    """Folds entries as they are read. Those that are undone within `EVERY` entries are never folded.

    Args:
        states: The states of the log.
        head: The last entry in force before them.
    """

    def __init__(self, states: States, head: int) -> None:
        self._states = states
        self._base = head
        """The entry from which they are folded."""
        self._ahead: list[Entry] = []
        """The entries in force after it."""

    def add(self, entry: Entry, head: int) -> None:
        """Adds the next entry.

        Args:
            entry: The entry.
            head: The last entry in force after it.
        """
        ahead = self._ahead
        if type(entry.command) is Rewind:
            self._return_to(head)
            return
        if entry.after != (ahead[-1].seq if ahead else self._base):
            self._return_to(entry.after)
        ahead.append(entry)
        if len(ahead) >= 2 * EVERY:
            self._fold(EVERY)

    def end(self) -> None:
        """Folds the entries that are left."""
        self._fold(len(self._ahead))

    def _return_to(self, seq: int) -> None:
        """Goes back to an earlier entry, or over to another branch."""
        ahead = self._ahead
        while ahead and ahead[-1].seq > seq:
            ahead.pop()
        if seq != (ahead[-1].seq if ahead else self._base):
            self.end()
            self._base = seq

    def _fold(self, count: int) -> None:
        """Folds the first of the entries ahead."""
        if count:
            some = self._ahead[:count]
            self._states.fold(some, self._states.at(self._base))
            self._base = some[-1].seq
            del self._ahead[:count]
