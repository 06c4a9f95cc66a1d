"""Reads a sheet and its present state: attributes, skills, hit points, Move, weapons, armor, posture."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

import msgspec

from ledger.text_cache import remembered
from machines.contract.refusals import BadSheet, Incomplete
from machines.contract.ruleset import TYPED, typed
from machines.contract.toolkit import check_has_none_of
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet import Armor, Sheet, Situation, Weapon
from machines.gurps_3e.tables.rows import AttackKind, DamageType, HitLocation, Posture
from machines.gurps_3e.tables.tables import (
    ARMS,
    ATTACK_KINDS,
    BASIC_DAMAGE,
    DAMAGE_TYPES,
    HIT_LOCATIONS,
    POSTURES,
    SHIELDS,
)
from projections.combat import Combat

HIT_POINTS, FATIGUE = "hit_points", "fatigue"
DEAD, UNCONSCIOUS, STUNNED, SHOCK, PRONE = "dead", "unconscious", "stunned", "shock", "prone"
OFF_BALANCE = "off_balance"
REDUCED = "dx_reduced"
"""Condition of a combatant with less DX for the rest of the fight."""
UNABLE = (DEAD, UNCONSCIOUS)
"""Conditions of combatants who cannot act any more."""
IDLE = (*UNABLE, STUNNED, OFF_BALANCE)
"""Conditions of combatants who cannot act in this turn."""
NEXT_TURN = "their next turn"
THIS_TURN = "the end of this turn"
HALVED = "half_move_and_dodge"
LOW = 3
"""The hit points at which Move and Dodge are halved (B 126)."""
STANDING = next(iter(POSTURES))
"""The first of the postures."""


# ------------------------------------------------------------------------------------------------ the sheet


def sheet(combat: Combat, who: str) -> Sheet:
    """Returns a combatant's sheet."""
    found: Sheet = TYPED[combat.roster.who[who].sheet, Sheet]
    return found


def situation(combat: Combat) -> Situation:
    """Returns the situation that was declared when the fight began."""
    return typed(combat.clock.situation, Situation)


def weapons_of(combat: Combat, who: str) -> Mapping[str, Weapon]:
    """Returns a combatant's weapons by name, generic ones among them, with dice in place of swing and thrust."""
    return _weapons(combat.roster[who].sheet)


@remembered(1024)
def _weapons(text: str) -> Mapping[str, Weapon]:
    owner = typed(text, Sheet)
    weapons = {**{name: generic(name) for name in owner.arms}, **owner.weapons} if owner.arms else owner.weapons
    if not any(each.damage.startswith(BY_STRENGTH) for each in weapons.values()):
        return weapons
    return {name: msgspec.structs.replace(each, damage=dice_of(owner, each.damage)) for name, each in weapons.items()}


BY_STRENGTH = SWING, THRUST = "sw", "thr"
"""How damage that depends on ST begins."""


@lru_cache
def generic(name: str) -> Weapon:
    """Returns a generic weapon of the table.

    Source: B 206 Weapon Tables; Ruling: G3-N36
    """
    row = ARMS[name]
    shared = set(Weapon.__struct_fields__) & set(row.__struct_fields__)
    return Weapon(**{field: getattr(row, field) for field in shared})


def dice_of(owner: Sheet, damage: str) -> str:
    """Returns the dice of damage: ``sw+1`` with ST 12 is ``1d+3``.

    Raises:
        BadSheet: The table has no swing or thrust for so much ST.

    Source: B 74 Basic Damage; Ruling: G3-N36
    """
    word = next((each for each in BY_STRENGTH if damage.startswith(each)), "")
    if not word:
        return damage
    row = BASIC_DAMAGE.get(str(owner.st))
    if row is None:
        listed = tuple(BASIC_DAMAGE)
        accepts = f"ST {listed[0]} to {listed[-1]}, or dice"
        raise BadSheet(f"no table has a swing or thrust for ST {owner.st}", where="weapons", accepts=accepts)
    dice, sign, add = (row.swing if word == SWING else row.thrust).partition("d")
    total = int(add or 0) + int(damage.removeprefix(word) or 0)
    return f"{dice}{sign}{total:+d}" if total else f"{dice}{sign}"


def from_memory(combat: Combat, who: str, name: str) -> str:
    """Returns a remark on damage that only memory backs: of generic weapons, and by ST; empty for any other.

    Ruling: G3-N36
    """
    owner = sheet(combat, who)
    own = owner.weapons.get(name)
    damage = generic(name).damage if own is None else own.damage
    return f" ({damage}, from memory)" if own is None or damage.startswith(BY_STRENGTH) else ""


def skill(combat: Combat, who: str, name: str) -> int | None:
    """Returns a skill, or an attribute under its own name; None where the sheet has no such skill.

    Source: B 42 Skills
    """
    owner = sheet(combat, who)
    return owner.skills.get(name, getattr(owner, name) if name in ATTRIBUTES else None)


ATTRIBUTES = ("st", "dx", "iq", "ht")


def required_skill(combat: Combat, who: str, name: str) -> int:
    """Returns a skill that the sheet must have.

    Raises:
        Incomplete: The sheet has none.

    Source: B 42 Skills
    """
    found = skill(combat, who, name)
    if found is None:
        where = f"combatants.{who}.sheet.skills"
        raise Incomplete(f"{who}'s sheet has no skill {name!r}", where=where, accepts=f"skills.{name}")
    return found


# ------------------------------------------------------------------------------------------------ hits


def hits_left(combat: Combat, who: str) -> int:
    """Returns the hit points left, which may be below 0.

    Source: B 126 General Injury
    """
    track = combat.health.track(who, HIT_POINTS)
    return track.capacity - track.taken


def health(combat: Combat, who: str) -> int:
    """Returns the attribute HT.

    Source: B 13 Basic Attributes
    """
    return sheet(combat, who).ht


def toughness(combat: Combat, who: str) -> int:
    """Returns the number that injury is compared with: HT, or the hit points of an uninjured combatant.

    Source: B 126 General Injury; Ruling: G3-N31
    """
    return TOUGHNESS[profile(combat).injury_by](sheet(combat, who))


TOUGHNESS: Mapping[str, Callable[[Sheet], int]] = {
    "health": lambda owner: owner.ht,
    "hit_points": lambda owner: owner.most_hits,
}
"""By the value of the profile's field."""


def part_of_health(combat: Combat, who: str, part: Fraction) -> Fraction:
    """Returns HT/2, HT/3 and the like: with the fraction, or rounded up, by the profile.

    Source: B 126 General Injury, 127 Stunning; Ruling: G3-N14, G3-N31
    """
    return HALVES[profile(combat).halves](toughness(combat, who) * part)


HALVES: Mapping[str, Callable[[Fraction], Fraction]] = {
    "exact": lambda value: value,
    "up": lambda value: Fraction(-(-value.numerator // value.denominator)),
}
"""The rounding, by the value of the profile's field."""


def move(combat: Combat, who: str) -> int:
    """Returns the yards in a turn; half of Move with 3 hit points or fewer.

    Source: B 126 General Injury
    """
    return halved(combat, who, sheet(combat, who).full_move)


def halved(combat: Combat, who: str, value: int) -> int:
    """Returns Move or Dodge, halved where the combatant has few hit points.

    Source: B 126 General Injury
    """
    return value // 2 if combat.conditions.has(who, HALVED) else value


def shock(combat: Combat, who: str, until: str) -> int:
    """Returns the shock of recent wounds that ends at the given time.

    Source: B 126 Shock
    """
    condition = combat.conditions.of(who).get(SHOCK)
    return (condition.level or 0) if condition is not None and condition.until == until else 0


# ------------------------------------------------------------------------------------------------ bodies


def posture(combat: Combat, who: str) -> Posture:
    """Returns the row of a combatant's posture.

    Source: B 203 Positions
    """
    mine = combat.conditions.of(who)
    return next((row for name, row in POSTURES.items() if name in mine), POSTURES[STANDING])


def kind_of(weapon: Weapon) -> AttackKind:
    """Returns the row of attack kinds of a weapon."""
    return ATTACK_KINDS[weapon.kind]


def is_natural(weapon: Weapon) -> bool:
    """Returns whether a weapon is part of the body, by its line or by its attack kind.

    Source: CII 48-51 Flowchart box 28; Ruling: G3-N28
    """
    return weapon.natural or kind_of(weapon).natural


def type_of(weapon: Weapon) -> DamageType:
    """Returns the row of damage types of a weapon."""
    return DAMAGE_TYPES[weapon.type]


def location_named(name: str) -> HitLocation:
    """Returns a row of the hit locations; the torso where the name is empty."""
    return HIT_LOCATIONS[name or TORSO]


TORSO = next(name for name, row in HIT_LOCATIONS.items() if not row.to_hit)


def dr(combat: Combat, who: str, where: HitLocation, against: DamageType) -> int:
    """Returns the DR of armor and hide against one damage type, without the skull.

    Source: CII 48-51 Flowchart box 33
    """
    worn = covering(combat, who, where)
    return sheet(combat, who).natural_dr + sum(each.against.get(against.name, each.dr) for each in worn)


def pd(combat: Combat, who: str, where: HitLocation) -> int:
    """Returns passive defense: of the best armor at the location, and of a shield that is ready.

    Source: B 98 Passive Defense
    """
    worn = max((each.pd for each in covering(combat, who, where)), default=0)
    return worn + (shield_pd(combat, who) if has_shield(combat, who) else 0)


def flexible(combat: Combat, who: str, where: HitLocation) -> bool:
    """Returns whether there is flexible armor at the location.

    Source: B 211 Blunt Trauma
    """
    return any(each.flexible for each in covering(combat, who, where))


def covering(combat: Combat, who: str, where: HitLocation) -> tuple[Armor, ...]:
    """Returns the armor at a location."""
    worn = sheet(combat, who).armor
    parts = (where.covered,) if where.covered == BARE else (where.covered, EVERYWHERE)
    return tuple(worn[part] for part in parts if part in worn)


BARE, EVERYWHERE = "eyes", "all"


# ------------------------------------------------------------------------------------------------ weapons and limbs


def lacking_strength(combat: Combat, who: str, weapon: Weapon) -> int:
    """Returns the points of ST that a combatant lacks for a weapon; 0 where the profile does not count them.

    Source: B 206 Weapon Tables; Ruling: G3-N29
    """
    counts = MINIMUM_COUNTS[profile(combat).minimum_strength]
    return max(0, weapon.st - sheet(combat, who).st) if counts else 0


MINIMUM_COUNTS: Mapping[str, bool] = {"ignored": False, "counts": True}
"""By the value of the profile's field."""
BROKEN = "broken"
SPOILED = (BROKEN, "dropped", "turned", "jammed", "unready")
"""The ways in which a weapon is not ready."""
SHIELD_UNREADY, SHIELD_DESTROYED = "shield_unready", "shield_destroyed"


def item_of(name: str, weapon: Weapon) -> str:
    """Returns the item that a weapon is a line of."""
    return weapon.of or name


def unready_condition(name: str, word: str) -> str:
    """Returns the condition of a combatant whose weapon is broken, dropped and so on: ``broadsword_dropped``.

    Source: GCT Critical Miss Table
    """
    return f"{name.replace(' ', '_')}_{word}"


def unready_conditions(combat: Combat, who: str, name: str) -> tuple[str, ...]:
    """Returns the conditions that make a combatant's weapon unready."""
    held = item_of(name, weapons_of(combat, who)[name])
    return tuple(each for word in SPOILED if combat.conditions.has(who, each := unready_condition(held, word)))


USELESS = ("crippled", "useless")
"""The ways in which a limb is out of use."""


def limb_condition(where: str, word: str) -> str:
    """Returns the condition of a combatant whose limb is crippled or useless: ``near_arm_crippled``.

    Source: B 127 Crippling Injury
    """
    return f"{where.replace(' ', '_')}_{word}"


def has_lost(combat: Combat, who: str, holds: str) -> bool:
    """Returns whether a limb that holds weapons, or the shield, is out of use.

    Source: B 127 Crippling Injury
    """
    limbs = (row.name for row in HIT_LOCATIONS.values() if row.holds == holds)
    return any(combat.conditions.has(who, limb_condition(limb, word)) for limb in limbs for word in USELESS)


def can_stand(combat: Combat, who: str) -> bool:
    """Returns whether both legs are of use.

    Source: B 127 Crippling Injury
    """
    limbs = (row.name for row in HIT_LOCATIONS.values() if row.stands)
    return not any(combat.conditions.has(who, limb_condition(limb, word)) for limb in limbs for word in USELESS)


def has_shield(combat: Combat, who: str) -> bool:
    """Returns whether a combatant has a shield that is ready.

    Source: B 98 Block
    """
    gone = combat.conditions.has(who, SHIELD_UNREADY, SHIELD_DESTROYED) or has_lost(combat, who, "shield")
    return sheet(combat, who).shield is not None and not gone


def shield_pd(combat: Combat, who: str) -> int:
    """Returns the passive defense of a shield.

    Source: B 98 Passive Defense
    """
    held = sheet(combat, who).shield
    assert held is not None, f"{who} has no shield"
    return SHIELDS[held.kind].pd if held.pd is None else held.pd


# ------------------------------------------------------------------------------------------------ refusals


def check_able(combat: Combat, who: str) -> None:
    """Rejects actions of combatants who are dead, unconscious, stunned or off balance.

    Raises:
        CannotAct: With the condition.
    """
    check_has_none_of(combat, who, IDLE, where="by", accepts="end")
