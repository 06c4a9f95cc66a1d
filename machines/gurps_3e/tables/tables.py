"""Loads the printed tables as typed rows, by name."""

from collections.abc import Mapping

from machines.contract.tables import Book, Row, Ruling, load, load_named, load_sheets
from machines.gurps_3e.sheet.sheet import Sheet
from machines.gurps_3e.tables import rows

_HERE = "machines.gurps_3e"

BOOKS = load(_HERE, "books.toml", Book, "book")
RULINGS = load(_HERE, "rulings.toml", Ruling, "ruling")
SHEETS = load_sheets(_HERE, "sheets.toml", Sheet)
"""Ready-made sheets."""

SUCCESS_ROLLS = load_named(_HERE, "success_rolls", rows.Critical)
RANDOM_LOCATIONS = load_named(_HERE, "random_locations", rows.RandomLocation)
HIT_LOCATIONS = load_named(_HERE, "hit_locations", rows.HitLocation)
DAMAGE_TYPES = load_named(_HERE, "damage_types", rows.DamageType)
AMMUNITION = load_named(_HERE, "ammunition", rows.Ammunition)
ATTACK_KINDS = load_named(_HERE, "attack_kinds", rows.AttackKind)
CRITICAL_HITS = load_named(_HERE, "critical_hits", rows.CriticalHit)
CRITICAL_HEAD_BLOWS = load_named(_HERE, "critical_head_blows", rows.CriticalHit)
CRITICAL_MISSES = load_named(_HERE, "critical_misses", rows.CriticalMiss)
UNARMED_CRITICAL_MISSES = load_named(_HERE, "unarmed_critical_misses", rows.CriticalMiss)
FIREARM_CRITICAL_MISSES = load_named(_HERE, "firearm_critical_misses", rows.CriticalMiss)
SPEED_AND_RANGE = load_named(_HERE, "speed_and_range", rows.Measure)
SIZES = load_named(_HERE, "sizes", rows.Measure)
ATTACK_MODIFIERS = load_named(_HERE, "attack_modifiers", rows.AttackModifier)
STANDING_MODIFIERS = load_named(_HERE, "standing_modifiers", rows.Standing)
POSTURES = load_named(_HERE, "postures", rows.Posture)
OPPORTUNITY_FIRE = load_named(_HERE, "opportunity_fire", rows.Watched)
AUTOMATIC_FIRE = load_named(_HERE, "automatic_fire", rows.GroupHits)
RECOIL = load_named(_HERE, "recoil", rows.Recoil)
MANEUVERS = load_named(_HERE, "maneuvers", rows.Maneuver)
DEFENSES = load_named(_HERE, "defenses", rows.Defense)
DEFENSE_MODIFIERS = load_named(_HERE, "defense_modifiers", rows.DefenseModifier)
PARRIES = load_named(_HERE, "parries", rows.Parry)
SHIELDS = load_named(_HERE, "shields", rows.ShieldLine)
ARMS = load_named(_HERE, "arms", rows.Arm)
BASIC_DAMAGE = load_named(_HERE, "basic_damage", rows.BasicDamage)
SHOCK_BY_SIZE = load_named(_HERE, "shock_by_size", rows.ShockBySize)
INJURY = load_named(_HERE, "injury", rows.Injury)

FUMBLES: Mapping[str, Mapping[str, rows.CriticalMiss]] = {
    "critical_misses": CRITICAL_MISSES,
    "unarmed_critical_misses": UNARMED_CRITICAL_MISSES,
    "firearm_critical_misses": FIREARM_CRITICAL_MISSES,
}
"""The tables of critical misses, by name."""

TABLES: Mapping[str, Mapping[str, Row]] = {
    name.lower(): found
    for name, found in dict(globals()).items()
    if name.isupper() and isinstance(found, dict) and name not in ("SHEETS", "FUMBLES")
}
"""All tables, as `affray rules gurps_3e` prints them."""
