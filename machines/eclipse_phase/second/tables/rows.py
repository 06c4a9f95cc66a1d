"""The rows of the printed tables: what each line has."""

from collections.abc import Mapping
from typing import Literal

from machines.contract.tables import Row
from machines.eclipse_phase.second.sheet.sheet import Armor, DamageOrNone


class AttackKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a kind of attack is defended against."""

    name: str
    defense: Literal["fray", "half_fray", "will"]
    """What the target rolls."""
    parry: bool
    """May Melee defend?"""
    needs_range: bool
    by_som: bool = False
    """Is its range SOM in meters?"""
    minds: bool = False
    """Is it mind against mind?"""
    strikes: bool = False
    """Do size, reach and charging count?"""
    scatters: bool = False
    """Does a blast that misses land somewhere else?"""


class Range(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A band of distance."""

    name: str
    modifier: int
    upto: int | None = None
    """Meters; None: the weapon's range rating, or beyond it."""
    beyond: bool = False
    """Is it beyond the range rating, with the modifier for each multiple more?"""
    cone_dice: DamageOrNone = ""
    """Added to the damage of a cone."""
    less: DamageOrNone = ""
    """Taken from the damage of cones and kinetic weapons, but in vacuum."""
    cone_targets: int = 1


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A way to fire."""

    name: str
    code: str
    rounds: int
    """Rounds each attack uses."""
    targets: int = 1
    """How many one attack may be shared out to."""
    dice: DamageOrNone = ""
    """Added to the damage at one target."""
    aim: int = 0
    """To hit one target, in the place of the dice."""
    steady: bool = False
    """Can a Quick Action aim it?"""
    once: bool = False
    """Is there one shot in an Action Turn, whatever actions there are?"""
    suppresses: bool = False
    """Is it fired over an area and at nobody?"""


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A situational modifier."""

    name: str
    value: int
    applies: Literal["attack", "defense"] = "attack"
    kinds: tuple[str, ...] = ("melee", "ranged", "thrown", "placed", "psi")
    group: str = ""
    """Of the rows of one group only one counts."""
    damage: DamageOrNone = ""
    """Dice it adds to the damage."""
    automatic: bool = False
    """Does a rule apply it, so that nobody declares it?"""


class CombatSkill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill; one with fields is looked up by what stands before the colon."""

    name: str
    aptitude: Literal["", "cog", "int", "ref", "sav", "som", "wil"]
    """What it is linked to; empty where the gamemaster says."""
    physical: bool
    """Is it of the body?"""
    attacks: bool = False
    """Is it used to attack?"""
    default: bool = True
    """May the aptitude stand in for it?"""
    fields: bool = False
    base: int = 0
    """Where everybody has it: so many times its aptitude, and whoever has no more does not default."""


class CalledShot(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack meant to do something else than to hurt, or at a certain spot."""

    name: str
    modifier: int
    kinds: tuple[str, ...]
    does: Literal["bypass", "disarm", "floor", "push", "spot", "grapple"]
    spares: bool = False
    """Does it hurt only by a further superior success, or a critical?"""
    only: bool = False
    """Does a hit that falls short of it do nothing else?"""
    further: tuple[str, ...] = ()
    """What a further superior success may do beside adding to the damage."""


class WeaponTrait(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait of a weapon."""

    name: str
    effect: Literal["", "shock", "stun", "pain", "blinding", "entangling", "knockdown", "short_circuit", "fire"] = ""
    """The check that whoever is hit makes."""
    flesh: bool = False
    """Does it do that only to flesh?"""
    pierces: bool = False
    """Is armor halved?"""
    long: bool = False
    steady: bool = False
    """Do range modifiers not count?"""
    bonds: int = 0
    """Taken from the check to break out of it."""
    touch: bool = False
    aims: bool = True
    """Has it a smartlink?"""
    nearest: int = 0
    """Meters up to which it cannot be fired."""
    once: bool = False
    """Can it be used but once?"""
    fragile: bool = False
    """Does it break on a superior failure?"""


class WeaponRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon as printed; the columns are a weapon's on a sheet."""

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
    """A kind of ammunition: what it changes."""

    name: str
    fits: str
    """The weapons' word for what they fire."""
    dice: DamageOrNone = ""
    """Added to the damage."""
    less: DamageOrNone = ""
    """Taken from it."""
    half: bool = False
    none: bool = False
    """Is there no damage at all?"""
    only_flesh: bool = False
    """Do the dice and traits count only against flesh?"""
    traits: tuple[str, ...] = ()
    damage: DamageOrNone = ""
    """In the place of the weapon's, for what is a charge of its own."""
    armor: Literal["", "kinetic", "energy", "none"] = ""
    area: Literal["", "centered", "uniform"] = ""
    radius: int = 0
    within: int = 0
    """Meters from the center within which its traits work; 0: in all of it."""
    on_miss: DamageOrNone = ""
    """Damage of a plain miss."""
    homes: int = 0
    """To hit after an aim, or after an attack on the same target."""


class ArmorRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of armor."""

    name: str
    energy: Armor
    kinetic: Armor
    accessory: bool = False
    """Is it no layer of its own?"""
    frame: bool = False
    """Is it a shell's own, and so its first layer?"""


class Trait(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait, ware or a piece of gear with a figure in a fight."""

    name: str
    ignores_wounds: int = 0
    ignores_traumas: int = 0
    initiative: int = 0
    checks: Mapping[str, int] = {}
    """Modifiers to Aptitude Checks."""
    skills: Mapping[str, int] = {}
    """Modifiers to skills."""
    shock: int = 0
    """To the check against shock."""
    pain: int = 0
    """To the check against pain."""
    immune: tuple[str, ...] = ()
    """Weapon effects that do nothing to it."""
    stabilizes: bool = False
    """Does it stop bleeding by itself?"""
    pools: Mapping[str, int] = {}
    recharge: int = 0
    """Further points of a short recharge."""
    mental_armor: bool = False
    """WIL / 3 against psi."""
    hardened: tuple[str, ...] = ()
    """Kinds of stress that do nothing to it."""


class ConditionRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a condition does to whoever is in it."""

    name: str
    acts: Literal["all", "mental", "flee", "regain", "none"] = "all"
    """What they may still do."""
    defends: Literal["yes", "outsiders", "mind", "no"] = "yes"
    """Whether they may still defend: ``mind``, against psi only."""
    physical: int = 0
    """To physical tests."""
    mental: int = 0
    """To mental ones."""
    perceive: int = 0
    initiative: int = 0
    moves: Literal["all", "base", "none"] = "all"
    sightless: bool = False
    """Are attacks blind?"""
    out: bool = False
    """Are they out of the fight as long as it lasts?"""


class Critical(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a critical may lead to, beside what the rules say: the gamemaster rules."""

    name: str
    label: str
    befalls: Literal["winner", "loser", "nobody"]
    condition: str = ""
    level: int | None = None
    until: str = ""
    of_weapon: bool = False
    """Does it happen to the weapon?"""


class Response(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What acute stress, or confusion, makes somebody do: by the die."""

    name: str
    low: int
    high: int
    condition: str
    label: str
