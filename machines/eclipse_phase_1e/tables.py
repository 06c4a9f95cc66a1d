"""The printed tables as typed rows, by name."""

from typing import Literal

from machines.tables import Book, Row, Ruling, load

_HERE = "machines.eclipse_phase_1e"


class AttackKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a kind of attack is defended against, and what it adds."""

    name: str
    fray_divisor: int
    """Fray is divided by this, rounded down."""
    parry: bool
    """May a melee skill defend?"""
    adds_som: bool
    """Is SOM / 10, rounded down, added to the damage?"""
    needs_range: bool


class Range(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A band of distance."""

    name: str
    modifier: int
    cone_dice: str = ""
    """Added to the damage of a cone weapon at one target."""


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A way to fire."""

    name: str
    code: str
    attacks: int
    """How many attacks one Complex Action gives."""
    rounds: int
    """Rounds each attack uses."""
    extra: Literal["", "burst_dice", "full_auto_dice"] = ""
    """The profile's field with the dice it adds at one target."""


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A situational modifier."""

    name: str
    value: int
    applies: Literal["attack", "defense"] = "attack"
    kinds: tuple[str, ...] = ("melee", "ranged")
    group: str = ""
    """Of the rows of one group only one counts."""


class CombatSkill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill and what stands in for it."""

    name: str
    aptitude: str
    melee: bool = False
    """Can it parry?"""


class Consequence(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a defender's critical success may lead to."""

    name: str
    label: str


BOOKS = load(_HERE, "books.toml", Book, "book")
RULINGS = load(_HERE, "rulings.toml", Ruling, "ruling")
ATTACK_KINDS = {row.name: row for row in load(_HERE, "tables/attack_kinds.toml", AttackKind)}
RANGES = {row.name: row for row in load(_HERE, "tables/ranges.toml", Range)}
FIRING_MODES = {row.name: row for row in load(_HERE, "tables/firing_modes.toml", FiringMode)}
SITUATIONS = {row.name: row for row in load(_HERE, "tables/modifiers.toml", Situation)}
SKILLS = {row.name: row for row in load(_HERE, "tables/skills.toml", CombatSkill)}
MISHAPS = {row.name: row for row in load(_HERE, "tables/mishaps.toml", Consequence)}
BENEFITS = {row.name: row for row in load(_HERE, "tables/benefits.toml", Consequence)}
