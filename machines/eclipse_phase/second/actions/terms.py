"""Terms of declarations; published by `affray rules eclipse_phase_2e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.second.sheet.sheet import Damage, Weapon, WeaponName

Meters = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Modifier = Annotated[int, msgspec.Meta(ge=-60, le=60)]
Range = Annotated[str, RowOf("ranges")]
Pool = Annotated[str, RowOf("pools")]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of all terms."""


class NoTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A declaration without terms."""


class AttackTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Step 1: the target, the weapon, and how it is used."""

    at: str | tuple[str, ...]
    """The target, or several targets that the weapon, the firing mode, melee or a pushed sleight reaches."""
    using: str | Weapon
    """The name of a weapon on the sheet, or the figures of another."""
    mode: Annotated[str, RowOf("firing_modes")] = ""
    """Firing mode; empty for the weapon's first."""
    range: Range = ""
    """Range band; empty to use the distance, or ``close``."""
    distance: Meters | None = None
    """Distance in meters."""
    modifiers: tuple[Annotated[str, RowOf("modifiers")], ...] = ()
    """Circumstances: rows of the modifiers table."""
    surprised: bool = False
    """Whether the target is surprised and cannot defend."""
    called: Annotated[str, RowOf("called_shots")] = ""
    """Called shot, such as a grapple."""
    spot: str = ""
    """What a called shot is aimed at, in words; for a disarming one, the weapon."""
    perilous: bool = False
    """Whether a redirected target would end at an edge, in traffic or another danger."""
    blind: bool = False
    """Whether the target is out of sight; a Perceive Test comes first."""
    bonus: Literal["damage", "aim"] = "damage"
    """What concentrated fire or an aggressive attack adds to: damage, or the roll to hit."""
    aggressive: bool = False
    """Whether it is an aggressive attack, which lowers the attacker's Fray."""
    strike: bool = False
    """Whether a weapon that only needs to touch is also meant to hurt."""
    extra_weapons: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Further melee weapons, or pairs of limbs, used in the same attack."""
    also: tuple[str, ...] = ()
    """Further ranged weapons, in other hands, fired at the same target in the same Complex Action."""
    ammunition: Annotated[str, RowOf("ammunition")] = ""
    caught: dict[str, Meters] = {}
    """Others caught in a blast, with their distance in meters from its center."""
    edge: tuple[str, ...] = ()
    """Combatants in the area within a meter of its edge or of cover."""
    radius: Meters | None = None
    """Radius of a uniform blast, if reduced."""
    falloff: Annotated[int, msgspec.Meta(ge=2, le=20)] = 2
    """Damage that a centered blast loses with each meter."""
    push: Literal["", "range", "power", "penetration", "target"] = ""
    """How a sleight is pushed."""


class QuickTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Quick Action, in words."""

    what: str = "does something quick"
    stand: bool = False
    """Whether it makes a prone combatant stand up."""


class ComplexTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Complex Action other than an attack, in words."""

    what: str = "does something that takes the whole turn"
    regain: bool = False
    """Whether it ends disorientation."""
    repair: str = ""
    """Condition of the combatant's own weapon that it repairs, such as ``pistol_broken``."""
    extinguish: str = ""
    """A combatant on fire whose flames are put out."""
    mental: bool = False
    """Whether it is a mental or mesh action."""


class TaskTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Task Action, in words; declared in each of its Action Turns."""

    what: str
    turns: Annotated[int, msgspec.Meta(ge=2, le=100_000)]
    """Action Turns that the task takes."""
    mental: bool = False


class FullDefenseTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Full defense of body or mind."""

    mental: bool = False


class AimTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Aiming at a target."""

    at: str
    complex: bool = False
    """Whether aiming takes a Complex Action and lasts until the next action, rather than a Quick Action."""


class ReloadTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Loading a new magazine or battery."""

    weapon: str


class MoveTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moving."""

    how: Literal["base", "full", "rush", "other", "drop"] = "base"
    """``other`` is a way that is not the body's type: climbing, swimming, crawling; ``drop`` is to the ground."""
    way: str = ""
    """Type of movement on the sheet; empty for walking, or the first."""
    meters: Meters | None = None
    """Distance; None for the maximum."""


class SuppressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Suppressive fire over an area."""

    using: str
    area: str = ""


class SuppressedTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hit on a combatant who leaves cover under suppressive fire; one roll, made with the first, counts for all."""

    at: str
    range: Range = ""
    distance: Meters | None = None


class BreakFreeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Breaking free from a hold, or from an entangling weapon."""

    using: Literal["melee", "som"] = "melee"


class HoldTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Keeping hold of a combatant."""

    do: Literal["", "choke", "damage", "knockdown", "move"] = ""
    using: str = "unarmed"
    """Weapon that hurts the held combatant."""


class TakeInitiativeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Taking the initiative for a point of a pool."""

    pool: Annotated[str, RowOf("pools", where="first")] = "vigor"


class PoolTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point of a pool spent before a roll."""

    use: Literal["ignore", "bonus"] = "bonus"
    """Whether modifiers are set aside or the target rises by 20."""
    pool: Pool = ""
    """Pool; empty for the first that fits."""
    roll: str = ""
    """Key of the open roll; empty for the combatant's first."""


class OngoingTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Points for all skills of an aptitude, until the next recharge."""

    aptitude: Literal["cog", "int", "ref", "sav", "som", "wil"]
    points: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    pool: Pool = ""


class IgnoreTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point to ignore a wound or trauma until the next recharge."""

    what: Literal["wound", "trauma"] = "wound"
    pool: Pool = ""


class RechargeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A recharge of pools."""

    long: bool = False
    keep: dict[Pool, Annotated[int, msgspec.Meta(ge=0, le=30)]] = {}
    """Most points of a short recharge for each pool; others go to the emptiest pools."""


class ExplosionTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Harm that is not an attack: a blast where it landed, a fall, a fire."""

    caught: dict[str, Meters]
    """Victims, with their distance in meters from the center."""
    damage: Damage = "1d10"
    weapon: WeaponName = ""
    """A row of the weapons table, in place of all following fields; its traits have effect."""
    pierces: bool = False
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    half_armor: bool = False
    """Whether only half of the armor counts, as in a fall."""
    area: Literal["", "centered", "uniform"] = ""
    """Kind of blast, which can be dodged; empty for other harm, such as a fall or a fire."""
    radius: Meters = 0
    falloff: Annotated[int, msgspec.Meta(ge=2, le=20)] = 2
    edge: tuple[str, ...] = ()
    """Victims within a meter of the edge or of cover, who may dodge out of the area."""
    harms: Literal["damage", "stress"] = "damage"
    wounds: bool = True
    """Whether it can wound; suffocation cannot."""
    what: str = "an explosion"


class StressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stressful experience."""

    what: str
    """A row of the stressful experiences, or other words together with `sv`."""
    sv: Damage | None = None
    even_so: str = ""
    """Stress after a passed check, if `sv` is given: a number, ``half``, or empty for none."""
    category: Literal["", "alienation", "helplessness", "the unknown", "violence"] = ""
    modifier: Modifier = 0


class TreatTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Care for a patient."""

    who: str
    skill: str = ""
    """Skill; empty for medicine: paramedic, medicine: biotech for surgery, hardware: robotics for shells."""
    modifier: Modifier = 0
    hours: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """Hours that surgery takes."""


class WakeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Waking an unconscious combatant."""

    who: str
    stimulant: bool = False
    """Whether a drug is used, which needs no check."""


class RestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rest and recovery."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=24 * 366)]
    means: Annotated[str, RowOf("healing_rates")] = ""
    """Technology; empty for natural healing only."""
    conditions: Annotated[str, RowOf("healing_conditions")] = ""
    """Conditions that slow healing."""
