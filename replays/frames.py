"""Reading a record frame by frame: each entry that stands with what was so after it, and seeking."""

from collections.abc import Iterator

import msgspec

from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.log import Log


class Frame(msgspec.Struct, frozen=True):
    """One entry of the record and what was so after it."""

    entry: Entry
    combat: Combat


def frames(log: Log, start: int = 1, head: int | None = None) -> Iterator[Frame]:
    """The entries that stand, each with the state after it.

    Args:
        log: The session.
        start: The first entry to show; earlier ones are only folded.
        head: The last entry of the line; left out, the head.
    """
    line = log.timeline.line(head)
    combat = Combat()
    for entry in log.entries_of(line):
        combat = fold(entry.events, combat)
        if entry.seq >= start:
            yield Frame(entry, combat)


def seek(log: Log, seq: int) -> Frame:
    """The frame of one entry, as it stood when it had been appended.

    Raises:
        NoSuchEntry: There is none of that number.
    """
    entry = log.entry(seq)
    return Frame(entry, log.state(log.timeline.head_at(seq)))
