"""Terms of declarations; published by `affray rules eclipse_phase_1e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.first.sheet.sheet import Damage, Weapon, WeaponName

Meters = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Range = Annotated[str, RowOf("ranges")]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of all terms."""


class NoTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A declaration without terms."""


class AttackTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Step 1: the target, the weapon, and how it is used."""

    at: str | tuple[str, ...]
    """The target, or several targets that the weapon, the firing mode or a melee attack reaches."""
    using: str | Weapon
    """The name of a weapon on the sheet, or the figures of another."""
    mode: Annotated[str, RowOf("firing_modes")] = ""
    """Firing mode; empty for the weapon's first."""
    range: Range = ""
    """Range band; empty to use the distance, or ``short``."""
    distance: Meters | None = None
    """Distance in meters, for a weapon with a range class and for psi."""
    modifiers: tuple[Annotated[str, RowOf("modifiers")], ...] = ()
    """Circumstances: rows of the modifiers table."""
    surprised: bool = False
    """Whether the target is surprised and cannot defend."""
    called: Annotated[str, RowOf("called_shots")] = ""
    spot: str = ""
    """What a called shot is aimed at, in words."""
    blind: bool = False
    """Whether the target is out of sight; a Perception Test comes first."""
    bonus: Literal["damage", "aim"] = "damage"
    """What a burst or full automatic fire at one target adds to, if the printing offers the choice."""
    extra_weapons: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Further melee weapons used in the same attack."""
    also: tuple[str, ...] = ()
    """Further ranged weapons, in other hands, fired at the same target in the same Complex Action."""
    related: str = ""
    """Attack skill of the sheet that is used at -30 in place of a missing one; empty for the linked aptitude."""
    ammunition: Annotated[str, RowOf("ammunition")] = ""
    caught: dict[str, Meters] = {}
    """Others caught in a blast, with their distance in meters from its center."""


class QuickTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Quick Action, in words."""

    what: str = "does something quick"
    stand: bool = False
    """Whether it makes a prone combatant stand up."""


class ComplexTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Complex Action other than an attack, in words."""

    what: str = "does something that takes the whole phase"
    regain: bool = False
    """Whether it ends disorientation."""
    repair: str = ""
    """Condition of the combatant's own weapon that it repairs, such as ``pistol_jammed``."""


class TaskTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Task Action, in words; declared in each of its Action Phases."""

    what: str
    turns: Annotated[int, msgspec.Meta(ge=2, le=100_000)]
    """Action Turns that the task takes."""


class FullDefenseTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Full defense of body or mind."""

    mental: bool = False


class AimTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Aiming at a target."""

    at: str
    complex: bool = False
    """Whether aiming takes a Complex Action and lasts until the next Action Phase, rather than a Quick Action."""


class ReloadTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Loading a new magazine or battery."""

    weapon: str
    quick: bool = False
    """Whether the new magazine is at hand, so that a Quick Action suffices."""


class MoveTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moving."""

    how: Literal["walk", "run", "sprint", "swim", "crawl"] = "walk"
    meters: Meters | None = None
    """Distance; None for the maximum of the phase."""


class SuppressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Suppressive fire over an area."""

    using: str
    area: str = ""


class SuppressedTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack on a combatant who leaves cover under suppressive fire."""

    at: str
    range: Range = ""
    distance: Meters | None = None


class BreakFreeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Breaking free from a hold."""

    by: Literal["unarmed combat", "som"] = "unarmed combat"


class MoxieTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moxie spent before a roll to set modifiers aside."""

    roll: str = ""
    """Key of the open roll; empty for the combatant's first."""


class ExplosionTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Harm that is not an attack: a blast where it landed, a fall, a fire."""

    caught: dict[str, Meters]
    """Victims, with their distance in meters from the center."""
    damage: Damage = "1d10"
    weapon: WeaponName = ""
    """A row of the weapons table, in place of all following fields."""
    ap: Annotated[int, msgspec.Meta(le=0)] = 0
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    half_armor: bool = False
    """Whether only half of the armor counts, as in a fall."""
    area: Literal["", "blast", "uniform"] = ""
    radius: Meters = 0
    harms: Literal["damage", "stress"] = "damage"
    wounds: bool = True
    """Whether it can wound; suffocation cannot."""
    what: str = "an explosion"


class StressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stressful experience."""

    what: str
    """A row of the stressful experiences, or other words together with `sv`."""
    sv: Damage | None = None
    modifier: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0


class TreatTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Medical care, surgery or repair."""

    who: str
    skill: str = ""
    """Skill; empty for medicine, or hardware for a synthmorph."""
    modifier: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0
    hours: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """Hours that surgery takes."""


class RestTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rest and natural healing."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=24 * 366)]
    means: Annotated[str, RowOf("healing_rates")] = "basic biomods"
    conditions: Annotated[str, RowOf("healing_conditions")] = ""
    """Conditions that slow healing."""


class TherapyTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Psychotherapy."""

    who: str
    skill: str = "psychology"
    modifier: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0
    psychosurgery: bool = False
    """Whether psychosurgery made it easier."""
    disorders: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """Number of the patient's disorders."""


class ReflectTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A month in which the mind heals by itself; three for a disorder."""

    heal: Literal["stress", "trauma", "disorder"] = "stress"
