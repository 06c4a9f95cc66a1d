"""The numbers of wounds and traumas of combatants."""

from collections.abc import Mapping

import msgspec

from ledger.audience import shared
from ledger.events import Adjusted, Audience, WoundHealed, WoundSuffered
from projections.fold import Routes, drop
from projections.initiative import SCORE


class Wounds(msgspec.Struct, frozen=True, gc=False):
    """All counts, by combatant and kind."""

    counts: Mapping[str, Mapping[str, int]] = {}
    hidden: Mapping[str, Mapping[str, Audience]] = {}
    """Who may see a count that is not visible to everyone."""

    def count(self, who: str, kind: str = "wounds") -> int:
        """Returns the number of wounds of a kind."""
        return self.counts.get(who, {}).get(kind, 0)

    def seen_by(self, who: str, kind: str = "wounds") -> Audience:
        """Returns who may see the number of wounds of a kind."""
        return self.hidden.get(who, {}).get(kind)


def _set(wounds: Wounds, who: str, kind: str, count: int, seen_by: Audience) -> Wounds:
    counts = {**wounds.counts, who: {**wounds.counts.get(who, {}), kind: max(0, count)}}
    if seen_by is None and not wounds.hidden:
        return Wounds(counts)
    known = drop(wounds.hidden.get(who, {}), kind)
    if seen_by is not None and count > 0:
        known = {**known, kind: seen_by}
    return Wounds(counts, {**wounds.hidden, who: known})


def _suffered(wounds: Wounds, event: WoundSuffered) -> Wounds:
    return _changed(wounds, event, event.count)


def _healed(wounds: Wounds, event: WoundHealed) -> Wounds:
    return _changed(wounds, event, -event.count)


def _changed(wounds: Wounds, event: WoundSuffered | WoundHealed, by: int) -> Wounds:
    seen_by = shared([wounds.seen_by(event.who, event.kind), event.seen_by])
    return _set(wounds, event.who, event.kind, wounds.count(event.who, event.kind) + by, seen_by)


def _adjusted(wounds: Wounds, event: Adjusted) -> Wounds:
    if not _is_counter(event.what) or not isinstance(event.after, int):
        return wounds
    return _set(wounds, event.who, event.what, event.after, event.seen_by)


def _is_counter(what: str) -> bool:
    """Returns whether an adjusted value is a count: neither a dotted name like ``tracks.damage`` nor the initiative."""
    return bool(what) and "." not in what and what != SCORE


ROUTES: Routes = {WoundSuffered: _suffered, WoundHealed: _healed, Adjusted: _adjusted}
