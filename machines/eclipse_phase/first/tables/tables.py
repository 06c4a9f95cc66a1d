"""The printed tables as typed rows, by name."""

from collections.abc import Mapping
from typing import Literal

from machines.contract.tables import Book, Row, Ruling, load, load_named, load_sheets
from machines.eclipse_phase.first.sheet.sheet import Armor, Damage, Sheet

_HERE = "machines.eclipse_phase.first"


class AttackKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of attack: its defense and what it adds."""

    name: str
    defense: Literal["fray", "half_fray", "will"]
    """What the target rolls."""
    parry: bool
    """Whether a melee skill can defend."""
    adds: Literal["nothing", "som", "wil"]
    """Aptitude added to the damage."""
    needs_range: bool
    minds: bool = False
    """Whether it is mental combat, where criticals lock out and incapacitate."""


class Range(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A range band."""

    name: str
    modifier: int
    cone_dice: str = ""
    """Dice added to the damage of a cone weapon."""
    cone_less: str = ""
    """Dice subtracted from the damage of a cone weapon."""
    cone_targets: int = 1


class WeaponRange(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ranges of a class of weapons in meters; of thrown weapons, in multiples of SOM."""

    name: str
    short: str
    medium: str
    long: str
    extreme: str
    som: bool = False
    least: int = 0
    """Minimum range in meters."""
    gravity: Literal["kinetic", "beam"] = "kinetic"
    """Whether gravity changes the range."""


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A firing mode."""

    name: str
    code: str
    attacks: int
    """Attacks in one Complex Action."""
    rounds: int
    """Rounds for each attack."""
    targets: int = 1
    """Targets among which one attack can be divided."""
    extra: Literal["", "burst_dice", "full_auto_dice"] = ""
    """Profile field of the dice added at one target."""
    aim: Literal["", "burst_aim", "full_auto_aim"] = ""
    """Profile field of the bonus to hit in their place."""
    suppresses: bool = False
    """Whether it is fired over an area instead of at targets."""


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A situational modifier."""

    name: str
    value: int
    applies: Literal["attack", "defense"] = "attack"
    kinds: tuple[str, ...] = ("melee", "ranged", "thrown", "psi")
    group: str = ""
    """Group of rows of which only one counts."""
    damage: str = ""
    """Dice added to the damage."""
    automatic: bool = False
    """Whether a rule applies it, so that it is not declared."""
    interrupting: bool = False
    """Whether it requires a delayed action that interrupts."""


class CombatSkill(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A skill and its linked aptitude."""

    name: str
    aptitude: str
    melee: bool = False
    """Whether it can parry."""
    attacks: bool = True
    """Whether it is used to attack."""


class CalledShot(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack with another purpose than harm, or at a certain spot."""

    name: str
    modifier: int
    margin: int
    """Margin of Success that it requires."""
    kinds: tuple[str, ...]
    does: Literal["bypass", "disarm", "spot", "push", "floor", "hold"]
    harmless: bool = False
    """Whether it hurts only by a critical success."""
    disarms: bool = False
    """Whether its spot is a weapon of the target."""
    spares: bool = False
    """Whether the attacker may choose not to hurt even by a critical success."""


class WeaponRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A printed weapon; its columns are those of a weapon on a sheet."""

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
    adds_wil: bool = False


class ArmorRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of armor."""

    name: str
    energy: Armor
    kinetic: Armor
    accessory: bool = False
    """Whether it does not count as a layer."""
    frame: bool = False
    """Whether it is the frame of a synthetic body."""


class Ammunition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of ammunition and its changes to a weapon."""

    name: str
    ap: int = 0
    damage: str = ""
    half: bool = False
    armor: Literal["", "kinetic", "energy", "none"] = ""
    shock: bool = False


class Trait(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait, implant or piece of gear with an effect in a fight."""

    name: str
    ignores_wounds: int = 0
    ignores_traumas: int = 0
    doubles_wounds: bool = False
    offhand: bool = False
    """Whether it cancels the off-hand modifier."""
    initiative: int = 0
    speed: int = 0
    shock: int = 0


class Consequence(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A possible effect of a defender's critical success."""

    name: str
    label: str
    unarmed: bool = False
    """Whether it is offered only if the attack was unarmed."""
    spoils: bool = True
    """Whether it makes a weapon unusable."""
    condition: Literal["", "in_cover", "superior_position"] = ""
    """Condition of the defender, if the profile makes benefits conditions."""


class Gravity(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Effect of gravity on movement."""

    name: str
    upto: int
    """Upper limit of the row, in percent of Earth's gravity."""
    walk: str
    """Factor on the rates."""
    run: str
    skill: str
    """Skill of acrobatics."""
    weightless: bool = False


class Experience(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stressful experience."""

    name: str
    sv: Damage


class Derangement(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A derangement or disorder."""

    name: str
    level: Literal["minor", "moderate", "major", "disorder"]


class HealingRate(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A healing rate."""

    name: str
    hours: int
    """Hours for 1d10 damage."""
    wound_hours: int
    """Hours for a wound after all damage is healed."""
    shells: bool = False
    """Whether it repairs shells."""
    only_shells: bool = False


class HealingCondition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition that slows healing."""

    name: str
    times: int
    wounds: bool
    """Whether wounds heal at all."""


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
    """A breakable object."""

    name: str
    armor: int
    durability: int
    wound_threshold: int


class Fall(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Falling damage."""

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
"""Example sheets."""

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
"""All tables, as `affray rules eclipse_phase_1e` prints them."""
