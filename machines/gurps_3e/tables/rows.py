"""The row types of the printed tables."""

from fractions import Fraction
from typing import Literal

from machines.contract.tables import Row


def part(text: str) -> Fraction:
    """Returns a factor, a fraction or a distance as the page prints it.

    Source: CII 48-51 Flowchart

    >>> part("3/2"), part("4.5") > 4
    (Fraction(3, 2), True)
    """
    return Fraction(text)


class NamedRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row with a name."""

    name: str


class Critical(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A roll that is a critical success or failure, or never succeeds."""

    rolled: int
    outcome: str
    least: int | None = None
    """The lowest effective skill that it applies to."""
    most: int | None = None
    """The highest effective skill that it applies to."""


class RandomLocation(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A location of the table of random hit locations."""

    rolls: tuple[int, ...]
    sides: tuple[str, ...] = ()
    """The near and the far one, where a further die decides."""


class HitLocation(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the body."""

    signed = ("to_hit",)
    to_hit: int
    disputed: str = ""
    """The profile field that holds the penalty instead."""
    with_shield: int | None = None
    """The penalty where a shield is in the way."""
    covered: str
    """The part of the armor that covers it."""
    natural_dr: int = 0
    aimed_by: tuple[str, ...] = ()
    from_behind: bool = False
    miss_by_one: str = ""
    misses: tuple[str, ...] = ()
    goes_on_to: str = ""
    goes_on: tuple[str, ...] = ()
    """Kinds of blow that continue into the location behind it."""
    factors: tuple[str, ...] = ()
    cap: str = ""
    """The most injury of a blow, in multiples of HT; empty: no limit."""
    capped: Literal["all", "through"] = "through"
    """Whether the limit is for all damage, or only for damage that blows through."""
    cripples: str = ""
    """The injury, in multiples of HT, above which it is crippled."""
    limb: bool = False
    head: bool = False
    """Whether critical hits use the table of head blows."""
    vital: bool = False
    """Whether a blow that armor stops exactly still counts."""
    holds: str = ""
    stands: bool = False
    effects: tuple[str, ...] = ()


class DamageType(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of damage."""

    factor: str
    minimum: int = 0
    knockback: bool = False
    bullet: bool = False
    blows_through: bool = False
    cap_times: int = 1
    """The multiplier of the limit of torso, head and vitals."""


class Ammunition(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of ammunition."""

    dr: str
    least_dr: int = 0
    factor: str
    before_dr: str = "1"


class AttackKind(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a kind of weapon attacks."""

    ranged: bool = False
    natural: bool = False
    """Whether it may do no damage, whatever its damage type."""
    defenses: tuple[str, ...]
    fumbles: str
    """The table of critical misses."""
    retreat: bool = False
    moving: int = 1
    firearm: bool = False
    """Whether it is repaired with Armoury, and cleared by the weapon skill."""
    no_pop_up: bool = False
    leaves_hand: bool = False
    recoilless: bool = False
    fizzles: bool = False


class CriticalHit(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A result of a critical hit, or of a critical blow to the head."""

    rolls: tuple[int, ...]
    factor: int = 1
    at: str = ""
    """The location that the effect applies to; elsewhere damage is multiplied by `otherwise`."""
    otherwise: int = 1
    effect: str = ""
    disputed: str = ""
    only: str = ""
    """The damage type that has the effect; any other has `otherwise_effect` and `fixed` hits."""
    otherwise_effect: str = ""
    fixed: int = 0


class CriticalMiss(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A result of a critical miss."""

    rolls: tuple[int, ...]
    effect: str


class Measure(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the table of sizes, speeds and ranges."""

    signed = ("value",)
    yards: str
    value: int


class AttackModifier(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A modifier of an attack that is declared."""

    signed = ("value",)
    value: int
    box: Literal["2", "3", "6", "8"]
    ranged: bool = False
    """Whether it applies to ranged attacks only."""
    melee: bool = False
    """Whether it applies to other attacks only."""
    moving: bool = False
    spared: str = ""
    """The field of a sheet that cancels it."""
    location: str = ""
    close: bool = False
    """Whether it is for a blow into a close combat."""


class Standing(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A modifier that a rule applies by itself."""

    signed = ("value",)
    value: int


class Posture(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A posture."""

    signed = ("attack", "defense", "as_target")
    attack: int
    defense: int
    as_target: int
    walks: bool = False
    """Whether a combatant can move in it."""
    to: tuple[str, ...]


class Watched(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Opportunity fire over so many hexes; 0: over a line."""

    signed = ("value",)
    hexes: int
    value: int


class GroupHits(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The number of rounds of a group that hit."""

    signed = ("margin",)
    margin: int
    hits: int


class Recoil(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How recoil counts."""

    adds_up: bool


class Maneuver(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a combatant moves with a maneuver."""

    moves: Literal["none", "step", "half", "whole"]
    most: int | None = None


class Defense(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An active defense."""

    limit: int
    all_out: int


class DefenseModifier(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A modifier of an active defense."""

    signed = ("value",)
    value: int
    declared: bool = False


class Parry(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill that parries better than others."""

    part: str


class ShieldLine(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shield."""

    pd: int
    dr: int
    penetrated: int
    """Hits of one blow that go through it."""
    destroyed: int
    """Hits that destroy it, in all."""


class BasicDamage(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The damage of a thrust and of a swing; the name of the row is the ST."""

    thrust: str
    swing: str


class Arm(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A generic weapon, with the fields of a weapon on a sheet."""

    kind: str = "melee"
    skill: str
    damage: str
    type: str
    of: str = ""
    thrust: bool = False
    swung: bool = False
    natural: bool = False
    needs_readying: bool = False
    ss: int = 0
    acc: int = 0
    rcl: int = 0
    rof: int = 1
    automatic: bool = False
    shots: int | None = None
    max: int | None = None
    st: int = 0


class ShockBySize(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The shock of creatures of up to so many hit points."""

    hit_points: int
    points: int
    """The points of injury for a point of shock."""


class Injury(NamedRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of few hit points."""

    hit_points: str
    effect: str
