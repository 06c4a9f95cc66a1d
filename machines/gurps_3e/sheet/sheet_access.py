"""What a sheet says and what it comes to: attributes, skills, hit points, Move, weapons, armor, posture."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from machines.contract import refusals as no
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_has_none_of
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet import Armor, Sheet, Situation, Weapon
from machines.gurps_3e.tables.rows import AttackKind, DamageType, HitLocation, Posture
from machines.gurps_3e.tables.tables import ATTACK_KINDS, DAMAGE_TYPES, HIT_LOCATIONS, POSTURES, SHIELDS
from projections.combat import Combat

HIT_POINTS, FATIGUE = "hit_points", "fatigue"
DEAD, UNCONSCIOUS, STUNNED, SHOCK, PRONE = "dead", "unconscious", "stunned", "shock", "prone"
OFF_BALANCE = "off_balance"
REDUCED = "dx_reduced"
"""The condition of whoever has less DX for the rest of the fight."""
UNABLE = (DEAD, UNCONSCIOUS)
"""Conditions of whoever does nothing any more."""
IDLE = (*UNABLE, STUNNED, OFF_BALANCE)
"""Conditions of whoever does nothing more in this turn, at least."""
NEXT_TURN = "their next turn"
THIS_TURN = "the end of this turn"
HALVED = "half_move_and_dodge"
LOW = 3
"""At so many hit points Move and Dodge are halved (B 126)."""
STANDING = next(iter(POSTURES))
"""The first of the postures."""


# ------------------------------------------------------------------------------------------------ the sheet


def sheet(combat: Combat, who: str) -> Sheet:
    """Somebody's sheet."""
    return typed(combat.roster[who].sheet, Sheet)


def situation(combat: Combat) -> Situation:
    """What was said when the fight began."""
    return typed(combat.clock.situation, Situation)


def arms(combat: Combat, who: str) -> Mapping[str, Weapon]:
    """Somebody's weapons by name."""
    return sheet(combat, who).weapons


def skill(combat: Combat, who: str, name: str) -> int | None:
    """A skill; DX or another attribute under its own name; None where the sheet has no such skill.

    Source: B 42 Skills
    """
    owner = sheet(combat, who)
    return owner.skills.get(name, getattr(owner, name) if name in ATTRIBUTES else None)


ATTRIBUTES = ("st", "dx", "iq", "ht")


def needed(combat: Combat, who: str, name: str) -> int:
    """A skill that somebody must have.

    Raises:
        Incomplete: The sheet has none.

    Source: B 42 Skills
    """
    found = skill(combat, who, name)
    if found is None:
        where = f"combatants.{who}.sheet.skills"
        raise no.Incomplete(f"{who}'s sheet has no skill {name!r}", where=where, accepts=f"skills.{name}")
    return found


# ------------------------------------------------------------------------------------------------ hits


def hits_left(combat: Combat, who: str) -> int:
    """Hit points left; they go below 0.

    Source: B 126 General Injury
    """
    track = combat.health.track(who, HIT_POINTS)
    return track.capacity - track.taken


def health(combat: Combat, who: str) -> int:
    """HT, the attribute.

    Source: B 13 Basic Attributes
    """
    return sheet(combat, who).ht


def part_of_health(combat: Combat, who: str, part: Fraction) -> Fraction:
    """HT/2, HT/3 and the like: with the fraction, or rounded up, as the profile says.

    Source: B 126 General Injury, 127 Stunning
    """
    return HALVES[profile(combat).halves](health(combat, who) * part)


HALVES: Mapping[str, Callable[[Fraction], Fraction]] = {
    "exact": lambda value: value,
    "up": lambda value: Fraction(-(-value.numerator // value.denominator)),
}
"""By the profile's field."""


def move(combat: Combat, who: str) -> int:
    """Yards in a turn; half of it with 3 hit points or fewer.

    Source: B 126 General Injury
    """
    return halved(combat, who, sheet(combat, who).full_move)


def halved(combat: Combat, who: str, value: int) -> int:
    """Move or Dodge as it is now.

    Source: B 126 General Injury
    """
    return value // 2 if combat.conditions.has(who, HALVED) else value


def shock(combat: Combat, who: str, until: str) -> int:
    """Hits that still tell: in the next turn, or until it begins.

    Source: B 126 Shock
    """
    condition = combat.conditions.of(who).get(SHOCK)
    return (condition.level or 0) if condition is not None and condition.until == until else 0


# ------------------------------------------------------------------------------------------------ bodies


def posture(combat: Combat, who: str) -> Posture:
    """How somebody stands or lies.

    Source: B 203 Positions
    """
    mine = combat.conditions.of(who)
    return next((row for name, row in POSTURES.items() if name in mine), POSTURES[STANDING])


def kind_of(weapon: Weapon) -> AttackKind:
    """Its row of the attack kinds."""
    return ATTACK_KINDS[weapon.kind]


def type_of(weapon: Weapon) -> DamageType:
    """Its row of the damage types."""
    return DAMAGE_TYPES[weapon.type]


def location_named(name: str) -> HitLocation:
    """A row of the hit locations; the torso where nothing is said."""
    return HIT_LOCATIONS[name or TORSO]


TORSO = next(name for name, row in HIT_LOCATIONS.items() if not row.to_hit)


def dr(combat: Combat, who: str, where: HitLocation, against: DamageType) -> int:
    """DR of armor and hide against one type of damage; the skull's is not in it.

    Source: CII 48-51 Flowchart box 33
    """
    worn = covering(combat, who, where)
    return sheet(combat, who).natural_dr + sum(each.against.get(against.name, each.dr) for each in worn)


def pd(combat: Combat, who: str, where: HitLocation) -> int:
    """Passive defense: of the best that covers the place, and of a shield that is ready.

    Source: B 98 Passive Defense
    """
    worn = max((each.pd for each in covering(combat, who, where)), default=0)
    return worn + (shield_pd(combat, who) if has_shield(combat, who) else 0)


def flexible(combat: Combat, who: str, where: HitLocation) -> bool:
    """Is there flexible armor at the place?

    Source: B 211 Blunt Trauma
    """
    return any(each.flexible for each in covering(combat, who, where))


def covering(combat: Combat, who: str, where: HitLocation) -> tuple[Armor, ...]:
    """What is worn there."""
    worn = sheet(combat, who).armor
    parts = (where.covered,) if where.covered == BARE else (where.covered, EVERYWHERE)
    return tuple(worn[part] for part in parts if part in worn)


BARE, EVERYWHERE = "eyes", "all"
PARTS = (EVERYWHERE, *dict.fromkeys(row.covered for row in HIT_LOCATIONS.values()))
"""The parts of the body that armor covers."""


# ------------------------------------------------------------------------------------------------ weapons and limbs

BROKEN = "broken"
SPOILED = (BROKEN, "dropped", "turned", "jammed", "unready")
"""What may have become of a weapon."""
SHIELD_UNREADY, SHIELD_DESTROYED = "shield_unready", "shield_destroyed"


def thing(name: str, weapon: Weapon) -> str:
    """The thing of which a weapon is a line."""
    return weapon.of or name


def spoiled(name: str, word: str) -> str:
    """The condition of whoever's weapon is broken, dropped and so on: ``broadsword_dropped``.

    Source: GCT Critical Miss Table
    """
    return f"{name.replace(' ', '_')}_{word}"


def spoilings(combat: Combat, who: str, name: str) -> tuple[str, ...]:
    """What has become of a weapon that somebody has."""
    held = thing(name, arms(combat, who)[name])
    return tuple(each for word in SPOILED if combat.conditions.has(who, each := spoiled(held, word)))


USELESS = ("crippled", "useless")
"""What may have become of a limb."""


def lamed(where: str, word: str) -> str:
    """The condition of whoever's limb is crippled, or useless for a while: ``near_arm_crippled``.

    Source: B 127 Crippling Injury
    """
    return f"{where.replace(' ', '_')}_{word}"


def has_lost(combat: Combat, who: str, holds: str) -> bool:
    """Is a limb out of use with which somebody holds weapons, or the shield?

    Source: B 127 Crippling Injury
    """
    limbs = (row.name for row in HIT_LOCATIONS.values() if row.holds == holds)
    return any(combat.conditions.has(who, lamed(limb, word)) for limb in limbs for word in USELESS)


def can_stand(combat: Combat, who: str) -> bool:
    """Are both legs of use?

    Source: B 127 Crippling Injury
    """
    limbs = (row.name for row in HIT_LOCATIONS.values() if row.stands)
    return not any(combat.conditions.has(who, lamed(limb, word)) for limb in limbs for word in USELESS)


def has_shield(combat: Combat, who: str) -> bool:
    """Has somebody a shield, ready?

    Source: B 98 Block
    """
    gone = combat.conditions.has(who, SHIELD_UNREADY, SHIELD_DESTROYED) or has_lost(combat, who, "shield")
    return sheet(combat, who).shield is not None and not gone


def shield_pd(combat: Combat, who: str) -> int:
    """The passive defense of a shield.

    Source: B 98 Passive Defense
    """
    held = sheet(combat, who).shield
    assert held is not None, f"{who} has no shield"
    return SHIELDS[held.kind].pd if held.pd is None else held.pd


# ------------------------------------------------------------------------------------------------ refusals


def check_able(combat: Combat, who: str) -> None:
    """Refuse what the dead, the unconscious, the stunned declare, and whoever has lost their balance.

    Raises:
        CannotAct: They are.
    """
    check_has_none_of(combat, who, IDLE, where="by", accepts="end")
