"""Events of harm, conditions and resources."""

from ledger.events.base import Event


class TrackOpened(Event, frozen=True, kw_only=False, tag="track"):
    """A combatant has a damage track with this capacity."""

    who: str
    track: str
    capacity: int


class DamageTaken(Event, frozen=True, kw_only=False, tag="damage"):
    """A combatant took damage; the amount is what is left after armor and other reductions."""

    who: str
    track: str
    amount: int
    key: str
    why: str
    source: str


class DamageHealed(Event, frozen=True, kw_only=False, tag="healed"):
    """Damage was healed."""

    who: str
    track: str
    amount: int
    key: str
    why: str
    source: str


class WoundSuffered(Event, frozen=True, kw_only=False, tag="wound"):
    """A combatant suffered wounds; `kind` is the game's word, ``wounds`` or ``traumas``."""

    who: str
    track: str
    count: int
    kind: str
    key: str
    why: str
    source: str


class WoundHealed(Event, frozen=True, kw_only=False, tag="mended"):
    """Wounds were healed."""

    who: str
    track: str
    count: int
    kind: str
    key: str
    why: str
    source: str


class ConditionGained(Event, frozen=True, kw_only=False, tag="condition"):
    """A combatant is now prone, stunned, unconscious, and so on."""

    who: str
    condition: str
    level: int | None
    until: str
    """The round in which it ends (``r4``), the game's words for what ends it, or empty."""
    key: str
    why: str
    source: str


class ConditionLost(Event, frozen=True, kw_only=False, tag="lost"):
    """A condition ended."""

    who: str
    condition: str
    why: str


class ResourceOpened(Event, frozen=True, kw_only=False, tag="resource"):
    """A combatant has a countable resource: ammunition, Edge, Moxie, a pool, a barrier's structure."""

    who: str
    resource: str
    left: int
    of: int


class ResourceSpent(Event, frozen=True, kw_only=False, tag="spent"):
    """Part of a resource was spent."""

    who: str
    resource: str
    amount: int
    key: str
    why: str


class ResourceGained(Event, frozen=True, kw_only=False, tag="gained"):
    """Part of a resource was regained."""

    who: str
    resource: str
    amount: int
    key: str
    why: str
