"""The printed tables as typed rows, by name."""

from collections.abc import Mapping
from typing import TypeVar

from machines.eclipse_phase_2e.body_rows import (
    Experience,
    Fall,
    Gravity,
    HealingCondition,
    HealingRate,
    Morph,
    Movement,
    Object,
    PoolRow,
    SizeRow,
)
from machines.eclipse_phase_2e.rows import (
    Ammunition,
    ArmorRow,
    AttackKind,
    CalledShot,
    CombatSkill,
    ConditionRow,
    Critical,
    FiringMode,
    Range,
    Response,
    Situation,
    Trait,
    WeaponRow,
    WeaponTrait,
)
from machines.eclipse_phase_2e.sheet import Sheet
from machines.tables import Book, Row, Ruling, load, load_sheets

_HERE = "machines.eclipse_phase_2e"

N = TypeVar("N", bound=Row)


def _named(name: str, row: type[N]) -> dict[str, N]:
    return {getattr(each, "name"): each for each in load(_HERE, f"tables/{name}.toml", row)}  # noqa: B009


BOOKS = load(_HERE, "books.toml", Book, "book")
RULINGS = load(_HERE, "rulings.toml", Ruling, "ruling")
ATTACK_KINDS = _named("attack_kinds", AttackKind)
RANGES = _named("ranges", Range)
FIRING_MODES = _named("firing_modes", FiringMode)
SITUATIONS = _named("modifiers", Situation)
SKILLS = _named("skills", CombatSkill)
CALLED_SHOTS = _named("called_shots", CalledShot)
WEAPON_TRAITS = _named("weapon_traits", WeaponTrait)
WEAPONS = _named("weapons", WeaponRow)
AMMUNITION = _named("ammunition", Ammunition)
ARMOR = _named("armor", ArmorRow)
TRAITS = _named("traits", Trait)
CONDITIONS = _named("conditions", ConditionRow)
CRITICALS = _named("criticals", Critical)
RESPONSES = _named("acute_stress", Response)
CONFUSIONS = _named("confusion", Response)
EXPERIENCES = _named("stressful_experiences", Experience)
HEALING_RATES = _named("healing_rates", HealingRate)
HEALING_CONDITIONS = _named("healing_conditions", HealingCondition)
SIZES = _named("sizes", SizeRow)
MOVEMENTS = _named("movement", Movement)
GRAVITIES = _named("gravity", Gravity)
POOLS = _named("pools", PoolRow)
MORPHS = _named("morphs", Morph)
OBJECTS = _named("objects", Object)
FALLS = _named("falling", Fall)
SHEETS = load_sheets(_HERE, "sheets.toml", Sheet)
"""Ready ones, to try the game with."""

TABLES: Mapping[str, Mapping[str, Row]] = {
    "acute_stress": RESPONSES,
    "ammunition": AMMUNITION,
    "armor": ARMOR,
    "attack_kinds": ATTACK_KINDS,
    "called_shots": CALLED_SHOTS,
    "conditions": CONDITIONS,
    "confusion": CONFUSIONS,
    "criticals": CRITICALS,
    "falling": FALLS,
    "firing_modes": FIRING_MODES,
    "gravity": GRAVITIES,
    "healing_conditions": HEALING_CONDITIONS,
    "healing_rates": HEALING_RATES,
    "modifiers": SITUATIONS,
    "morphs": MORPHS,
    "movement": MOVEMENTS,
    "objects": OBJECTS,
    "pools": POOLS,
    "ranges": RANGES,
    "sizes": SIZES,
    "skills": SKILLS,
    "stressful_experiences": EXPERIENCES,
    "traits": TRAITS,
    "weapon_traits": WEAPON_TRAITS,
    "weapons": WEAPONS,
}
"""All of them, as `affray rules eclipse_phase_2e` prints them."""
