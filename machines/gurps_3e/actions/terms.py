"""The terms of each declaration; published by `affray rules gurps_3e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf

Yards = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Modifier = Annotated[int, msgspec.Meta(ge=-60, le=60)]
Penalty = Annotated[int, msgspec.Meta(ge=-10, le=0)]
Hexes = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class NoTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A declaration without terms."""


class StepTerms(NoTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A maneuver in which one may move as well."""

    yards: Yards | None = None
    """Yards moved in the same turn, at most as many as the maneuver allows. Default: none."""


class AttackTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """An attack."""

    at: str
    using: str
    """A weapon of the sheet."""
    location: Annotated[str, RowOf("hit_locations")] = ""
    """The location that is aimed at. Default: the torso."""
    all_out: Literal["", "to_hit", "damage", "two_attacks", "feint"] = ""
    """The form of an All-Out Attack."""
    wild: bool = False
    """Whether it is a wild swing."""
    random: bool = False
    """Whether 3d decide the location."""
    modifiers: tuple[Annotated[str, RowOf("attack_modifiers")], ...] = ()
    theirs: tuple[Annotated[str, RowOf("defense_modifiers", where="declared")], ...] = ()
    """Modifiers of the target's defense."""
    other: dict[str, Modifier] = {}
    """Modifiers of the attack that are in no table: reason and value."""
    their_other: dict[str, Modifier] = {}
    """Modifiers of the defense that are in no table: reason and value."""
    footing: Penalty | None = None
    darkness: Penalty | None = None
    elevation: Modifier = 0
    """The modifier of the attack for relative elevation."""
    their_elevation: Modifier = 0
    """The modifier of the defense for relative elevation."""
    distance: Yards | None = None
    """Yards to the target; a ranged attack requires it."""
    speed: Yards = 0
    """Yards a second at which the target moves across."""
    uphill: Yards = 0
    """Yards by which the target is higher."""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    """Rounds of a group of automatic fire. Default: four, or what remains."""
    successive: bool = False
    """Whether this is one of successive groups that are aimed at the same target."""
    braced: bool = False
    pop_up: bool = False
    watching: Hexes | Literal["line"] | None = None
    """The hexes watched by opportunity fire. Default: as declared when waiting."""
    from_behind: bool = False
    surprise: bool = False
    """Whether the target is surprised and has passive defense alone."""
    behind: tuple[str, ...] = ()
    """Combatants behind the target, the nearest to it first."""
    near: tuple[str, ...] = ()
    """Other combatants that a miss may strike, the nearest to the attacker first."""
    melee: tuple[str, ...] = ()
    """Other combatants in the close combat that is struck into."""
    unaware: tuple[str, ...] = ()
    """Those of ``behind``, ``near`` and ``melee`` who are surprised and have passive defense alone."""
    distances: dict[str, Yards] = {}
    """Yards to other combatants who may be struck."""
    extra_damage: dict[str, Modifier] = {}
    """Additional damage: reason and value."""


class AimTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A turn of aiming."""

    at: str
    using: str


class FeintTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A feint."""

    at: str
    using: str
    all_out: bool = False
    """Whether an attack follows in the same turn."""


class WaitTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Waiting."""

    watching: Hexes | Literal["line"] = 1
    """The hexes watched, for opportunity fire."""


class PostureTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A change of posture."""

    to: Annotated[str, RowOf("postures")]


class ReadyTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Readying a weapon or a shield, picking an item up, or reloading."""

    what: str = ""
    """What is readied, in words."""
    repair: str = ""
    """A condition that readying ends: ``broadsword_dropped``, ``shield_unready``."""
    reload: str = ""
    """A weapon that is reloaded."""


class MoveTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Moving."""

    yards: Yards | None = None
    """The distance. Default: all of Move."""


class ConcentrateTerms(StepTerms, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A spell, a psionic effort, or another mental task."""

    what: str = "concentrates"
