"""Caches the state as each viewer may see it, and folds new entries into it."""

from collections import OrderedDict

import msgspec

from ledger.audience import EVERYTHING, Viewer
from projections.combat import Combat, fold
from projections.views.seen import shown
from replays.sessions.log import Log

_KEPT = 16
"""How many viewers are cached; the one least recently used is dropped first."""


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
        self._kept: OrderedDict[Viewer, _CachedView] = OrderedDict()

    def combat(self, eyes: Viewer, head: int) -> Combat:
        """Returns a viewer's state on the line that ends with an entry, with everything disclosed since."""
        if eyes == EVERYTHING:
            return self._log.state(head)
        timeline, disclosures = self._log.timeline, self._log.disclosures
        sight = self._kept.pop(eyes, None)
        if sight is None or sight.told != disclosures.count or not timeline.stands(sight.head, head):
            sight = _CachedView(0, disclosures.count, Combat())
        entries = map(disclosures.entry, self._log.entries_of(timeline.line(head, since=sight.head)))
        sight = _CachedView(head, disclosures.count, fold(shown(entries, eyes), sight.combat))
        self._kept[eyes] = sight
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return sight.combat
