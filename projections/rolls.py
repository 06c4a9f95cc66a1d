"""The rolls of the open exchanges, with the modifiers of their targets."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ledger.audience import includes
from ledger.events import (
    Audience,
    CombatEnded,
    DiceRolled,
    DiceTold,
    Event,
    ExchangeEnded,
    ModifierApplied,
    Overruled,
    ReadingChanged,
    RollRequested,
    RoundBegan,
    TestResolved,
)
from ledger.modifier import Modifier
from projections.fold import Routes, outside


class Roll(msgspec.Struct, frozen=True, gc=False):
    """A roll: requested, rolled, resolved."""

    by: str = ""
    dice: str = ""
    purpose: str = ""
    faces: tuple[int, ...] = ()
    rolled: int = 0
    target: int = 0
    margin: int = 0
    outcome: str = ""
    """The game's word for the outcome; empty until the test is resolved."""
    seen_by: Audience = None
    """Who may see the faces."""
    counts: Mapping[str, int] = {}
    """The counts or the total that a person gave in place of the faces; empty if the faces are known."""

    @property
    def is_rolled(self) -> bool:
        """Whether the dice were rolled: their faces are known, or counts of them."""
        return bool(self.faces or self.counts)

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return self.counts[TOTAL] if self.counts else sum(self.faces)


TOTAL = "total"
"""The name of the sum of the faces among counts."""


class Rolls(msgspec.Struct, frozen=True, gc=False):
    """The rolls by key."""

    rolls: Mapping[str, Roll] = {}
    sums: Mapping[str, tuple[Modifier, ...]] = {}
    """The modifiers of each roll, in the order of their application."""
    hidden: Mapping[str, tuple[tuple[int, Audience], ...]] = {}
    """For each roll, the modifiers that not everyone may see: position in the sum and audience."""

    def __getitem__(self, key: str) -> Roll:
        return self.rolls.get(key, _NONE)

    def modifiers(self, key: str) -> tuple[Modifier, ...]:
        """Returns the modifiers of a roll."""
        return self.sums.get(key, ())

    def known(self, key: str, to: Audience) -> tuple[Modifier, ...]:
        """Returns the modifiers of a roll that the whole audience may see."""
        unknown = {place for place, seen_by in self.hidden.get(key, ()) if not includes(seen_by, to)}
        return tuple(part for place, part in enumerate(self.modifiers(key)) if place not in unknown)


_NONE = Roll()


class Rolling(msgspec.Struct, gc=False):
    """The working copy of `Rolls`."""

    rolls: dict[str, Roll]
    sums: dict[str, tuple[Modifier, ...]]
    hidden: dict[str, tuple[tuple[int, Audience], ...]]
    events: list[Any]
    """The latest events of rolls, which are not yet in the other fields: most rolls end with their exchange, unread."""


def thaw(rolls: Rolls) -> Rolling:
    """Returns a working copy."""
    return Rolling(dict(rolls.rolls), dict(rolls.sums), dict(rolls.hidden), [])


def collector(now: Rolling) -> Callable[[Event], None]:
    """Returns the function that collects one more event of a roll in a working copy; it stays valid."""
    return now.events.append


def freeze(now: Rolling) -> Rolls:
    """Returns the projection of a working copy."""
    for event in now.events:
        _ADDS[type(event)](now, event)
    return Rolls(now.rolls, now.sums, now.hidden)


def _requested(now: Rolling, event: RollRequested) -> None:
    now.rolls[event.key] = Roll(event.by, event.dice, event.purpose)


def _rolled(now: Rolling, event: DiceRolled) -> None:
    old = now.rolls.get(event.key, _NONE)
    now.rolls[event.key] = Roll(old.by, old.dice, old.purpose, event.faces, seen_by=event.seen_by)


def _told(now: Rolling, event: DiceTold) -> None:
    old = now.rolls.get(event.key, _NONE)
    now.rolls[event.key] = Roll(old.by, old.dice, old.purpose, seen_by=event.seen_by, counts=event.counts)


def _reread(now: Rolling, event: ReadingChanged) -> None:
    now.rolls[event.key] = msgspec.structs.replace(now.rolls.get(event.key, _NONE), faces=event.after)


def _modified(now: Rolling, event: ModifierApplied) -> None:
    part = Modifier(event.value, event.why, event.source)
    before = now.sums.get(event.key, ())
    now.sums[event.key] = (*before, part)
    if event.seen_by is not None:
        now.hidden[event.key] = (*now.hidden.get(event.key, ()), (len(before), event.seen_by))


def _resolved(now: Rolling, event: TestResolved) -> None:
    old = now.rolls.get(event.key, _NONE)
    now.rolls[event.key] = Roll(
        old.by, old.dice, old.purpose, old.faces, event.rolled, event.target, event.margin, event.outcome, old.seen_by,
        old.counts,
    )  # fmt: skip


def _overruled(now: Rolling, event: Overruled) -> None:
    if event.figure in ("outcome", "margin", "target", "rolled") and event.key in now.rolls:
        now.rolls[event.key] = msgspec.structs.replace(now.rolls[event.key], **{event.figure: event.gm_says})


_ADDS: Mapping[type[Event], Callable[[Rolling, Any], None]] = {
    RollRequested: _requested, DiceRolled: _rolled, DiceTold: _told, ReadingChanged: _reread,
    ModifierApplied: _modified, TestResolved: _resolved, Overruled: _overruled,
}  # fmt: skip
"""Each adds an event of one roll, under its key alone."""


def _collected(now: Rolling, event: Event) -> Rolling:
    now.events.append(event)
    return now


def _ended(now: Rolling, event: ExchangeEnded) -> Rolling:
    inner, size = event.key + "/", len(event.key) + 1
    now.events[:] = [each for each in now.events if each.key[:size] != inner]
    now.rolls = outside(now.rolls, size, (inner,))
    now.sums = outside(now.sums, size, (inner,))
    now.hidden = outside(now.hidden, size, (inner,))
    return now


def _fresh(now: Rolling, _: object) -> Rolling:
    now.events.clear()
    now.rolls, now.sums, now.hidden = {}, {}, {}
    return now


ROUTES: Routes = {
    **dict.fromkeys(_ADDS, _collected), ExchangeEnded: _ended, RoundBegan: _fresh, CombatEnded: _fresh,
}  # fmt: skip


def _added(rolls: Rolls, event: Event) -> Rolls:
    now = thaw(rolls)
    _ADDS[type(event)](now, event)
    return Rolls(now.rolls, now.sums, now.hidden)


ALONE: Routes = dict.fromkeys(_ADDS, _added)
"""The same for one event by itself, which is not collected first."""
