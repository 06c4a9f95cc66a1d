"""Harm, conditions and resources."""

from ledger.events.base import Event


class TrackOpened(Event, frozen=True, kw_only=False, tag="track"):
    """A track of harm: how much somebody can take."""

    who: str
    track: str
    capacity: int


class DamageTaken(Event, frozen=True, kw_only=False, tag="damage"):
    """Harm after everything that reduced it."""

    who: str
    track: str
    amount: int
    key: str
    why: str
    source: str


class DamageHealed(Event, frozen=True, kw_only=False, tag="healed"):
    """Harm that is gone."""

    who: str
    track: str
    amount: int
    key: str
    why: str
    source: str


class WoundSuffered(Event, frozen=True, kw_only=False, tag="wound"):
    """Wounds, counted; `kind` is the game's word, ``wounds`` or ``traumas``."""

    who: str
    track: str
    count: int
    kind: str
    key: str
    why: str
    source: str


class WoundHealed(Event, frozen=True, kw_only=False, tag="mended"):
    """Wounds that are gone."""

    who: str
    track: str
    count: int
    kind: str
    key: str
    why: str
    source: str


class ConditionGained(Event, frozen=True, kw_only=False, tag="condition"):
    """Somebody is now prone, stunned, unconscious, and so on."""

    who: str
    condition: str
    level: int | None
    until: str
    """The moment it ends (a round's key, ``r4``), the game's words for what ends it, or empty."""
    key: str
    why: str
    source: str


class ConditionLost(Event, frozen=True, kw_only=False, tag="lost"):
    """A condition ended."""

    who: str
    condition: str
    why: str


class ResourceOpened(Event, frozen=True, kw_only=False, tag="resource"):
    """Something countable: ammunition, Edge, Moxie, a pool, a barrier's structure."""

    who: str
    resource: str
    left: int
    of: int


class ResourceSpent(Event, frozen=True, kw_only=False, tag="spent"):
    """Some of it is gone."""

    who: str
    resource: str
    amount: int
    key: str
    why: str


class ResourceGained(Event, frozen=True, kw_only=False, tag="gained"):
    """Some of it came back."""

    who: str
    resource: str
    amount: int
    key: str
    why: str
