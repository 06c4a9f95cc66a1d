"""Boxes 28 and 30 to 37: basic damage, knockback, armor, factors of type and location, blow-through."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from ledger.dice import parse
from ledger.events import Event, FigureFound, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.dice_reading import DiceCount
from machines.contract.figure_names import FigureName
from machines.contract.refusals import CountNeeded
from machines.contract.toolkit import Telling, counted, down, floored, thrown
from machines.gurps_3e.attack.attack_context import PAGE, TYPE, WITH, Blow, attack, blow, is_type
from machines.gurps_3e.attack.critical import FIXED, IGNORED, MAXIMUM
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.postures import fall
from machines.gurps_3e.sheet.sheet_access import (
    DEAD,
    PRONE,
    REDUCED,
    SHOCK,
    THIS_TURN,
    UNABLE,
    dr,
    flexible,
    from_memory,
    is_natural,
    location_named,
    part_of_health,
    sheet,
    shock,
)
from machines.gurps_3e.success_rolls.success import (
    TARGET,
    modifier_events,
    passed,
    prepare,
    request_roll,
    resolve_rolls,
)
from machines.gurps_3e.tables.rows import DamageType, HitLocation, part
from machines.gurps_3e.tables.tables import AMMUNITION, DAMAGE_TYPES
from projections.combat import Combat

BASIC = FigureName("basic damage", int)
DEALT = FigureName("damage", int)
HEXES = FigureName("knockback", int)
RESISTS = FigureName("DR", int)
THROUGH = FigureName("penetration", int)
INJURY = FigureName("injury", int)
CAPPED = FigureName("after blow-through", int)
SIXES = DiceCount("sixes", from_face=6, is_needed=False)
"""The sixes of the damage dice, which only blunt trauma counts."""
CRUSHING = next(iter(DAMAGE_TYPES))
"""The first of the damage types: that of blunt trauma."""
KNOCKED_BACK = "stand"
MANY_DICE = 15
"""A weapon of more dice has no blow-through limit (R12)."""


def figure_of(combat: Combat, struck: Blow, name: FigureName[int]) -> int:
    """Returns a figure of the blow; only penetration may be below 0.

    Source: CII 48-51 Flowchart
    """
    value = name.at(combat, struck.place)
    return value if name == THROUGH else max(0, value)


def figure_event(struck: Blow, name: FigureName[int], value: int, why: str, source: str) -> FigureFound:
    """Returns the event that records a figure of the blow."""
    return name.found(struck.place, value, why, source, who=struck.foe)


# ------------------------------------------------------------------------------------------------ 28


def damage_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the weapon's dice."""
    struck = blow(combat)
    if not FIXED.is_at(combat, struck.place) and not MAXIMUM.is_at(combat, struck.place):
        name = WITH.at(combat, struck.place) or attack(combat).name
        yield from thrown(
            combat, struck.key, struck.of, struck.dice, f"damage of {name}{from_memory(combat, struck.of, name)}"
        )


def basic_damage(combat: Combat) -> Deed:
    """Records the basic damage: at least 1 for a bullet, a cut or a thrust."""
    struck = blow(combat)
    if FIXED.is_at(combat, struck.place):
        fixed = figure_of(combat, struck, FIXED)
        yield figure_event(struck, BASIC, fixed, "so many hits, whatever was struck", "GCT Critical Head Blow Table")
        return None
    if MAXIMUM.is_at(combat, struck.place):
        value, why = most_of(struck)
        yield figure_event(struck, BASIC, value, why, "B 98 Critical Hits")
        return None
    value, why = counted(combat, struck.key, struck.dice, down, least_of(struck))
    yield figure_event(struck, BASIC, value, why, HERE)
    return None


def most_of(struck: Blow) -> tuple[int, str]:
    """Returns the maximum of the dice, and its explanation.

    Source: B 98 Critical Hits; Ruling: G3-N32
    """
    dice = parse(struck.dice)
    most = sum(dice.sides)
    why = f"maximum {most} on the dice" + (f" {dice.add:+d} of {struck.dice}" if dice.add else "")
    return floored(most + dice.add, why, least_of(struck))


def least_of(struck: Blow) -> int:
    """Returns the minimum of basic damage.

    Source: B 73 Basic Damage
    """
    return 0 if is_natural(struck.weapon) else struck.type.minimum


# ------------------------------------------------------------------------------------------------ 30 to 32


def no_knockback(combat: Combat) -> bool:
    """Returns whether the blow does not knock back, such as a thrust or a bullet.

    Ruling: G3-F13
    """
    return hexes_by(combat, blow(combat)) is None


def hexes_by(combat: Combat, struck: Blow) -> int | None:
    """Returns the points of damage for each hex of knockback; None for a blow that does not knock back.

    Source: B 106 Knockback; Ruling: G3-N5
    """
    if struck.type.knockback:
        return KNOCKBACK
    if struck.type.bullet:
        return BULLETS[profile(combat).bullet_knockback](sheet(combat, struck.foe).st)
    return None


KNOCKBACK = 8
"""Points of damage for a hex (B 106)."""
BULLETS: Mapping[str, Callable[[int], int | None]] = {
    "none": lambda _: None,
    "by_strength": lambda st: 3 * st,
    "by_eight": lambda _: KNOCKBACK,
}
"""Points of damage for a hex by the target's ST, by the value of the profile's field."""


def knockback(combat: Combat) -> Deed:
    """Records a hex for each full 8 points of damage; a target that is moved rolls DX to stand.

    A blow that hits its own attacker does not knock back, but a weapon that explodes does.

    Ruling: G3-F13
    """
    struck = blow(combat)
    points = figure_of(combat, struck, DEALT)
    oneself = struck.of == struck.foe and not TYPE.is_at(combat, struck.place)
    hexes = 0 if oneself else points // (hexes_by(combat, struck) or KNOCKBACK)
    combat = yield figure_event(struck, HEXES, hexes, f"{points} points" if hexes else "", "B 106 Knockback")
    if not figure_of(combat, struck, HEXES):
        return "no"
    if _can_fall(combat, struck):
        yield from prepare_dexterity(combat, attack(combat).role(KNOCKED_BACK), struck.foe, "B 106 Knockback")
    return "yes"


def prepare_dexterity(combat: Combat, key: str, who: str, source: str) -> Telling:
    """Prepares a DX roll, with shock and reduced DX."""
    dx = sheet(combat, who).dx
    reduced = combat.conditions.of(who).get(REDUCED)
    less = {SHOCK: -shock(combat, who, THIS_TURN), "less DX": -(reduced.level or 0) if reduced is not None else 0}
    return (yield from prepare(combat, key, who, dx, f"DX {dx}", source, modifier_events(key, source, less)))


def _can_fall(combat: Combat, struck: Blow) -> bool:
    return not combat.conditions.has(struck.foe, PRONE, *UNABLE)


def stand_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests DX to stay standing."""
    return request_stand_roll(combat, KNOCKED_BACK)


def read_stand(combat: Combat) -> Deed:
    """Reads the roll: standing, or fallen."""
    return stands_or_falls(combat, KNOCKED_BACK, "knocked back", HERE)


def request_stand_roll(combat: Combat, role: str) -> Iterator[RollRequested]:
    """Requests the roll to stay standing, where one was prepared."""
    key = attack(combat).role(role)
    if TARGET.is_at(combat, key):
        yield request_roll(combat, key, blow(combat).foe, "stay on their feet")


def stands_or_falls(combat: Combat, role: str, why: str, source: str) -> Deed:
    """Reads the roll to stay standing."""
    key, struck = attack(combat).role(role), blow(combat)
    combat = yield from resolve_rolls(combat, key)
    if combat.rolls[key].outcome and not passed(combat, key):
        yield from fall(combat, struck.foe, struck.place, why, source)
    return None


# ------------------------------------------------------------------------------------------------ 33 to 35


def final_location(struck: Blow) -> HitLocation:
    """Returns the location that a blow ends in: the brain for a thrust into the eye.

    Source: CII 53 Hit Locations
    """
    where = struck.where
    goes_on = bool(where.goes_on) and is_type(struck.weapon, where.goes_on)
    return location_named(where.goes_on_to) if goes_on else where


def damage_resistance(combat: Combat) -> Deed:
    """Records the DR at the location against this type of damage, divided for what pierces armor."""
    struck = blow(combat)
    yield from DR_OF[_how(combat, struck)](combat, struck)
    return None


def _how(combat: Combat, struck: Blow) -> str:
    ignored = FIXED.is_at(combat, struck.place) or IGNORED.is_at(combat, struck.place)
    killed = combat.conditions.has(struck.foe, DEAD)
    return "ignored" if ignored or killed or final_location(struck) != struck.where else "counts"


def _no_dr(_: Combat, struck: Blow) -> Iterator[Event]:
    yield figure_event(struck, RESISTS, 0, "armor does not count", PAGE)


def _whole_dr(combat: Combat, struck: Blow) -> Iterator[Event]:
    worn, skull = dr(combat, struck.foe, struck.where, struck.type), struck.where.natural_dr
    rounds = AMMUNITION[struck.weapon.ammunition]
    pierced = -(-(worn + skull) * part(rounds.dr).numerator // part(rounds.dr).denominator)
    value = max(rounds.least_dr, pierced) // struck.weapon.armor_divisor
    parts = [f"DR {worn}", *([f"skull {skull}"] if skull else [])]
    why = " + ".join(parts) + (f", against {rounds.name} rounds {pierced}" if part(rounds.dr) != 1 else "")
    why += f", divided by {struck.weapon.armor_divisor}" if struck.weapon.armor_divisor > 1 else ""
    yield figure_event(struck, RESISTS, value, why, PAGE)


DR_OF: Mapping[str, Callable[[Combat, Blow], Iterator[Event]]] = {"ignored": _no_dr, "counts": _whole_dr}
"""The function that records DR, where armor is ignored and where it counts."""


def penetrate(combat: Combat) -> Deed:
    """Compares damage with DR: through, stopped exactly, or less. A bullet that is stopped counts as exactly.

    Ruling: G3-F14
    """
    struck = blow(combat)
    points, resists = figure_of(combat, struck, DEALT), figure_of(combat, struck, RESISTS)
    combat = yield figure_event(struck, THROUGH, points - resists, f"damage {points} less DR {resists}", PAGE)
    left = figure_of(combat, struck, THROUGH)
    if left > 0:
        return "through"
    return "stopped" if left == 0 or struck.type.bullet else "bounces"


def blunt_trauma(combat: Combat) -> Deed:
    """Records a crushing hit through flexible armor for each 6 on the damage dice.

    Ruling: G3-F14, G3-F15
    """
    struck = blow(combat)
    soft = flexible(combat, struck.foe, struck.where)
    most = MAXIMUM.is_at(combat, struck.place)
    roll = combat.rolls[struck.key]
    if soft and not most and not SIXES.is_known(roll):
        problem = "blunt trauma through flexible armor counts the sixes of the damage"
        raise CountNeeded(problem, where="counts.sixes", accepts="the total with its sixes, or the faces")
    sixes = (len(parse(struck.dice).sides) if most else SIXES.of(roll)) if soft else 0
    if sixes:
        combat = yield figure_event(struck, THROUGH, sixes, f"blunt trauma: {sixes} sixes", HERE)
        yield TYPE.found(struck.place, CRUSHING, "", HERE)
        return "harmed"
    yield figure_event(struck, INJURY, 0, "", PAGE)
    return "vital" if struck.where.vital else "nothing"


# ------------------------------------------------------------------------------------------------ 36, 37


def factor_of(struck: Blow) -> tuple[Fraction, str]:
    """Returns the factor past armor: that of the location for this damage, or that of the damage type.

    Source: CII 48-51 Flowchart box 36, B 74 Damage Types, CII 53 Hit Locations; Ruling: G3-N13
    """
    where = final_location(struck)
    for each in where.factors:
        word, _, factor = each.rpartition(" ")
        if word in (ANY, struck.type.name) or (word == BULLET and struck.type.bullet):
            return part(factor), where.name
    return part(struck.type.factor), struck.type.name


ANY, BULLET = "all", "bullet"


def injure(combat: Combat) -> Deed:
    """Records the injury: penetration times the factors of rounds and type, without fractions, at least 1."""
    struck = blow(combat)
    left = figure_of(combat, struck, THROUGH)
    if FIXED.is_at(combat, struck.place):
        yield figure_event(struck, INJURY, left, "so many hits", PAGE)
        return None
    rounds = AMMUNITION[struck.weapon.ammunition]
    after_rounds = max(1, int(left * part(rounds.factor)))
    factor, name = factor_of(struck)
    why = f"{left} through" + (f", {rounds.name} x {rounds.factor}" if part(rounds.factor) != 1 else "")
    why += f", {name} x {factor}" if factor != 1 else ""
    injury, why = floored(int(after_rounds * factor), why, 1)
    yield figure_event(struck, INJURY, injury, why, HERE)
    return None


def limit(combat: Combat, struck: Blow) -> int | None:
    """Returns the most injury that a blow does at a location, without fractions; None for no limit.

    Source: B 109 Blow-Through, CII 53 Hit Locations, R12 Firearms
    """
    where = final_location(struck)
    through = where.capped == ALL or _blows_through(struck.type)
    if not where.cap or not through or len(parse(struck.dice).sides) > MANY_DICE:
        return None
    times = 1 if where.limb else struck.type.cap_times
    return int(part_of_health(combat, struck.foe, part(where.cap) * times))


ALL = "all"


def _blows_through(kind: DamageType) -> bool:
    return kind.blows_through


def blow_through(combat: Combat) -> Deed:
    """Records the injury that remains after the blow-through limit."""
    struck = blow(combat)
    injury, most = figure_of(combat, struck, INJURY), limit(combat, struck)
    lost = injury if most is None else min(injury, most)
    why = f"{injury}, at most {most} to the {final_location(struck).name}" if lost < injury else ""
    yield figure_event(struck, CAPPED, lost, why, HERE)
    return None
