"""The rows of the tables about bodies and minds: what each line has."""

from typing import Literal

from machines.contract.tables import Row
from machines.eclipse_phase.second.sheet.sheet import Damage, DamageOrNone


class Experience(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that shakes the mind."""

    name: str
    category: Literal["alienation", "helplessness", "the unknown", "violence"]
    sv: Damage
    even_so: str = ""
    """Stress of whoever passes the check: a number, ``half`` of what was rolled, or nothing."""


class HealingRate(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How fast somebody heals."""

    name: str
    dice: Damage
    hours: int
    """For these dice of damage."""
    wound_hours: int = 0
    """For a wound, once there is no other damage; 0: it heals none."""
    lasts: int | None = None
    """Hours for which it works; None: as long as one likes."""
    natural: bool = False
    """Is it the body's own, to which one technology is added?"""
    flesh: bool = True
    shells: bool = False


class HealingCondition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What slows healing."""

    name: str
    times: int


class SizeRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What size does."""

    name: str
    rank: int
    """Steps from medium."""
    target: int
    """To hit it."""
    som: int
    """To its SOM Checks of strength."""
    shock: int
    """To its check against shock."""
    stun: int
    """To its check against stunning."""
    dice: DamageOrNone = ""
    """Added to its damage in melee."""
    half: bool = False
    most: int | None = None
    """Damage it does in melee at the most."""
    two_handed_in_one: bool = False


class Movement(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of movement."""

    name: str
    skill: str
    base: int
    full: int
    flies: bool = False
    walks: bool = False
    """Does weight change it as it does walking?"""


class Gravity(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What weight does to whoever walks."""

    name: str
    upto: int
    """Percent of Earth's gravity, up to which the row holds."""
    base: str
    """What the rates are multiplied by."""
    full: str
    skill: str
    """What Athletics is rolled as."""
    weightless: bool = False


class PoolRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pool and what it is spent on."""

    name: str
    aptitudes: tuple[str, ...]
    first: Literal["", "any", "mental"] = ""
    """May it buy going first, and for which actions?"""
    extra: Literal["", "any", "physical", "mental"] = ""
    """May it buy an extra action, and of which kind?"""
    ignores: tuple[Literal["wounds", "traumas"], ...] = ()
    controls: bool = False
    """May it keep an Infection Test away?"""
    ongoing: bool = True
    """May it raise the skills of an aptitude until the next recharge?"""


class Morph(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body."""

    name: str
    type: Literal["biomorph", "pod", "uplift", "synthmorph"]
    durability: int
    wound_threshold: int
    death_rating: int
    insight: int = 0
    moxie: int = 0
    vigor: int = 0
    flex: int = 0
    movement: dict[str, tuple[int, int]]
    size: str = "medium"
    energy: int = 0
    kinetic: int = 0
    armor: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()


class Object(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A thing that can be broken."""

    name: str
    energy: int
    kinetic: int
    durability: int
    wound_threshold: int | None = None


class Fall(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How hard one falls."""

    name: str
    from_meters: int
    to_meters: int | None = None
    damage: Damage
    per_meter: int = 0
