"""The printed tables as typed rows, by name."""

from collections.abc import Mapping

from machines.contract.tables import Book, Row, Ruling, load, load_named, load_sheets
from machines.eclipse_phase.second.sheet.sheet import Sheet
from machines.eclipse_phase.second.tables.body_rows import (
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
from machines.eclipse_phase.second.tables.rows import (
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

_HERE = "machines.eclipse_phase.second"

BOOKS = load(_HERE, "books.toml", Book, "book")
RULINGS = load(_HERE, "rulings.toml", Ruling, "ruling")
ATTACK_KINDS = load_named(_HERE, "attack_kinds", AttackKind)
RANGES = load_named(_HERE, "ranges", Range)
FIRING_MODES = load_named(_HERE, "firing_modes", FiringMode)
SITUATIONS = load_named(_HERE, "modifiers", Situation)
SKILLS = load_named(_HERE, "skills", CombatSkill)
CALLED_SHOTS = load_named(_HERE, "called_shots", CalledShot)
WEAPON_TRAITS = load_named(_HERE, "weapon_traits", WeaponTrait)
WEAPONS = load_named(_HERE, "weapons", WeaponRow)
AMMUNITION = load_named(_HERE, "ammunition", Ammunition)
ARMOR = load_named(_HERE, "armor", ArmorRow)
TRAITS = load_named(_HERE, "traits", Trait)
CONDITIONS = load_named(_HERE, "conditions", ConditionRow)
CRITICALS = load_named(_HERE, "criticals", Critical)
RESPONSES = load_named(_HERE, "acute_stress", Response)
CONFUSIONS = load_named(_HERE, "confusion", Response)
EXPERIENCES = load_named(_HERE, "stressful_experiences", Experience)
HEALING_RATES = load_named(_HERE, "healing_rates", HealingRate)
HEALING_CONDITIONS = load_named(_HERE, "healing_conditions", HealingCondition)
SIZES = load_named(_HERE, "sizes", SizeRow)
MOVEMENTS = load_named(_HERE, "movement", Movement)
GRAVITIES = load_named(_HERE, "gravity", Gravity)
POOLS = load_named(_HERE, "pools", PoolRow)
MORPHS = load_named(_HERE, "morphs", Morph)
OBJECTS = load_named(_HERE, "objects", Object)
FALLS = load_named(_HERE, "falling", Fall)
SHEETS = load_sheets(_HERE, "sheets.toml", Sheet)
"""Example sheets."""

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
"""All tables, as `affray rules eclipse_phase_2e` prints them."""
