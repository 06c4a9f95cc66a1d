"""What is so as far as somebody can see: the same fold over what is shown to them, kept while the log goes on."""

from collections import OrderedDict

import msgspec

from ledger.audience import EVERYTHING, Viewer
from projections.combat import Combat, fold
from projections.views.seen import shown
from replays.sessions.log import Log

_KEPT = 16
"""So many pairs of eyes are remembered; who looked longest ago is forgotten first."""


class _Sight(msgspec.Struct, frozen=True):
    head: int
    told: int
    """How many secrets had been told by then."""
    combat: Combat


class Seeing:
    """A session through people's eyes.

    Args:
        log: The session's.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._kept: OrderedDict[Viewer, _Sight] = OrderedDict()

    def combat(self, eyes: Viewer, head: int) -> Combat:
        """What is so for these eyes on the line that ends with an entry, with all that was told since."""
        if eyes == EVERYTHING:
            return self._log.state(head)
        timeline, disclosures = self._log.timeline, self._log.disclosures
        sight = self._kept.pop(eyes, None)
        if sight is None or sight.told != disclosures.count or not timeline.stands(sight.head, head):
            sight = _Sight(0, disclosures.count, Combat())
        entries = map(disclosures.entry, self._log.entries_of(timeline.line(head, since=sight.head)))
        sight = _Sight(head, disclosures.count, fold(shown(entries, eyes), sight.combat))
        self._kept[eyes] = sight
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return sight.combat
