"""What a declaration says; published by `affray rules eclipse_phase_2e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.second.sheet.sheet import Damage, Weapon, WeaponName

Meters = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Modifier = Annotated[int, msgspec.Meta(ge=-60, le=60)]
Range = Annotated[str, RowOf("ranges")]
Pool = Annotated[str, RowOf("pools")]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What every declaration is made of."""


class NoTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Nothing more to say."""


class AttackTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Step 1: whom, with what, how."""

    at: str | tuple[str, ...]
    """The target; several where the weapon, the firing mode, melee or a pushed sleight reaches them."""
    using: str | Weapon
    """A weapon's name on the sheet, or a whole weapon."""
    mode: Annotated[str, RowOf("firing_modes")] = ""
    """A firing mode; left out: the weapon's usual one."""
    range: Range = ""
    """Left out: by the distance, or ``close``."""
    distance: Meters | None = None
    """In meters."""
    modifiers: tuple[Annotated[str, RowOf("modifiers")], ...] = ()
    """Those that hold."""
    surprised: bool = False
    """Is the target surprised, and so without defense?"""
    called: Annotated[str, RowOf("called_shots")] = ""
    """A called shot; a grapple is one."""
    spot: str = ""
    """What a called shot is aimed at, in words; for a disarming one, the weapon."""
    perilous: bool = False
    """Is there an edge, traffic or the like where a redirected target would end?"""
    blind: bool = False
    """Is the target out of sight? A Perceive Test comes first."""
    bonus: Literal["damage", "aim"] = "damage"
    """What concentrated fire or an aggressive attack adds to: the damage, or the roll to hit."""
    aggressive: bool = False
    """An all-out blow, at the price of one's own Fray."""
    strike: bool = False
    """Is a weapon that only needs to touch meant to hurt, too?"""
    extra_weapons: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Further melee weapons, or pairs of limbs, that strike in the same attack."""
    also: tuple[str, ...] = ()
    """Further ranged weapons, in other hands, fired at the same target with the same Complex Action."""
    ammunition: Annotated[str, RowOf("ammunition")] = ""
    caught: dict[str, Meters] = {}
    """Who else stands in a blast, and how many meters from its center."""
    edge: tuple[str, ...] = ()
    """Who of those in an area is within a meter of its edge, or of cover."""
    radius: Meters | None = None
    """A uniform blast, made smaller than it could be."""
    falloff: Annotated[int, msgspec.Meta(ge=2, le=20)] = 2
    """What a centered blast loses with each meter."""
    push: Literal["", "range", "power", "penetration", "target"] = ""
    """How a sleight is pushed."""


class QuickTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Quick Action, in words."""

    what: str = "does something quick"
    stand: bool = False
    """Does it bring somebody prone to their feet?"""


class ComplexTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another Complex Action, in words."""

    what: str = "does something that takes the whole turn"
    regain: bool = False
    """Does it bring somebody disoriented back to their wits?"""
    repair: str = ""
    """A condition of one's own weapon that it puts right, such as ``pistol_broken``."""
    extinguish: str = ""
    """Somebody on fire, who is put out."""
    mental: bool = False
    """Is it of the mind, or of the mesh?"""


class TaskTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Task Action, in words; each Action Turn of it is declared."""

    what: str
    turns: Annotated[int, msgspec.Meta(ge=2, le=100_000)]
    """Action Turns that it takes."""
    mental: bool = False


class FullDefenseTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Full defense, of the body or of the mind."""

    mental: bool = False


class AimTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Aiming at somebody."""

    at: str
    complex: bool = False
    """For a whole Complex Action, until the next action, rather than a Quick one?"""


class ReloadTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A new magazine, or a battery."""

    weapon: str


class MoveTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moving."""

    how: Literal["base", "full", "rush", "other", "drop"] = "base"
    """``other`` is a way that is not the body's own: climbing, swimming, crawling; ``drop`` is to the ground."""
    way: str = ""
    """A type of movement on the sheet; left out: walking, or the first there is."""
    meters: Meters | None = None
    """How far; left out, as far as it goes."""


class SuppressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Suppressive fire over an area."""

    using: str
    area: str = ""


class SuppressedTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What hits somebody who leaves cover under suppressive fire: its one roll, made with the first of them."""

    at: str
    range: Range = ""
    distance: Meters | None = None


class BreakFreeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Breaking out of a hold, or out of what entangles."""

    using: Literal["melee", "som"] = "melee"


class HoldTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Keeping hold of somebody."""

    do: Literal["", "choke", "damage", "knockdown", "move"] = ""
    using: str = "unarmed"
    """With what they are hurt."""


class TakeInitiativeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Going first, for a point of a pool."""

    pool: Annotated[str, RowOf("pools", where="first")] = "vigor"


class PoolTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point before the roll."""

    use: Literal["ignore", "bonus"] = "bonus"
    """Setting modifiers aside, or +20."""
    pool: Pool = ""
    """Left out: the first that fits."""
    roll: str = ""
    """The key of the open roll; left out, one's own first."""


class OngoingTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Points for all skills of an aptitude, until the next recharge."""

    aptitude: Literal["cog", "int", "ref", "sav", "som", "wil"]
    points: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    pool: Pool = ""


class IgnoreTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point so that a wound, or a trauma, does not count until the next recharge."""

    what: Literal["wound", "trauma"] = "wound"
    pool: Pool = ""


class RechargeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Getting points back."""

    long: bool = False
    keep: dict[Pool, Annotated[int, msgspec.Meta(ge=0, le=30)]] = {}
    """Where the points of a short recharge go, at the most; left out: the emptiest pools first."""


class ExplosionTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Harm that nobody aims: a blast where it landed, a fall, a fire."""

    caught: dict[str, Meters]
    """Who, and how many meters from the center."""
    damage: Damage = "1d10"
    weapon: WeaponName = ""
    """A row of the weapons table, in the place of all that follows: it can be dodged, and does what it does beside."""
    pierces: bool = False
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    half_armor: bool = False
    """Does only half of the armor count, as in a fall?"""
    area: Literal["", "centered", "uniform"] = ""
    radius: Meters = 0
    falloff: Annotated[int, msgspec.Meta(ge=2, le=20)] = 2
    edge: tuple[str, ...] = ()
    """Who is within a meter of its edge, or of cover, so that they may dodge clear of it."""
    harms: Literal["damage", "stress"] = "damage"
    wounds: bool = True
    """Can it wound? Suffocation does not."""
    what: str = "an explosion"


class StressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that shakes the mind."""

    what: str
    """A row of the stressful experiences, or other words with `sv`."""
    sv: Damage | None = None
    even_so: str = ""
    """Stress of whoever passes, where `sv` is given: a number, ``half``, or nothing."""
    category: Literal["", "alienation", "helplessness", "the unknown", "violence"] = ""
    modifier: Modifier = 0


class TreatTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Care for somebody."""

    who: str
    skill: str = ""
    """Left out: medicine: paramedic, medicine: biotech for surgery, hardware: robotics for shells."""
    modifier: Modifier = 0
    hours: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """That surgery takes."""


class WakeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Bringing round somebody unconscious."""

    who: str
    stimulant: bool = False
    """Is it done with a drug, which needs no check?"""


class RestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Recovery in time."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=24 * 366)]
    means: Annotated[str, RowOf("healing_rates")] = ""
    """Left out: only what the body does by itself."""
    conditions: Annotated[str, RowOf("healing_conditions")] = ""
    """What slows it."""
