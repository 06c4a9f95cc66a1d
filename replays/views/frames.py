"""Replays a record frame by frame: each entry with the states before and after it."""

from collections.abc import Iterator

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.sessions.log import Log
from replays.views.seat_log import seen_log

MOST_STEPS = 1_000
"""The most steps of a replay that are returned at once."""


class ReplayFrame(msgspec.Struct, frozen=True):
    """One entry of the record, with the states before and after it."""

    entry: Entry
    before: Combat
    combat: Combat


def frames(log: Log, start: int = 1, *, everything: bool = False, eyes: Viewer = EVERYTHING) -> Iterator[ReplayFrame]:
    """Yields the entries of the record as frames, in order, as a viewer may see them.

    Args:
        log: The session's log.
        start: The first entry to show; earlier ones are only folded.
        everything: Whether to include entries that no longer stand.
        eyes: The viewer; events hidden from them are neither shown nor folded.
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
            yield ReplayFrame(entry, before, after[tip])


def seek(log: Log, seq: int) -> ReplayFrame:
    """Returns the frame of one entry, as it stood when it had been appended.

    Raises:
        NoSuchEntry: There is no entry of that number.
    """
    entry = log.entry(seq)
    return ReplayFrame(entry, log.state(entry.after), log.state(log.timeline.head_at(seq)))
