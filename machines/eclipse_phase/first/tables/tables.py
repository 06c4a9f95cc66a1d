"""The printed tables as typed rows, by name."""

from collections.abc import Mapping
from typing import Literal

from machines.contract.tables import Book, Row, Ruling, load, load_named, load_sheets
from machines.eclipse_phase.first.sheet.sheet import Armor, Damage, Sheet

_HERE = "machines.eclipse_phase.first"


class AttackKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a kind of attack is defended against, and what it adds."""

    name: str
    defense: Literal["fray", "half_fray", "will"]
    """What the target rolls."""
    parry: bool
    """May a melee skill defend?"""
    adds: Literal["nothing", "som", "wil"]
    """What is added to the damage."""
    needs_range: bool
    minds: bool = False
    """Is it mind against mind, where criticals lock out and lash back?"""


class Range(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A band of distance."""

    name: str
    modifier: int
    cone_dice: str = ""
    """Added to the damage of a cone weapon."""
    cone_less: str = ""
    """Taken from it."""
    cone_targets: int = 1


class WeaponRange(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a class of weapons reaches, in meters; for what is thrown, in parts of SOM."""

    name: str
    short: str
    medium: str
    long: str
    extreme: str
    som: bool = False
    least: int = 0
    """Meters below which it cannot be used."""
    gravity: Literal["kinetic", "beam"] = "kinetic"
    """What falls is subject to gravity; a beam is not."""


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A way to fire."""

    name: str
    code: str
    attacks: int
    """How many attacks one Complex Action gives."""
    rounds: int
    """Rounds each attack uses."""
    targets: int = 1
    """How many one attack may be shared out to."""
    extra: Literal["", "burst_dice", "full_auto_dice"] = ""
    """The profile's field with the dice it adds at one target."""
    aim: Literal["", "burst_aim", "full_auto_aim"] = ""
    """The profile's field with what it adds to hit in their place."""
    suppresses: bool = False
    """Is it fired over an area and at nobody?"""


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A situational modifier."""

    name: str
    value: int
    applies: Literal["attack", "defense"] = "attack"
    kinds: tuple[str, ...] = ("melee", "ranged", "thrown", "psi")
    group: str = ""
    """Of the rows of one group only one counts."""
    damage: str = ""
    """Dice it adds to the damage."""
    automatic: bool = False
    """Does a rule apply it, so that nobody declares it?"""
    interrupting: bool = False
    """Only for a delayed action that interrupts."""


class CombatSkill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill and what stands in for it."""

    name: str
    aptitude: str
    melee: bool = False
    """Can it parry?"""
    attacks: bool = True
    """Is it used to attack?"""


class CalledShot(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack meant to do something else than to hurt, or at a certain spot."""

    name: str
    modifier: int
    margin: int
    """Of success, from which on it does so."""
    kinds: tuple[str, ...]
    does: Literal["bypass", "disarm", "spot", "push", "floor", "hold"]
    harmless: bool = False
    """Does it hurt only by a critical success?"""
    disarms: bool = False
    """Is its spot a weapon of the target's?"""
    spares: bool = False
    """May the attacker choose not to hurt even then?"""


class WeaponRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon as printed; the columns are a weapon's on a sheet."""

    name: str
    kind: str
    skill: str
    damage: Damage
    ap: int = 0
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    harms: Literal["damage", "stress"] = "damage"
    modes: tuple[str, ...] = ()
    ammo: int | None = None
    range_class: str = ""
    cone: bool = False
    area: Literal["", "blast", "uniform"] = ""
    radius: int = 0
    beam: bool = False
    shock: bool = False
    touch: bool = False
    strain: int | None = None
    two_handed: bool = False
    reach: bool = False
    no_som: bool = False


class ArmorRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of armor."""

    name: str
    energy: Armor
    kinetic: Armor
    accessory: bool = False
    """Is it no layer of its own?"""
    frame: bool = False
    """Is it a synthetic body's own?"""


class Ammunition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of ammunition: what it changes."""

    name: str
    ap: int = 0
    damage: str = ""
    half: bool = False
    armor: Literal["", "kinetic", "energy", "none"] = ""
    shock: bool = False


class Trait(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait, an implant or a piece of gear with a figure in a fight."""

    name: str
    ignores_wounds: int = 0
    ignores_traumas: int = 0
    doubles_wounds: bool = False
    offhand: bool = False
    """Does the off-hand modifier not count?"""
    initiative: int = 0
    speed: int = 0
    shock: int = 0
    stops_bleeding: bool = False


class Consequence(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a defender's critical success may lead to."""

    name: str
    label: str


class Gravity(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What weight does to movement."""

    name: str
    upto: int
    """Percent of Earth's gravity, up to which the row holds."""
    walk: str
    """What the rates are multiplied by."""
    run: str
    skill: str
    """What acrobatics are rolled with."""
    weightless: bool = False


class Experience(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that shakes the mind."""

    name: str
    sv: Damage


class Derangement(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a trauma leads to."""

    name: str
    level: Literal["minor", "moderate", "major", "disorder"]


class HealingRate(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How fast a body heals."""

    name: str
    hours: int
    """For 1d10 damage."""
    wound_hours: int
    """For a wound, once there is no other damage."""
    shells: bool = False
    """Does it mend shells?"""
    only_shells: bool = False


class HealingCondition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What slows healing."""

    name: str
    times: int
    wounds: bool
    """Do wounds heal at all?"""


class Morph(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body."""

    name: str
    type: Literal["biomorph", "pod", "synthmorph"]
    durability: int
    wound_threshold: int
    death_rating: int
    aptitude_maximum: int
    som_maximum: int = 0
    size: str = ""
    speed: int = 0
    movement: tuple[int, int] = (4, 20)
    mobility: tuple[str, ...] = ()
    energy: int = 0
    kinetic: int = 0
    armor: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()


class Object(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A thing that can be broken."""

    name: str
    armor: int
    durability: int
    wound_threshold: int


class Fall(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How hard one falls."""

    name: str
    from_meters: int
    to_meters: int | None = None
    damage: Damage
    per_meter: int = 0


BOOKS = load(_HERE, "books.toml", Book, "book")
RULINGS = load(_HERE, "rulings.toml", Ruling, "ruling")
ATTACK_KINDS = load_named(_HERE, "attack_kinds", AttackKind)
RANGES = load_named(_HERE, "ranges", Range)
WEAPON_RANGES = load_named(_HERE, "weapon_ranges", WeaponRange)
FIRING_MODES = load_named(_HERE, "firing_modes", FiringMode)
SITUATIONS = load_named(_HERE, "modifiers", Situation)
SKILLS = load_named(_HERE, "skills", CombatSkill)
CALLED_SHOTS = load_named(_HERE, "called_shots", CalledShot)
WEAPONS = load_named(_HERE, "weapons", WeaponRow)
ARMOR = load_named(_HERE, "armor", ArmorRow)
AMMUNITION = load_named(_HERE, "ammunition", Ammunition)
TRAITS = load_named(_HERE, "traits", Trait)
MISHAPS = load_named(_HERE, "mishaps", Consequence)
BENEFITS = load_named(_HERE, "benefits", Consequence)
GRAVITIES = load_named(_HERE, "gravity", Gravity)
EXPERIENCES = load_named(_HERE, "stressful_experiences", Experience)
DERANGEMENTS = load_named(_HERE, "derangements", Derangement)
HEALING_RATES = load_named(_HERE, "healing_rates", HealingRate)
HEALING_CONDITIONS = load_named(_HERE, "healing_conditions", HealingCondition)
MORPHS = load_named(_HERE, "morphs", Morph)
OBJECTS = load_named(_HERE, "objects", Object)
FALLS = load_named(_HERE, "falling", Fall)
SHEETS = load_sheets(_HERE, "sheets.toml", Sheet)
"""Ready ones, to try the game with."""

TABLES: Mapping[str, Mapping[str, Row]] = {
    "ammunition": AMMUNITION,
    "armor": ARMOR,
    "attack_kinds": ATTACK_KINDS,
    "benefits": BENEFITS,
    "called_shots": CALLED_SHOTS,
    "derangements": DERANGEMENTS,
    "falling": FALLS,
    "firing_modes": FIRING_MODES,
    "gravity": GRAVITIES,
    "healing_conditions": HEALING_CONDITIONS,
    "healing_rates": HEALING_RATES,
    "mishaps": MISHAPS,
    "morphs": MORPHS,
    "objects": OBJECTS,
    "modifiers": SITUATIONS,
    "ranges": RANGES,
    "skills": SKILLS,
    "stressful_experiences": EXPERIENCES,
    "traits": TRAITS,
    "weapon_ranges": WEAPON_RANGES,
    "weapons": WEAPONS,
}
"""All of them, as `affray rules eclipse_phase_1e` prints them."""
