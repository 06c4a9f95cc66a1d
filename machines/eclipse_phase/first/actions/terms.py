"""What a declaration says; published by `affray rules eclipse_phase_1e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.first.sheet.sheet import Damage, Weapon, WeaponName

Meters = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Range = Annotated[str, RowOf("ranges")]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What every declaration is made of."""


class NoTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Nothing more to say."""


class AttackTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Step 1: whom, with what, how."""

    at: str | tuple[str, ...]
    """The target; several where the weapon, the firing mode or melee reaches them."""
    using: str | Weapon
    """A weapon's name on the sheet, or a whole weapon."""
    mode: Annotated[str, RowOf("firing_modes")] = ""
    """A firing mode; left out: the weapon's usual one."""
    range: Range = ""
    """Left out: by the distance, or ``short``."""
    distance: Meters | None = None
    """In meters, for a weapon with a range class, and for psi."""
    modifiers: tuple[Annotated[str, RowOf("modifiers")], ...] = ()
    """Those that hold."""
    surprised: bool = False
    """Is the target surprised, and so without defense?"""
    called: Annotated[str, RowOf("called_shots")] = ""
    spot: str = ""
    """What a called shot is aimed at, in words."""
    blind: bool = False
    """Is the target out of sight? A Perception Test comes first."""
    bonus: Literal["damage", "aim"] = "damage"
    """What a burst or full automatic fire at one target adds to, where the printing lets one choose."""
    extra_weapons: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Further melee weapons that strike in the same attack."""
    also: tuple[str, ...] = ()
    """Further ranged weapons, in other hands, fired at the same target with the same Complex Action."""
    ammunition: Annotated[str, RowOf("ammunition")] = ""
    caught: dict[str, Meters] = {}
    """Who else stands in a blast, and how many meters from its center."""


class QuickTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Quick Action, in words."""

    what: str = "does something quick"
    stand: bool = False
    """Does it bring somebody prone to their feet?"""


class ComplexTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another Complex Action, in words."""

    what: str = "does something that takes the whole phase"
    regain: bool = False
    """Does it bring somebody disoriented back to their wits?"""
    repair: str = ""
    """A condition of one's own weapon that it puts right, such as ``pistol_jammed``."""


class TaskTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Task Action, in words; each Action Phase of it is declared."""

    what: str
    turns: Annotated[int, msgspec.Meta(ge=2, le=100_000)]
    """Action Turns that it takes."""


class FullDefenseTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Full defense, of the body or of the mind."""

    mental: bool = False


class AimTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Aiming at somebody."""

    at: str
    complex: bool = False
    """For a whole Complex Action, until the next Action Phase, rather than a Quick one?"""


class ReloadTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A new magazine, or a battery."""

    weapon: str
    quick: bool = False
    """Is the new one at hand, so that a Quick Action is enough?"""


class MoveTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moving."""

    how: Literal["walk", "run", "sprint", "swim", "crawl"] = "walk"
    meters: Meters | None = None
    """How far; left out, as far as the phase allows."""


class SuppressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Suppressive fire over an area."""

    using: str
    area: str = ""


class SuppressedTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The one free attack on somebody who leaves cover under suppressive fire."""

    at: str
    range: Range = ""
    distance: Meters | None = None


class BreakFreeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Breaking out of a hold."""

    by: Literal["unarmed combat", "som"] = "unarmed combat"


class MoxieTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moxie before the roll, to set modifiers aside."""

    roll: str = ""
    """The key of the open roll; left out, one's own first."""


class ExplosionTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Harm that nobody aims: a blast where it landed, a fall, a fire."""

    caught: dict[str, Meters]
    """Who, and how many meters from the center."""
    damage: Damage = "1d10"
    weapon: WeaponName = ""
    """A row of the weapons table, in the place of all that follows."""
    ap: Annotated[int, msgspec.Meta(le=0)] = 0
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    half_armor: bool = False
    """Does only half of the armor count, as in a fall?"""
    area: Literal["", "blast", "uniform"] = ""
    radius: Meters = 0
    harms: Literal["damage", "stress"] = "damage"
    wounds: bool = True
    """Can it wound? Suffocation does not."""
    what: str = "an explosion"


class StressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that shakes the mind."""

    what: str
    """A row of the stressful experiences, or other words with `sv`."""
    sv: Damage | None = None
    modifier: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0


class TreatTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Medical care, surgery or repair of somebody."""

    who: str
    skill: str = ""
    """Left out: medicine, or hardware for a synthmorph."""
    modifier: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0
    hours: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """That surgery takes."""


class RestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Healing in time."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=24 * 366)]
    means: Annotated[str, RowOf("healing_rates")] = "basic biomods"
    conditions: Annotated[str, RowOf("healing_conditions")] = ""
    """What slows it."""


class TherapyTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Psychotherapy of somebody."""

    who: str
    skill: str = "psychology"
    modifier: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0
    psychosurgery: bool = False
    """Was there psychosurgery, which makes it easier?"""
    disorders: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """That the patient has."""


class ReflectTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A month in which the mind heals by itself; for a disorder, three."""

    heal: Literal["stress", "trauma", "disorder"] = "stress"
