"""Loads the printed tables as typed rows, by name."""

from collections.abc import Mapping

from machines.contract.tables import Book, Row, Ruling, load, load_named, load_sheets
from machines.shadowrun_4e.sheet.sheet import Sheet
from machines.shadowrun_4e.tables import rows
from machines.shadowrun_4e.tables import test_rows as tests

_HERE = "machines.shadowrun_4e"

BOOKS = load(_HERE, "books.toml", Book, "book")
RULINGS = load(_HERE, "rulings.toml", Ruling, "ruling")
SHEETS = load_sheets(_HERE, "sheets.toml", Sheet)
"""Ready-made sheets."""

OPPOSED_TESTS = load_named(_HERE, "opposed_tests", rows.OpposedTest)
DAMAGE = load_named(_HERE, "damage", rows.Damage)
VISIBILITY = load_named(_HERE, "visibility", rows.Visibility)
MOVEMENT = load_named(_HERE, "movement", tests.MovementRate)
PERCEPTION_THRESHOLDS = load_named(_HERE, "perception_thresholds", tests.Threshold)
PERCEPTION_MODIFIERS = load_named(_HERE, "perception_modifiers", tests.DiceModifier)
SKILLS = load_named(_HERE, "skills", tests.Skill)
DIFFICULTIES = load_named(_HERE, "difficulties", tests.Threshold)
BUYING_HITS = load_named(_HERE, "buying_hits", tests.BoughtHits)
EXTENDED_INTERVALS = load_named(_HERE, "extended_intervals", tests.Interval)
EXTENDED_THRESHOLDS = load_named(_HERE, "extended_thresholds", tests.Threshold)
ALERT_RESPONSES = load_named(_HERE, "alert_responses", tests.AlertResponse)
SEARCH_THRESHOLDS = load_named(_HERE, "search_thresholds", tests.Threshold)
SEARCH_AREAS = load_named(_HERE, "search_areas", tests.Interval)
CONCEALABILITY = load_named(_HERE, "concealability", tests.Concealability)
AVAILABILITY = load_named(_HERE, "availability", tests.Interval)
WEAPON_RANGES = load_named(_HERE, "weapon_ranges", rows.WeaponRange)
RANGED_MODIFIERS = load_named(_HERE, "ranged_modifiers", rows.Situation)
MELEE_MODIFIERS = load_named(_HERE, "melee_modifiers", rows.Situation)
DEFENSE_MODIFIERS = load_named(_HERE, "defense_modifiers", rows.Situation)
SCATTER = load_named(_HERE, "scatter", rows.Scatter)
MELEE_WEAPONS = load_named(_HERE, "melee_weapons", rows.MeleeWeapon)
PROJECTILE_WEAPONS = load_named(_HERE, "projectile_weapons", rows.ProjectileWeapon)
GRENADES = load_named(_HERE, "grenades", rows.Grenade)
SOCIAL = load_named(_HERE, "social", tests.SocialTest)
SIGNAL = load_named(_HERE, "signal", tests.SignalRange)
BARRIERS = load_named(_HERE, "barriers", rows.Barrier)
BARRIER_DAMAGE = load_named(_HERE, "barrier_damage", rows.BarrierDamage)
BUILD_THRESHOLDS = load_named(_HERE, "build_thresholds", tests.Threshold)
BUILD_MODIFIERS = load_named(_HERE, "build_modifiers", tests.DiceModifier)
KNOWLEDGE = load_named(_HERE, "knowledge", tests.Threshold)
OBJECT_RESISTANCE = load_named(_HERE, "object_resistance", tests.Threshold)
SIGNATURE = load_named(_HERE, "signature", tests.Rated)
DEVICES = load_named(_HERE, "devices", tests.Device)
VEHICLE_THRESHOLDS = load_named(_HERE, "vehicle_thresholds", tests.Threshold)
TERRAIN = load_named(_HERE, "terrain", tests.Rated)
HANDLING = load_named(_HERE, "handling", tests.Rated)
ASSENSING = load_named(_HERE, "assensing", tests.Assensing)
TRACKING = load_named(_HERE, "tracking", tests.Tracking)

FIRING_MODES = load_named(_HERE, "firing_modes", rows.FiringMode)
CALLED_SHOTS = load_named(_HERE, "called_shots", rows.CalledShot)
PLANES = load_named(_HERE, "planes", rows.Plane)
PROGRAMS = load_named(_HERE, "programs", rows.Program)
FIREARMS = load_named(_HERE, "firearms", rows.Firearm)
AMMUNITION = load_named(_HERE, "ammunition", rows.Ammunition)
SPELLS = load_named(_HERE, "spells", rows.Spell)
SPELL_EFFECTS = load_named(_HERE, "spell_effects", rows.SpellEffect)
TRADITIONS = load_named(_HERE, "traditions", tests.Tradition)
GLITCHES = load_named(_HERE, "glitches", rows.Glitch)
SPECIALIZATIONS = load_named(_HERE, "specializations", tests.Specialization)

WEAPONS: Mapping[str, rows.MeleeWeapon | rows.ProjectileWeapon | rows.Grenade | rows.Firearm] = {
    **MELEE_WEAPONS,
    **PROJECTILE_WEAPONS,
    **GRENADES,
    **FIREARMS,
}
"""The rows that a sheet may name as a weapon."""

TABLES: Mapping[str, Mapping[str, Row]] = {
    name.lower(): found
    for name, found in dict(globals()).items()
    if name.isupper() and isinstance(found, dict) and name not in ("SHEETS", "WEAPONS")
}
"""All tables in the order of `affray rules shadowrun_4e`: those of the screen, then those of the book."""
