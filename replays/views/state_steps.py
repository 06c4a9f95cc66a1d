"""What an entry changes for a viewer: a merge patch of the state document, and sentences for people.

The documents before an entry are those that the viewer had then. What is disclosed by an entry is therefore part of its
patch, although it concerns older entries.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from ledger.audience import Viewer
from ledger.events import SecretRevealed
from projections.combat import fold
from projections.history.disclosures import Disclosures
from projections.views.seen import shown
from replays.sessions.log import Log
from replays.views.merge_patch import merge_patch
from replays.views.state_document import document
from replays.views.view_cache import ViewCache

_VIEWERS = 16
"""How many viewers' latest documents are kept; that of the one least recently asked for is dropped first."""
_STEPS = 64
"""How many steps are kept; the callers and the live readers of one moment share them."""


class StateStep(NamedTuple):
    """What some entries change for a viewer."""

    after: int
    """The number of the entry before them."""
    upto: int
    """The number of the last of them."""
    patch: Mapping[str, Any]
    """The merge patch (RFC 7396) from the state document after the one to that after the other."""


class _KeptDocument(NamedTuple):
    seq: int
    plain: dict[str, Any]


class StateSteps:
    """The steps of one session's state, as viewers see them.

    Args:
        log: The session's log.
        views: The states as viewers see them.
    """

    def __init__(self, log: Log, views: ViewCache) -> None:
        self._log, self._views = log, views
        self._latest: OrderedDict[Viewer, _KeptDocument] = OrderedDict()
        self._steps: OrderedDict[tuple[Viewer, int, int], StateStep] = OrderedDict()

    def step(self, after: int, upto: int, eyes: Viewer) -> StateStep:
        """Returns what the entries after one, up to another, change for a viewer.

        Args:
            after: The number of an entry; 0 for the empty document before the first one.
            upto: The number of a later entry.
            eyes: The viewer.
        """
        place = eyes, after, upto
        step = self._steps.get(place)
        if step is None:
            before = self._before(after, upto, eyes)
            now = self._document(upto, self._views.combat(eyes, self._log.timeline.head_at(upto)))
            step = self._steps[place] = StateStep(after, upto, merge_patch(before, now))
            self._keep(eyes, _KeptDocument(upto, now))
        if len(self._steps) > _STEPS:
            self._steps.popitem(last=False)
        return step

    def _keep(self, eyes: Viewer, made: _KeptDocument) -> None:
        self._latest[eyes] = made
        self._latest.move_to_end(eyes)
        if len(self._latest) > _VIEWERS:
            self._latest.popitem(last=False)

    def _before(self, after: int, upto: int, eyes: Viewer) -> dict[str, Any]:
        """Returns the document after an entry, as the viewer saw it then."""
        if not after:
            return {}
        kept = self._latest.get(eyes)
        if kept is not None and kept.seq == after:
            return kept.plain
        head = self._log.timeline.head_at(after)
        discloses = any(
            isinstance(event, SecretRevealed) for entry in self._log.entries(after, upto) for event in entry.events
        )
        if not discloses:
            return self._document(after, self._views.combat(eyes, head))
        known = Disclosures(self._log.entry)
        for entry in self._log.entries(0, after):
            known.add(entry.events)
        entries = map(known.entry, self._log.entries_of(self._log.timeline.line(head)))
        return self._document(after, fold(shown(entries, eyes)))

    def _document(self, seq: int, combat: Any) -> dict[str, Any]:
        log = self._log
        digest = log.digest if seq == log.last else next(log.store.read(log.session, seq - 1, seq)).digest
        head = log.timeline.head_at(seq)
        made: dict[str, Any] = msgspec.to_builtins(document(combat, log.session, entries=seq, head=head, digest=digest))
        return made
