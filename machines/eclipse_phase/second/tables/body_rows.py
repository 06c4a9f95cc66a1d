"""Rows of the tables about bodies and minds."""

from typing import Literal

from machines.contract.tables import Row
from machines.eclipse_phase.second.sheet.sheet import Damage, DamageOrNone


class Experience(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stressful experience."""

    name: str
    category: Literal["alienation", "helplessness", "the unknown", "violence"]
    sv: Damage
    even_so: str = ""
    """Stress after a passed check: a number, ``half`` of the roll, or empty for none."""


class HealingRate(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A healing rate."""

    name: str
    dice: Damage
    hours: int
    """Hours for the dice."""
    wound_hours: int = 0
    """Hours for a wound after all damage is healed; 0 if it heals none."""
    lasts: int | None = None
    """Hours for which it works; None for no limit."""
    natural: bool = False
    """Whether it is natural healing, to which one technology is added."""
    flesh: bool = True
    shells: bool = False


class HealingCondition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition that slows healing."""

    name: str
    times: int


class SizeRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Effects of size."""

    name: str
    rank: int
    """Steps from medium."""
    target: int
    """Modifier to hit it."""
    som: int
    """Modifier to its SOM Checks of strength."""
    shock: int
    """Modifier to its check against shock."""
    stun: int
    """Modifier to its check against stunning."""
    dice: DamageOrNone = ""
    """Dice added to its damage in melee."""
    half: bool = False
    most: int | None = None
    """Most damage that it does in melee."""
    two_handed_in_one: bool = False


class Movement(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of movement."""

    name: str
    skill: str
    base: int
    full: int
    flies: bool = False
    walks: bool = False
    """Whether gravity changes it as it changes walking."""


class Gravity(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Effect of gravity on walking."""

    name: str
    upto: int
    """Upper limit of the row, in percent of Earth's gravity."""
    base: str
    """Factor on the rates."""
    full: str
    skill: str
    """Skill that replaces Athletics."""
    weightless: bool = False


class PoolRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pool and its uses."""

    name: str
    aptitudes: tuple[str, ...]
    first: Literal["", "any", "mental"] = ""
    """Actions for which it buys going first; empty for none."""
    extra: Literal["", "any", "physical", "mental"] = ""
    """Kind of extra action that it buys; empty for none."""
    ignores: tuple[Literal["wounds", "traumas"], ...] = ()
    controls: bool = False
    """Whether it can prevent an Infection Test."""
    ongoing: bool = True
    """Whether it can raise the skills of an aptitude until the next recharge."""


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
    """A breakable object."""

    name: str
    energy: int
    kinetic: int
    durability: int
    wound_threshold: int | None = None


class Fall(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Falling damage."""

    name: str
    from_meters: int
    to_meters: int | None = None
    damage: Damage
    per_meter: int = 0
