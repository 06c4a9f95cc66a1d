"""What is said with each kind of declaration; published by `affray rules gurps_3e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf

Yards = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Modifier = Annotated[int, msgspec.Meta(ge=-60, le=60)]
Penalty = Annotated[int, msgspec.Meta(ge=-10, le=0)]
Hexes = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class NoTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Nothing more is said."""


class AttackTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """An attack."""

    at: str
    using: str
    """A weapon of the sheet."""
    location: Annotated[str, RowOf("hit_locations")] = ""
    """Left out: the torso."""
    all_out: Literal["", "to_hit", "damage", "two_attacks", "feint"] = ""
    """The form of an All-Out Attack."""
    wild: bool = False
    """A wild swing."""
    random: bool = False
    """A blow at no place in particular: 3d say where it strikes."""
    modifiers: tuple[Annotated[str, RowOf("attack_modifiers")], ...] = ()
    theirs: tuple[Annotated[str, RowOf("defense_modifiers", where="declared")], ...] = ()
    """What modifies the defense."""
    other: dict[str, Modifier] = {}
    """What no table has, to the attack: why, and how much."""
    their_other: dict[str, Modifier] = {}
    """Likewise, to the defense."""
    footing: Penalty | None = None
    darkness: Penalty | None = None
    elevation: Modifier = 0
    """For relative elevation, to the attack."""
    their_elevation: Modifier = 0
    """For relative elevation, to the defense."""
    distance: Yards = 0
    """Yards to the target of a ranged attack."""
    speed: Yards = 0
    """Yards a second at which the target moves across."""
    uphill: Yards = 0
    """Yards that the target is higher."""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    """Of a group of automatic fire; left out: four, or what is left."""
    successive: bool = False
    """Is one group after the other aimed at the same target?"""
    braced: bool = False
    pop_up: bool = False
    watching: Hexes | Literal["line"] | None = None
    """Of opportunity fire: hexes watched; left out: as said when waiting."""
    from_behind: bool = False
    surprise: bool = False
    """Does the target know of nothing?"""
    behind: tuple[str, ...] = ()
    """Who stands behind the target, the nearest to it first."""
    near: tuple[str, ...] = ()
    """Who else may be struck by a miss, the nearest to the attacker first."""
    melee: tuple[str, ...] = ()
    """Who else is in the close combat that is struck into."""
    distances: dict[str, Yards] = {}
    """Yards to whoever else may be struck."""
    extra_damage: dict[str, Modifier] = {}
    """Why, and how much."""


class AimTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Aiming."""

    at: str
    using: str


class FeintTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A feint."""

    at: str
    using: str
    all_out: bool = False
    """Does an attack follow in the same turn?"""


class WaitTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Waiting."""

    watching: Hexes | Literal["line"] = 1
    """For opportunity fire: hexes watched."""


class PostureTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Another posture."""

    to: Annotated[str, RowOf("postures")]


class ReadyTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Readying a weapon or a shield, picking something up, reloading."""

    what: str = ""
    """In words."""
    repair: str = ""
    """A condition that it ends: ``broadsword_dropped``, ``shield_unready``."""
    reload: str = ""
    """A weapon that is full then."""


class MoveTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Moving."""

    yards: Yards | None = None
    """Left out: all of Move."""


class ConcentrateTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A spell, a psionic effort, a door that is picked."""

    what: str = "concentrates"
