"""Rows of the printed tables."""

from collections.abc import Mapping
from typing import Literal

from machines.contract.tables import Row
from machines.eclipse_phase.second.sheet.sheet import Armor, DamageOrNone


class AttackKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of attack and its defense."""

    name: str
    defense: Literal["fray", "half_fray", "will"]
    """What the target rolls."""
    parry: bool
    """Whether Melee can defend."""
    needs_range: bool
    by_som: bool = False
    """Whether its range is SOM in meters."""
    minds: bool = False
    """Whether it is mental combat."""
    strikes: bool = False
    """Whether size, reach and charging count."""
    scatters: bool = False
    """Whether a blast that misses scatters."""


class Range(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A range band."""

    name: str
    modifier: int
    upto: int | None = None
    """Upper limit in meters; None for the weapon's range rating or beyond it."""
    beyond: bool = False
    """Whether it is beyond the range rating, with the modifier for each multiple."""
    cone_dice: DamageOrNone = ""
    """Dice added to the damage of a cone."""
    less: DamageOrNone = ""
    """Dice subtracted from the damage of cones and kinetic weapons outside a vacuum."""
    cone_targets: int = 1


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A firing mode."""

    name: str
    code: str
    rounds: int
    """Rounds for each attack."""
    targets: int = 1
    """Targets among which one attack can be divided."""
    dice: DamageOrNone = ""
    """Dice added to the damage at one target."""
    aim: int = 0
    """Bonus to hit one target, in place of the dice."""
    steady: bool = False
    """Whether a Quick Action can aim it."""
    once: bool = False
    """Whether it fires only one shot in an Action Turn."""
    suppresses: bool = False
    """Whether it is fired over an area instead of at targets."""


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A situational modifier."""

    name: str
    value: int
    applies: Literal["attack", "defense"] = "attack"
    kinds: tuple[str, ...] = ("melee", "ranged", "thrown", "placed", "psi")
    group: str = ""
    """Group of rows of which only one counts."""
    damage: DamageOrNone = ""
    """Dice added to the damage."""
    automatic: bool = False
    """Whether a rule applies it, so that it is not declared."""


class CombatSkill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill; one with fields is looked up by the part before the colon."""

    name: str
    aptitude: Literal["", "cog", "int", "ref", "sav", "som", "wil"]
    """Linked aptitude; empty if the gamemaster decides."""
    physical: bool
    """Whether it is physical."""
    attacks: bool = False
    """Whether it is used to attack."""
    default: bool = True
    """Whether the aptitude can replace it."""
    fields: bool = False
    base: int = 0
    """Factor on the aptitude of a skill that everyone has and that is never defaulted; 0 for other skills."""


class CalledShot(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack with another purpose than harm, or at a certain spot."""

    name: str
    modifier: int
    kinds: tuple[str, ...]
    does: Literal["bypass", "disarm", "floor", "push", "spot", "grapple"]
    spares: bool = False
    """Whether it hurts only by a further superior success or a critical."""
    only: bool = False
    """Whether a hit without a superior success has no effect."""
    further: tuple[str, ...] = ()
    """Uses of a further superior success other than damage."""


class WeaponTrait(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait of a weapon."""

    name: str
    effect: Literal["", "shock", "stun", "pain", "blinding", "entangling", "knockdown", "short_circuit", "fire"] = ""
    """Check that the target makes."""
    flesh: bool = False
    """Whether the effect works only on flesh."""
    pierces: bool = False
    """Whether armor is halved."""
    long: bool = False
    steady: bool = False
    """Whether range modifiers do not count."""
    bonds: int = 0
    """Modifier subtracted from the check to break free."""
    touch: bool = False
    aims: bool = True
    """Whether it has a smartlink."""
    nearest: int = 0
    """Meters up to which it cannot be fired."""
    once: bool = False
    """Whether it can be used only once."""
    fragile: bool = False
    """Whether it breaks on a superior failure."""
    reach: int = 0
    """How much longer than other weapons it is, as a modifier."""


class WeaponRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A printed weapon; its columns are those of a weapon on a sheet."""

    name: str
    kind: str
    skill: str
    damage: DamageOrNone = ""
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    harms: Literal["damage", "stress"] = "damage"
    modes: tuple[str, ...] = ()
    ammo: int | None = None
    chamber: int = 0
    range: int | None = None
    gravity: bool = True
    area: Literal["", "cone", "centered", "uniform"] = ""
    radius: int = 0
    within: int = 0
    traits: tuple[str, ...] = ()
    fires: str = ""
    load: str = ""
    action: Literal["complex", "quick"] = "complex"
    infection: int = 0
    innate: bool = False


class Ammunition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of ammunition and its changes to a weapon."""

    name: str
    fits: str
    """Value of `fires` of the weapons that use it."""
    dice: DamageOrNone = ""
    """Dice added to the damage."""
    less: DamageOrNone = ""
    """Dice subtracted from the damage."""
    half: bool = False
    none: bool = False
    """Whether there is no damage."""
    only_flesh: bool = False
    """Whether the dice and traits count only against flesh."""
    traits: tuple[str, ...] = ()
    damage: DamageOrNone = ""
    """Damage in place of the weapon's, for warheads."""
    armor: Literal["", "kinetic", "energy", "none"] = ""
    area: Literal["", "centered", "uniform"] = ""
    radius: int = 0
    within: int = 0
    """Meters from the center within which its traits work; 0 for all of it."""
    on_miss: DamageOrNone = ""
    """Damage of a plain miss."""
    homes: int = 0
    """Bonus to hit after an aim, or after an attack on the same target."""


class ArmorRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of armor."""

    name: str
    energy: Armor
    kinetic: Armor
    accessory: bool = False
    """Whether it does not count as a layer."""
    frame: bool = False
    """Whether it is the frame of a shell, its first layer."""


class Trait(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait, ware or piece of gear with an effect in a fight."""

    name: str
    ignores_wounds: int = 0
    ignores_traumas: int = 0
    initiative: int = 0
    checks: Mapping[str, int] = {}
    """Modifiers to Aptitude Checks."""
    skills: Mapping[str, int] = {}
    """Modifiers to skills."""
    shock: int = 0
    """Modifier to the check against shock."""
    pain: int = 0
    """Modifier to the check against pain."""
    immune: tuple[str, ...] = ()
    """Weapon effects to which it makes immune."""
    stabilizes: bool = False
    """Whether it stops bleeding by itself."""
    pools: Mapping[str, int] = {}
    recharge: int = 0
    """Further points of a short recharge."""
    mental_armor: bool = False
    """Whether it adds WIL / 3 against psi."""
    hardened: tuple[str, ...] = ()
    """Kinds of stress to which it hardens."""


class ConditionRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Effects of a condition."""

    name: str
    acts: Literal["all", "mental", "flee", "regain", "none"] = "all"
    """Actions that it still allows."""
    defends: Literal["yes", "outsiders", "mind", "no"] = "yes"
    """Defenses that it still allows; ``mind``: only against psi."""
    physical: int = 0
    """Modifier to physical tests."""
    mental: int = 0
    """Modifier to mental tests."""
    perceive: int = 0
    initiative: int = 0
    moves: Literal["all", "base", "none"] = "all"
    sightless: bool = False
    """Whether attacks are blind."""
    out: bool = False
    """Whether it puts a combatant out of the fight while it lasts."""


class Critical(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A possible effect of a critical beyond the rules, chosen by the gamemaster."""

    name: str
    label: str
    befalls: Literal["winner", "loser", "nobody"]
    condition: str = ""
    level: int | None = None
    until: str = ""
    of_weapon: bool = False
    """Whether it affects the weapon."""


class Response(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A result of acute stress or confusion, by the die."""

    name: str
    low: int
    high: int
    condition: str
    label: str
