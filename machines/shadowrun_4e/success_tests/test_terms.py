"""The terms of the declarations of tests."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.shadowrun_4e.actions.terms import Modifier, Rating, Terms
from machines.shadowrun_4e.sheet.sheet import Visibility

Meters = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Interval = Annotated[str, RowOf("extended_intervals")]
Difficulty = Annotated[str, RowOf("difficulties")]


class TestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms that all tests share."""

    modifier: Modifier = 0
    specialized: bool = False
    """Whether the roller's specialization in the skill counts."""
    buys: bool = False
    """Whether hits are bought, with the gamemaster's consent."""


class SuccessTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a success test or an opposed test."""

    skill: str = ""
    """Omitted: two attributes, or one twice."""
    attribute: str = ""
    """Omitted: the one the skill is linked to."""
    second: str = ""
    """A second attribute, if there is no skill."""
    difficulty: Difficulty = ""
    """Omitted: `threshold`, or hits are only counted."""
    threshold: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    against: str = ""
    """The opponent."""
    their_skill: str = ""
    """Omitted: the same skill."""
    their_attribute: str = ""
    what: str = "a test"


class ExtendedTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of an extended test: one roll for each interval, hits added up."""

    skill: str
    attribute: str = ""
    difficulty: Annotated[str, RowOf("extended_thresholds")] = ""
    threshold: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    interval: Interval = "average"
    what: str = "a task"


class PerceptionTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a Perception test."""

    noticing: Annotated[str, RowOf("perception_thresholds")] = "normal"
    modifiers: tuple[Annotated[str, RowOf("perception_modifiers")], ...] = ()
    rating: Rating = 0
    """The rating of active enhancements."""
    visibility: Visibility = ""
    what: str = "something"


class SocialTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a Charisma-linked opposed test."""

    at: str
    test: Annotated[str, RowOf("social")]


class SearchTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a Matrix search: Data Search and a browse program."""

    difficulty: Annotated[str, RowOf("search_thresholds")] = "average"
    area: Annotated[str, RowOf("search_areas")] = "entire matrix"
    what: str = "data"


class AvailabilityTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of finding goods: Negotiation and Charisma, the interval by the price."""

    threshold: Annotated[int, msgspec.Meta(ge=1, le=99)]
    """The item's Availability."""
    cost: Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
    """In nuyen."""
    what: str = "something"


class ConcealTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of finding a hidden item: Perception against Palming."""

    at: str
    item: str
    """One of the examples of the concealability table, or its modifier, such as ``-2``."""


class BuildTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of building or repairing."""

    skill: str
    item: Annotated[str, RowOf("build_thresholds")]
    threshold: Annotated[int, msgspec.Meta(ge=16, le=99)] | None = None
    """Replaces an open-ended threshold of the row."""
    interval: Interval = "long"
    modifiers: tuple[Annotated[str, RowOf("build_modifiers")], ...] = ()
    what: str = "a repair"


class KnowledgeTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a knowledge test."""

    skill: str
    knowledge: Annotated[str, RowOf("knowledge")] = "general knowledge"
    what: str = "something"


class SensorTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a sensor test."""

    sensor: Rating
    signature: Annotated[str, RowOf("signature")] = ""
    threshold: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """Against a target that cannot hide."""
    against: str = ""
    """The combatant who hides, with Infiltration and Agility."""


class SignalTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of reaching a device by radio: both signals must reach."""

    at: str = ""
    distance: Meters
    signal: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    """The Signal rating of a device that belongs to no combatant."""


class DeviceTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a device's test without a user: its Device Rating twice."""

    device: Annotated[str, RowOf("devices")]
    difficulty: Difficulty = "average"
    what: str = "a device's own test"


class VehicleTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a vehicle test: Reaction and a pilot skill, plus Handling; terrain raises the threshold."""

    skill: str
    difficulty: Annotated[str, RowOf("vehicle_thresholds")] = "average"
    terrain: Annotated[str, RowOf("terrain")] = "open"
    vehicle: Annotated[str, RowOf("handling")] = ""
    """Omitted: `handling`."""
    handling: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    against: str = ""
    """Another driver who opposes it."""


class AssenseTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of reading an aura: Intuition and Assensing."""

    at: str = ""
    what: str = "an aura"


class TrackTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of following an astral link: Intuition and Assensing, extended."""

    threshold: Annotated[int, msgspec.Meta(ge=1, le=99)] = 5
    hours: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Hours since the link was active."""
    barrier: Rating = 0
    """The Force of a mana barrier around the target."""
    spirit: Annotated[str, RowOf("tracking", where="group")] = ""
    """If a spirit tracks its master: bound or unbound."""
    what: str = "an astral link"


class AlertTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of an alerted system's response: 1D6."""

    system: str = "the system"


class StabilizeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of stabilizing a dying combatant."""

    who: str
    modifier: Modifier = 0


class RestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of rest, which heals boxes."""

    track: Literal["stun", "physical"]
    modifier: Modifier = 0
