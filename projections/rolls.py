"""The rolls of the open exchanges, and the itemized sums behind their targets."""

from collections.abc import Mapping

import msgspec

from ledger.events import (
    Audience,
    CombatEnded,
    DiceRolled,
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
    """One roll: asked for, thrown, read."""

    by: str = ""
    dice: str = ""
    purpose: str = ""
    faces: tuple[int, ...] = ()
    rolled: int = 0
    target: int = 0
    margin: int = 0
    outcome: str = ""
    """The game's word, once the test is resolved."""
    seen_by: Audience = None
    """Who may see what was thrown."""


class Rolls(msgspec.Struct, frozen=True, gc=False):
    """By key."""

    rolls: Mapping[str, Roll] = {}
    sums: Mapping[str, tuple[Modifier, ...]] = {}
    """The modifiers of each, in the order in which they were applied."""

    def __getitem__(self, key: str) -> Roll:
        return self.rolls.get(key, _NONE)

    def modifiers(self, key: str) -> tuple[Modifier, ...]:
        """The parts of its target beside the base."""
        return self.sums.get(key, ())


_NONE = Roll()


def _requested(rolls: Rolls, event: RollRequested) -> Rolls:
    return Rolls({**rolls.rolls, event.key: Roll(event.by, event.dice, event.purpose)}, rolls.sums)


def _rolled(rolls: Rolls, event: DiceRolled) -> Rolls:
    old = rolls[event.key]
    roll = Roll(old.by, old.dice, old.purpose, event.faces, seen_by=event.seen_by)
    return Rolls({**rolls.rolls, event.key: roll}, rolls.sums)


def _reread(rolls: Rolls, event: ReadingChanged) -> Rolls:
    roll = msgspec.structs.replace(rolls[event.key], faces=event.after)
    return Rolls({**rolls.rolls, event.key: roll}, rolls.sums)


def _modified(rolls: Rolls, event: ModifierApplied) -> Rolls:
    parts = (*rolls.sums.get(event.key, ()), Modifier(event.value, event.why, event.source))
    return Rolls(rolls.rolls, {**rolls.sums, event.key: parts})


def _resolved(rolls: Rolls, event: TestResolved) -> Rolls:
    old = rolls[event.key]
    roll = Roll(
        old.by, old.dice, old.purpose, old.faces, event.rolled, event.target, event.margin, event.outcome, old.seen_by
    )
    return Rolls({**rolls.rolls, event.key: roll}, rolls.sums)


def _overruled(rolls: Rolls, event: Overruled) -> Rolls:
    if event.figure not in ("outcome", "margin", "target", "rolled") or event.key not in rolls.rolls:
        return rolls
    roll = msgspec.structs.replace(rolls.rolls[event.key], **{event.figure: event.gm_says})
    return Rolls({**rolls.rolls, event.key: roll}, rolls.sums)


def _ended(rolls: Rolls, event: ExchangeEnded) -> Rolls:
    inner = event.key + "/"
    return Rolls(
        {key: roll for key, roll in rolls.rolls.items() if not key.startswith(inner)},
        {key: parts for key, parts in rolls.sums.items() if not key.startswith(inner)},
    )


def _fresh(_: Rolls, __: object) -> Rolls:
    return Rolls()


ROUTES: Routes = {
    RollRequested: _requested, DiceRolled: _rolled, ReadingChanged: _reread, ModifierApplied: _modified,
    TestResolved: _resolved, Overruled: _overruled, ExchangeEnded: _ended, RoundBegan: _fresh, CombatEnded: _fresh,
}  # fmt: skip
