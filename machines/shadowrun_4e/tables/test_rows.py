"""The rows of the tables that tests of their own use."""

from typing import Any, ClassVar, Literal

from machines.contract.tables import Row


class Threshold(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line that says how many hits are needed."""

    open_ended: ClassVar[tuple[str, ...]] = ("threshold",)

    name: str
    threshold: int
    more: bool = False
    """Is it open-ended, as ``16+``?"""
    threshold_by: str = ""
    """The profile field with the threshold, where printings differ."""
    examples: tuple[str, ...] = ()


class DiceModifier(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line that changes a dice pool."""

    signed: ClassVar[tuple[str, ...]] = ("modifier",)

    name: str
    modifier: int = 0
    group: str = ""
    rating: bool = False
    """Is it as much as a rating that is said?"""
    more: bool = False
    """Is it open-ended, as ``+1 or more``?"""
    says: str = ""
    """What the line says beside, or instead."""


class Interval(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line that says how long each roll of an extended test takes."""

    name: str
    amount: int
    unit: Literal["passes", "turns", "minutes", "hours", "days", "weeks", "months"]
    upto: int = 0
    """Of what is bought, the highest price; 0: no limit, or none is meant."""


class Skill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill and the attribute it is linked to."""

    name: str
    attribute: str
    default: bool = True
    specific: bool = False
    """Is it one of several of that name, told apart after a colon?"""


class BoughtHits(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hits for a pool of so many dice, without a roll."""

    name: str
    low: int
    high: int
    hits: int
    """0: not possible."""

    def printed(self) -> dict[str, Any]:
        """Its cells; where no hit can be bought, the page says so.

        Source: SR4S Buying Hits
        """
        return super().printed() | {"hits": self.hits or "not possible"}


class AlertResponse(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a system does that is alerted."""

    name: str
    roll: int


class Concealability(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice of whoever looks for something hidden."""

    signed: ClassVar[tuple[str, ...]] = ("modifier",)

    name: str
    modifier: int
    examples: tuple[str, ...]


class MovementRate(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Meters in a Combat Turn."""

    name: str
    metatypes: tuple[str, ...]
    walking: int
    running: int


class SocialTest(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An opposed test between people."""

    name: str
    skill: str
    attribute: str
    target_skills: tuple[str, ...]
    """The target's best counts."""
    target_attribute: str


class SignalRange(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a signal reaches."""

    name: str
    rating: int
    meters: int


class Device(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a device of a kind is worth."""

    name: str
    rating: int
    examples: tuple[str, ...]


class Rated(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line with one signed number: terrain, handling, signature."""

    signed: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: int


class Assensing(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What so many hits tell of an aura, in our words; each line tells also what those before it do."""

    open_ended: ClassVar[tuple[str, ...]] = ("hits",)

    name: str
    hits: int
    more: bool = False
    information: tuple[str, ...]


class Tracking(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line that changes the threshold for following an astral link."""

    signed: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: int = 0
    per: str = ""
    group: str = ""


class Tradition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """With what, beside Willpower, a tradition resists Drain."""

    name: str
    attribute: str
