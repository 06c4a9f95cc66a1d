"""Walks along a record as it was written, undone entries included, with the state that was shown after each."""

from collections.abc import Iterator
from typing import NamedTuple

from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.sessions.log import Log


class WalkedEntry(NamedTuple):
    """An entry, with the states around it."""

    entry: Entry
    before: Combat
    """The state that the entry stands on."""
    shown: Combat
    """The state after it; after an undo, that of the entry that is the last one again."""


def walk(log: Log, after: int = 0, upto: int | None = None) -> Iterator[WalkedEntry]:
    """Yields the entries of a range, in the order in which they were written.

    Args:
        log: The log as the viewer may see it.
        after: The number of the entry before the range.
        upto: The number of the last entry of the range; by default the last of all.
    """
    timeline = log.timeline
    tip = timeline.head_at(after) if after else 0
    combat = log.state(tip) if tip else Combat()
    for entry in log.entries(after, upto):
        entry = log.disclosures.entry(entry)  # noqa: PLW2901  as it may be seen by now
        before = combat if entry.after == tip else log.state(entry.after)
        tip = timeline.head_at(entry.seq)
        combat = fold(entry.events, before) if tip == entry.seq else log.state(tip)
        yield WalkedEntry(entry, before, combat)
