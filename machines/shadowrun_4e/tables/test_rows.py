"""The row types of the tables for tests outside attacks."""

from typing import Any, ClassVar, Literal

from machines.contract.tables import Row


class Threshold(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row with a threshold."""

    open_ended: ClassVar[tuple[str, ...]] = ("threshold",)

    name: str
    threshold: int
    more: bool = False
    """Whether it is open-ended, as ``16+``."""
    threshold_by: str = ""
    """The profile field with the threshold, if printings differ."""
    examples: tuple[str, ...] = ()


class DiceModifier(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row that modifies a dice pool."""

    signed: ClassVar[tuple[str, ...]] = ("modifier",)

    name: str
    modifier: int = 0
    group: str = ""
    rating: bool = False
    """Whether it is as large as a declared rating."""
    more: bool = False
    """Whether it is open-ended, as ``+1 or more``."""
    says: str = ""
    """Printed text beside the number, or instead of it."""


class Interval(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row with the interval of an extended test."""

    name: str
    amount: int
    unit: Literal["passes", "turns", "minutes", "hours", "days", "weeks", "months"]
    upto: int = 0
    """The highest price, for goods; 0 for no limit."""


class Skill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill and its linked attribute."""

    name: str
    attribute: str
    default: bool = True
    specific: bool = False
    """Whether a specific field follows its name after a colon."""


class Specialization(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A category that a skill may be specialized in, and what belongs to it."""

    name: str
    skills: tuple[str, ...]
    ranges: tuple[str, ...] = ()
    """Rows of the weapon ranges: weapons with one of them."""
    modes: tuple[Literal["SS", "SA", "BF", "FA"], ...] = ()
    """Weapons with one of these firing modes as their first."""
    rows: tuple[str, ...] = ()
    """Rows of the weapon tables or of the spells."""
    effects: tuple[Literal["direct", "indirect", "other"], ...] = ()
    """Spells with one of these effects."""
    spirits: tuple[str, ...] = ()
    """Spirits of these names."""
    defense: tuple[Literal["melee", "ranged"], ...] = ()
    """Defenses against such attacks."""


class BoughtHits(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hits that a pool of a size buys."""

    name: str
    low: int
    high: int
    hits: int
    """0: not possible."""

    def printed(self) -> dict[str, Any]:
        """Returns its printed cells, with "not possible" in place of 0.

        Source: SR4S Buying Hits
        """
        return super().printed() | {"hits": self.hits or "not possible"}


class AlertResponse(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A random response of an alerted system."""

    name: str
    roll: int


class Concealability(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice for finding a hidden item."""

    signed: ClassVar[tuple[str, ...]] = ("modifier",)

    name: str
    modifier: int
    examples: tuple[str, ...]


class MovementRate(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Meters in a Combat Turn, by metatype."""

    name: str
    metatypes: tuple[str, ...]
    walking: int
    running: int


class SocialTest(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Charisma-linked opposed test."""

    name: str
    skill: str
    attribute: str
    target_skills: tuple[str, ...]
    """The target's best one counts."""
    target_attribute: str


class SignalRange(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The range of a Signal rating."""

    name: str
    rating: int
    meters: int


class Device(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rating of a type of device."""

    name: str
    rating: int
    examples: tuple[str, ...]


class Rated(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row with one signed number: terrain, handling, signature."""

    signed: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: int


class Assensing(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Information that a number of hits reveals about an aura; each row includes those before it."""

    open_ended: ClassVar[tuple[str, ...]] = ("hits",)

    name: str
    hits: int
    more: bool = False
    information: tuple[str, ...]


class Tracking(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row that modifies the threshold for following an astral link."""

    signed: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: int = 0
    per: str = ""
    group: str = ""


class Tradition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A magical tradition and the attribute that resists Drain with Willpower."""

    name: str
    attribute: str
