"""What the declarations of tests say."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.shadowrun_4e.actions.terms import Modifier, Rating, Terms
from machines.shadowrun_4e.sheet.sheet import Visibility

Meters = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Interval = Annotated[str, RowOf("extended_intervals")]
Difficulty = Annotated[str, RowOf("difficulties")]


class TestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every test may say."""

    modifier: Modifier = 0
    buys: bool = False
    """Are hits bought, with the gamemaster's leave?"""


class SuccessTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A success test, or an opposed one."""

    skill: str = ""
    """Left out: two attributes, or one twice."""
    attribute: str = ""
    """Left out: the one the skill is linked to."""
    second: str = ""
    """A second attribute, where there is no skill."""
    difficulty: Difficulty = ""
    """Left out: hits are only counted, or `threshold`."""
    threshold: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    against: str = ""
    """Who opposes it."""
    their_skill: str = ""
    """Left out: the same."""
    their_attribute: str = ""
    what: str = "a test"


class ExtendedTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An extended test: one roll for each interval, hits added up."""

    skill: str
    attribute: str = ""
    difficulty: Annotated[str, RowOf("extended_thresholds")] = ""
    threshold: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    interval: Interval = "average"
    what: str = "a task"


class PerceptionTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Noticing something."""

    noticing: Annotated[str, RowOf("perception_thresholds")] = "normal"
    modifiers: tuple[Annotated[str, RowOf("perception_modifiers")], ...] = ()
    rating: Rating = 0
    """Of active enhancements."""
    visibility: Visibility = ""
    what: str = "something"


class SocialTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Charisma-linked opposed test."""

    at: str
    test: Annotated[str, RowOf("social")]


class SearchTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Looking for data in the Matrix: Data Search and a browse program."""

    difficulty: Annotated[str, RowOf("search_thresholds")] = "average"
    area: Annotated[str, RowOf("search_areas")] = "entire matrix"
    what: str = "data"


class AvailabilityTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Finding something to buy: Negotiation and Charisma, an interval by its cost."""

    threshold: Annotated[int, msgspec.Meta(ge=1, le=99)]
    """The item's Availability."""
    cost: Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
    """In nuyen."""
    what: str = "something"


class ConcealTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Finding what somebody hides on them: Perception against Palming."""

    at: str
    item: str
    """One of the examples of the concealability table, or its modifier, such as ``-2``."""


class BuildTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Building or repairing something."""

    skill: str
    item: Annotated[str, RowOf("build_thresholds")]
    threshold: Annotated[int, msgspec.Meta(ge=16, le=99)] | None = None
    """Where the row's is open-ended."""
    interval: Interval = "long"
    modifiers: tuple[Annotated[str, RowOf("build_modifiers")], ...] = ()
    what: str = "a repair"


class KnowledgeTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Knowing something."""

    skill: str
    knowledge: Annotated[str, RowOf("knowledge")] = "general knowledge"
    what: str = "something"


class SensorTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Finding something with sensors: its signature counts."""

    sensor: Rating
    signature: Annotated[str, RowOf("signature")] = ""
    threshold: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """Against what cannot hide."""
    against: str = ""
    """Who hides, with Infiltration and Agility."""


class SignalTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Reaching a device by radio: both signals must reach so far."""

    at: str = ""
    distance: Meters
    signal: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    """Of the other device, where it is nobody's."""


class DeviceTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a device does by itself: its Device Rating, twice."""

    device: Annotated[str, RowOf("devices")]
    difficulty: Difficulty = "average"
    what: str = "a device's own test"


class VehicleTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A vehicle test: Reaction and a pilot skill, handling added, terrain on the threshold."""

    skill: str
    difficulty: Annotated[str, RowOf("vehicle_thresholds")] = "average"
    terrain: Annotated[str, RowOf("terrain")] = "open"
    vehicle: Annotated[str, RowOf("handling")] = ""
    """Left out: `handling`."""
    handling: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    against: str = ""
    """Another driver."""


class AssenseTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Reading an aura: Intuition and Assensing."""

    at: str = ""
    what: str = "an aura"


class TrackTerms(TestTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Following an astral link: Intuition and Assensing, extended."""

    threshold: Annotated[int, msgspec.Meta(ge=1, le=99)] = 5
    hours: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Since the link was active."""
    barrier: Rating = 0
    """Force of a mana barrier that the target is behind."""
    spirit: Annotated[str, RowOf("tracking", where="group")] = ""
    """Where a master is tracked by a spirit: bound or unbound."""
    what: str = "an astral link"


class AlertTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an alerted system does: 1D6."""

    system: str = "the system"


class StabilizeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Stopping the bleeding of somebody dying."""

    who: str
    modifier: Modifier = 0


class RestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rest, by which boxes heal."""

    track: Literal["stun", "physical"]
    modifier: Modifier = 0
