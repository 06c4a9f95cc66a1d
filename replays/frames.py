"""Reading a record frame by frame: each entry that stands with what was so after it, and seeking."""

from collections.abc import Iterator

import msgspec

from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.log import Log


class Frame(msgspec.Struct, frozen=True):
    """One entry of the record, and what was so before and after it."""

    entry: Entry
    before: Combat
    combat: Combat


def frames(log: Log, start: int = 1, *, everything: bool = False) -> Iterator[Frame]:
    """The entries of the record, in order.

    Args:
        log: The session.
        start: The first entry to show; earlier ones are only folded.
        everything: Also what no longer stands.
    """
    combat, tip = Combat(), 0
    for entry in log.entries() if everything else log.entries_of(log.timeline.line()):
        before = combat if entry.after == tip else log.state(entry.after)
        combat, tip = fold(entry.events, before), entry.seq
        if entry.seq >= start:
            yield Frame(entry, before, combat)


def seek(log: Log, seq: int) -> Frame:
    """The frame of one entry, as it stood when it had been appended.

    Raises:
        NoSuchEntry: There is none of that number.
    """
    entry = log.entry(seq)
    return Frame(entry, log.state(entry.after), log.state(log.timeline.head_at(seq)))
