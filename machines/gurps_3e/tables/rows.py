"""What a line of each printed table is."""

from fractions import Fraction
from typing import Literal

from machines.contract.tables import Row


def part(text: str) -> Fraction:
    """A factor, a part, a distance as the page has it.

    Source: CII 48-51 Flowchart

    >>> part("3/2"), part("4.5") > 4
    (Fraction(3, 2), True)
    """
    return Fraction(text)


class Named(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line with a name."""

    name: str


class Critical(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A roll that is more than a success or a failure."""

    rolled: int
    outcome: str
    least: int | None = None
    """From this effective skill on."""
    most: int | None = None
    """Up to this effective skill."""


class RandomLocation(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a blow strikes that is aimed at nothing."""

    rolls: tuple[int, ...]
    sides: tuple[str, ...] = ()
    """Where a further die tells which: the near one, the far one."""


class HitLocation(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the body."""

    signed = ("to_hit",)
    to_hit: int
    disputed: str = ""
    """The profile field that has the penalty instead."""
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
    """Kinds of blow that go on into what lies behind it."""
    factors: tuple[str, ...] = ()
    cap: str = ""
    """How many times HT a blow can do; empty: anything."""
    capped: Literal["all", "through"] = "through"
    """All damage, or only that of what blows through."""
    cripples: str = ""
    """More than so many times HT cripple it."""
    limb: bool = False
    head: bool = False
    """Do critical hits go by the table of head blows?"""
    vital: bool = False
    """Does a blow that armor stops exactly still count?"""
    holds: str = ""
    stands: bool = False
    effects: tuple[str, ...] = ()


class DamageType(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a blow is."""

    factor: str
    minimum: int = 0
    knockback: bool = False
    bullet: bool = False
    blows_through: bool = False
    cap_times: int = 1
    """How many times the cap counts, of torso, head and vitals."""


class Ammunition(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is fired."""

    dr: str
    least_dr: int = 0
    factor: str
    before_dr: str = "1"


class AttackKind(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a kind of weapon attacks."""

    ranged: bool = False
    natural: bool = False
    """May it do no damage, whatever its type?"""
    defenses: tuple[str, ...]
    fumbles: str
    """The table of critical misses."""
    retreat: bool = False
    moving: int = 1
    firearm: bool = False
    """Is it repaired by Armoury, and cleared by the weapon skill?"""
    no_pop_up: bool = False
    leaves_hand: bool = False
    recoilless: bool = False
    fizzles: bool = False


class CriticalHit(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A result of a critical hit, or of a critical blow to the head."""

    rolls: tuple[int, ...]
    factor: int = 1
    at: str = ""
    """Where the effect strikes; elsewhere the damage is `otherwise` times as high."""
    otherwise: int = 1
    effect: str = ""
    disputed: str = ""
    only: str = ""
    """The type of damage that has the effect; any other has `otherwise_effect` and `fixed` hits."""
    otherwise_effect: str = ""
    fixed: int = 0


class CriticalMiss(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A result of a critical miss."""

    rolls: tuple[int, ...]
    effect: str


class Measure(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the table of sizes, speeds and ranges."""

    signed = ("value",)
    yards: str
    value: int


class AttackModifier(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What changes an attack, where it is declared."""

    signed = ("value",)
    value: int
    box: Literal["2", "3", "6", "8"]
    ranged: bool = False
    """Of ranged attacks only."""
    melee: bool = False
    """Of others only."""
    moving: bool = False
    spared: str = ""
    """The word on a sheet of whoever it does not touch."""
    location: str = ""
    close: bool = False
    """Is it a blow into a close combat?"""


class Standing(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What counts by itself."""

    signed = ("value",)
    value: int


class Posture(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How somebody stands or lies."""

    signed = ("attack", "defense", "as_target")
    attack: int
    defense: int
    as_target: int
    walks: bool = False
    """Can one move so?"""
    to: tuple[str, ...]


class Watched(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Opportunity fire over so many hexes; 0: over a line."""

    signed = ("value",)
    hexes: int
    value: int


class GroupHits(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many rounds of a group hit."""

    signed = ("margin",)
    margin: int
    hits: int


class Recoil(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How recoil counts."""

    adds_up: bool


class Maneuver(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far one moves with it."""

    moves: Literal["none", "step", "half", "whole"]
    most: int | None = None


class Defense(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An active defense."""

    limit: int
    all_out: int


class DefenseModifier(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What changes an active defense."""

    signed = ("value",)
    value: int
    declared: bool = False


class Parry(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill that parries better than others."""

    part: str


class ShieldLine(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shield."""

    pd: int
    dr: int
    penetrated: int
    """Hits of one blow that go through it."""
    destroyed: int
    """Hits that it takes in all."""


class Injury(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What follows from so few hit points."""

    hit_points: str
    effect: str
