"""Reading a record frame by frame: each entry that stands with what was so after it, and seeking."""

from collections.abc import Iterator

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.sessions.log import Log
from replays.views.seat_log import seen_log


class Frame(msgspec.Struct, frozen=True):
    """One entry of the record, and what was so before and after it."""

    entry: Entry
    before: Combat
    combat: Combat


def frames(log: Log, start: int = 1, *, everything: bool = False, eyes: Viewer = EVERYTHING) -> Iterator[Frame]:
    """The entries of the record, in order, as somebody sees them.

    Args:
        log: The session.
        start: The first entry to show; earlier ones are only folded.
        everything: Also what no longer stands.
        eyes: Whose view it is; what they may not see is neither shown nor folded.
    """
    log = seen_log(log, eyes)
    after: dict[int, Combat] = {0: Combat()}
    tip = 0
    for entry in log.entries() if everything else log.entries_of(log.timeline.line()):
        entry = log.disclosures.entry(entry)  # noqa: PLW2901  as it may be seen by now
        before = after[entry.after]
        if not everything:
            del after[tip]
        tip = entry.seq
        after[tip] = fold(entry.events, before)
        if entry.seq >= start:
            yield Frame(entry, before, after[tip])


def seek(log: Log, seq: int) -> Frame:
    """The frame of one entry, as it stood when it had been appended.

    Raises:
        NoSuchEntry: There is none of that number.
    """
    entry = log.entry(seq)
    return Frame(entry, log.state(entry.after), log.state(log.timeline.head_at(seq)))
