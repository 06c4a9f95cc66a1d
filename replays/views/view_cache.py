"""Caches the state as each viewer may see it, and folds new entries into it."""

from collections import OrderedDict

import msgspec

from ledger.audience import EVERYTHING, Viewer
from projections.combat import Combat, fold
from projections.views.seen import shown
from replays.sessions.log import Log

_KEPT = 16
"""How many viewers are cached; the one least recently used is dropped first."""
_HEADS = 2
"""How many states of a viewer are cached: that after an entry, and that before it."""


class _CachedView(msgspec.Struct, frozen=True):
    head: int
    told: int
    """The number of disclosures at that time."""
    combat: Combat


class ViewCache:
    """The states of one session as viewers may see them.

    Args:
        log: The session's log.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._kept: OrderedDict[Viewer, tuple[_CachedView, ...]] = OrderedDict()

    def combat(self, eyes: Viewer, head: int) -> Combat:
        """Returns a viewer's state on the line that ends with an entry, with everything disclosed since."""
        if eyes == EVERYTHING:
            return self._log.state(head)
        timeline, disclosures = self._log.timeline, self._log.disclosures
        known = tuple(each for each in self._kept.pop(eyes, ()) if each.told == disclosures.count)
        below = (each for each in known if timeline.stands(each.head, head))
        sight = max(below, key=lambda each: each.head, default=_CachedView(0, disclosures.count, Combat()))
        entries = map(disclosures.entry, self._log.entries_of(timeline.line(head, since=sight.head)))
        sight = _CachedView(head, disclosures.count, fold(shown(entries, eyes), sight.combat))
        others = sorted((each for each in known if each.head != head), key=lambda each: each.head)
        self._kept[eyes] = (sight, *others[1 - _HEADS :])
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return sight.combat
