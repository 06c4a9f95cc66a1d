"""The model of a recap: who went down, the turning points, luck and corrections of a session, without a format."""

from fractions import Fraction

import msgspec

from replays.odds.luck import Luck
from replays.odds.odds import Chance


class FightTime(msgspec.Struct, frozen=True):
    """A time in a session's fights."""

    combat: int
    """The number of the fight, from 1."""
    round: int
    """The round; 0 before the first."""
    number: int
    """The pass; 0 in games without passes."""


class Deed(msgspec.Struct, frozen=True):
    """A declared action."""

    key: str
    by: str
    """The combatant's name."""
    about: str
    """The action in words, such as ``attack on Thug 1``."""
    using: str = ""
    """The weapon, spell or other thing that it uses."""


class FurtherCondition(msgspec.Struct, frozen=True):
    """A condition that a combatant gained while being down."""

    condition: str
    entry: int


class Drop(msgspec.Struct, frozen=True):
    """A combatant who was put out of the fight."""

    who: str
    name: str
    condition: str
    """The first condition that put the combatant out of the fight."""
    entry: int
    when: FightTime
    deed: Deed | None
    """The action in which it happened; None outside any action."""
    why: str
    """The recorded reason."""
    further: tuple[FurtherCondition, ...] = ()
    """The conditions that the combatant gained while being down."""
    up: int = 0
    """The entry with which the combatant was no longer down; 0 where there is none."""


class HarmSwing(msgspec.Struct, frozen=True):
    """The harm on a track, beside its expectation."""

    track: str
    taken: int
    """The harm that the combatant took."""
    expected: Fraction
    """The mean of what the dice could have done."""
    swing: Fraction
    """The distance between both, as a share of the capacity; what exceeds a full track does not count."""
    capacity: int


class CombatantSwing(msgspec.Struct, frozen=True):
    """How far the result of an exchange lay from the expectation, for one combatant."""

    who: str
    name: str
    swing: Fraction
    """From 0 to 1; see `replays.exports.recap.turning_points`."""
    harm: tuple[HarmSwing, ...]
    """The harm on each track."""
    condition: str
    """The condition that put the combatant out of the fight, or the likeliest one that was escaped; may be empty."""
    gained: bool
    """Whether the combatant gained that condition."""
    chance: Fraction
    """The chance of that condition."""


class TurningPoint(msgspec.Struct, frozen=True):
    """An exchange whose result lay far from the expectation."""

    deed: Deed
    entry: int
    """The entry that ended it."""
    when: FightTime
    outcome: str
    chance: Chance | None
    """The chance of that outcome before the dice were thrown; None where it is unknown."""
    swing: Fraction
    """The sum over all combatants: 1 is one whole combatant."""
    combatants: tuple[CombatantSwing, ...]
    """The swing of each combatant, if there was one."""
    samples: int
    """The number of sampled fights; 0 where the chances are exact."""


class Measured(msgspec.Struct, frozen=True):
    """How many exchanges were compared with their odds."""

    exchanges: int
    """Those with dice that ended."""
    measured: int
    """Those that were compared."""
    sampled: int
    """Those of the measured ones whose chances are not exact."""
    unknown: int
    """Those without odds, because they depend on something hidden, or on rules that no longer apply."""


class RecapCorrection(msgspec.Struct, frozen=True):
    """A correction, an undo, a redo or a late decision of the gamemaster."""

    entry: int
    kind: str
    """``corrected``, ``took back``, ``brought back``, ``overruled`` or ``modified``."""
    by: str
    """The person."""
    when: FightTime
    """The time of what was corrected."""
    about: str
    """What was corrected, in words."""
    changes: tuple[str, ...]
    """The new facts, in words."""
    effects: tuple[str, ...]
    """What was different afterwards, in words."""
    why: str
    undone: int
    """The undo with which it was taken back; 0 where there is none."""


class Recap(msgspec.Struct, frozen=True):
    """The recap of a session, as one viewer may see it."""

    rounds: int
    """The rounds that began, over all fights."""
    fighting: bool
    """Whether a fight is going on."""
    standing: tuple[str, ...]
    """The names of present combatants who are not down."""
    down: tuple[str, ...]
    """The names of present combatants who are down."""
    drops: tuple[Drop, ...]
    """The combatants who were put out of the fight, in order."""
    turning_points: tuple[TurningPoint, ...]
    """The largest swings, largest first."""
    measured: Measured
    luck: Luck | None
    """The dice beside their expectation; None where the viewer sees no dice."""
    corrections: tuple[RecapCorrection, ...]
    """What was corrected, undone, redone or decided by hand, in order."""
