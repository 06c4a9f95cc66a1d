"""Wounds and traumas, counted."""

from collections.abc import Mapping

import msgspec

from ledger.events import Adjusted, WoundHealed, WoundSuffered
from projections.fold import Routes


class Wounds(msgspec.Struct, frozen=True, gc=False):
    """By combatant, by the game's word for them."""

    counts: Mapping[str, Mapping[str, int]] = {}

    def count(self, who: str, kind: str = "wounds") -> int:
        """How many somebody has."""
        return self.counts.get(who, {}).get(kind, 0)


def _set(wounds: Wounds, who: str, kind: str, count: int) -> Wounds:
    return Wounds({**wounds.counts, who: {**wounds.counts.get(who, {}), kind: max(0, count)}})


def _suffered(wounds: Wounds, event: WoundSuffered) -> Wounds:
    return _set(wounds, event.who, event.kind, wounds.count(event.who, event.kind) + event.count)


def _healed(wounds: Wounds, event: WoundHealed) -> Wounds:
    return _set(wounds, event.who, event.kind, wounds.count(event.who, event.kind) - event.count)


def _adjusted(wounds: Wounds, event: Adjusted) -> Wounds:
    if event.what not in ("wounds", "traumas") or not isinstance(event.after, int):
        return wounds
    return _set(wounds, event.who, event.what, event.after)


ROUTES: Routes = {WoundSuffered: _suffered, WoundHealed: _healed, Adjusted: _adjusted}
