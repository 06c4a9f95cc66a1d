"""The rolls of the open exchanges, with the modifiers of their targets."""

from collections.abc import Mapping

import msgspec

from ledger.audience import includes
from ledger.events import (
    Audience,
    CombatEnded,
    DiceRolled,
    DiceTold,
    ExchangeEnded,
    ModifierApplied,
    Overruled,
    ReadingChanged,
    RollRequested,
    RoundBegan,
    TestResolved,
)
from ledger.modifier import Modifier
from projections.fold import Routes


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


def thaw(rolls: Rolls) -> Rolling:
    """Returns a working copy."""
    return Rolling(dict(rolls.rolls), dict(rolls.sums), dict(rolls.hidden))


def freeze(now: Rolling) -> Rolls:
    """Returns the projection of a working copy."""
    return Rolls(now.rolls, now.sums, now.hidden)


def _requested(now: Rolling, event: RollRequested) -> Rolling:
    now.rolls[event.key] = Roll(event.by, event.dice, event.purpose)
    return now


def _rolled(now: Rolling, event: DiceRolled) -> Rolling:
    old = now.rolls.get(event.key, _NONE)
    now.rolls[event.key] = Roll(old.by, old.dice, old.purpose, event.faces, seen_by=event.seen_by)
    return now


def _told(now: Rolling, event: DiceTold) -> Rolling:
    old = now.rolls.get(event.key, _NONE)
    now.rolls[event.key] = Roll(old.by, old.dice, old.purpose, seen_by=event.seen_by, counts=event.counts)
    return now


def _reread(now: Rolling, event: ReadingChanged) -> Rolling:
    now.rolls[event.key] = msgspec.structs.replace(now.rolls.get(event.key, _NONE), faces=event.after)
    return now


def _modified(now: Rolling, event: ModifierApplied) -> Rolling:
    part = Modifier(event.value, event.why, event.source)
    before = now.sums.get(event.key, ())
    now.sums[event.key] = (*before, part)
    if event.seen_by is not None:
        now.hidden[event.key] = (*now.hidden.get(event.key, ()), (len(before), event.seen_by))
    return now


def _resolved(now: Rolling, event: TestResolved) -> Rolling:
    old = now.rolls.get(event.key, _NONE)
    now.rolls[event.key] = Roll(
        old.by, old.dice, old.purpose, old.faces, event.rolled, event.target, event.margin, event.outcome, old.seen_by,
        old.counts,
    )  # fmt: skip
    return now


def _overruled(now: Rolling, event: Overruled) -> Rolling:
    if event.figure in ("outcome", "margin", "target", "rolled") and event.key in now.rolls:
        now.rolls[event.key] = msgspec.structs.replace(now.rolls[event.key], **{event.figure: event.gm_says})
    return now


def _ended(now: Rolling, event: ExchangeEnded) -> Rolling:
    inner, size = event.key + "/", len(event.key) + 1
    now.rolls = {key: roll for key, roll in now.rolls.items() if key[:size] != inner}
    now.sums = {key: parts for key, parts in now.sums.items() if key[:size] != inner}
    now.hidden = {key: parts for key, parts in now.hidden.items() if key[:size] != inner}
    return now


def _fresh(_: Rolling, __: object) -> Rolling:
    return Rolling({}, {}, {})


ROUTES: Routes = {
    RollRequested: _requested, DiceRolled: _rolled, DiceTold: _told, ReadingChanged: _reread,
    ModifierApplied: _modified, TestResolved: _resolved, Overruled: _overruled, ExchangeEnded: _ended,
    RoundBegan: _fresh, CombatEnded: _fresh,
}  # fmt: skip
