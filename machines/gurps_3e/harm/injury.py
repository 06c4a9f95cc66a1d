"""Boxes 38 to 45: hit points, shock, special effects of locations, stun and knockdown."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import msgspec

from ledger.events import ConditionGained, DamageTaken, Event, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.gurps_3e.attack.attack_context import PAGE, Blow, attack, blow, is_type
from machines.gurps_3e.attack.critical import AFTERWARDS, HALF_AN_HOUR
from machines.gurps_3e.harm.damage import (
    CAPPED,
    CRUSHING,
    INJURY,
    figure_of,
    final_location,
    request_stand_roll,
    stands_or_falls,
)
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.postures import fall
from machines.gurps_3e.sheet.sheet_access import (
    DEAD,
    HALVED,
    HIT_POINTS,
    LOW,
    NEXT_TURN,
    PRONE,
    SHOCK,
    STUNNED,
    UNABLE,
    UNCONSCIOUS,
    health,
    hits_left,
    limb_condition,
    part_of_health,
    sheet,
    toughness,
)
from machines.gurps_3e.success_rolls.success import modifier_events, passed, prepare, request_roll, resolve_rolls
from machines.gurps_3e.tables.rows import HitLocation, part
from machines.gurps_3e.tables.tables import SHOCK_BY_SIZE
from projections.combat import Combat

SHOCKED, KNOCKDOWN, EFFECT = "shock", "knockdown", "special-effect"
_PLACES = "CII 53 Hit Locations"


def take_damage(combat: Combat) -> Deed:
    """Subtracts hit points, and records shock until the next turn: as many points, or fewer by the profile.

    Ruling: G3-F17, G3-F26, G3-N39
    """
    struck = blow(combat)
    lost = figure_of(combat, struck, CAPPED)
    if not lost:
        return None
    combat = yield DamageTaken(struck.foe, HIT_POINTS, lost, struck.place, struck.where.name, PAGE)
    new = shock_of(combat, struck.foe, lost)
    if new and not sheet(combat, struck.foe).high_pain_threshold:
        before = combat.conditions.of(struck.foe).get(SHOCK)
        felt = (before.level or 0) if before is not None and before.until == NEXT_TURN else 0
        yield ConditionGained(struck.foe, SHOCK, felt + new, NEXT_TURN, struck.place, f"{lost} hits", HERE)
    return None


def shock_of(combat: Combat, who: str, lost: int) -> int:
    """Returns the shock of an injury: the injury itself, or a part of it, without a fraction, by the profile.

    Source: B 126 Shock, R9 Split Health; Ruling: G3-N39
    """
    return lost // POINTS[profile(combat).shock_by](sheet(combat, who).most_hits)


POINTS: Mapping[str, Callable[[int], int]] = {
    "injury": lambda _: 1,
    "split_health": lambda most: next(row.points for row in SHOCK_BY_SIZE.values() if most <= row.hit_points),
}
"""The points of injury for a point of shock, by the value of the profile's field."""


# ------------------------------------------------------------------------------------------------ 39, 40


def is_special(combat: Combat) -> bool:
    """Returns whether the location has special effects for such a blow."""
    struck = blow(combat)
    where = final_location(struck)
    return bool(where.effects or where.cripples or struck.where.effects or combat.conditions.has(struck.foe, DEAD))


class Trial(msgspec.Struct, frozen=True):
    """An HT roll that a location calls for."""

    why: str
    less: int = 0
    """The penalty to HT."""
    fails: str = UNCONSCIOUS
    """The condition that a failure causes."""
    worse: str = ""
    """The condition that a failure against unmodified HT causes as well."""


def special_effect(combat: Combat) -> Deed:
    """Applies immediate effects of the location, and prepares the HT roll that it calls for.

    Ruling: G3-F16
    """
    struck = blow(combat)
    combat = yield from emit(combat, _at_once(combat, struck))
    combat = yield from _cripple(combat, struck)
    if combat.conditions.has(struck.foe, DEAD):
        return "dead"
    trial = trial_of(combat, struck)
    if trial is None or combat.conditions.has(struck.foe, *UNABLE):
        return "plain"
    key, ht = attack(combat).role(EFFECT), health(combat, struck.foe)
    yield from prepare(
        combat, key, struck.foe, ht, f"HT {ht}", HERE, modifier_events(key, HERE, {trial.why: -trial.less})
    )
    return "rolls"


def _at_once(combat: Combat, struck: Blow) -> Iterator[Event]:
    """Yields conditions above a threshold: stunned or unconscious for the brain, blinded for the eye."""
    injury = figure_of(combat, struck, INJURY)
    for name in dict.fromkeys((*struck.where.effects, *final_location(struck).effects)):
        for threshold, condition, until in AT_ONCE.get(name, ()):
            if injury > threshold(combat, struck.foe) and not combat.conditions.has(struck.foe, condition):
                why = f"{injury} to the {name}"
                yield ConditionGained(struck.foe, condition, None, until, struck.place, why, _PLACES)


def _of_health(text: str) -> Callable[[Combat, str], Fraction]:
    return lambda combat, who: part_of_health(combat, who, part(text))


AT_ONCE: Mapping[str, tuple[tuple[Callable[[Combat, str], Fraction], str, str], ...]] = {
    "brain": ((_of_health("1/3"), STUNNED, AFTERWARDS), (_of_health("1/2"), UNCONSCIOUS, HALF_AN_HOUR)),
    "neck": ((_of_health("1/3"), STUNNED, AFTERWARDS),),
    "eye": ((lambda *_: Fraction(2), "one_eye_blinded", ""),),
}
"""By the location's word: the threshold of injury, the condition and its end."""


def compared_injury(combat: Combat, struck: Blow, by: str) -> int:
    """Returns the damage that is compared with HT/2 or HT/3: of the blow, or after blow-through.

    Source: CII 48-51 Flowchart boxes 37, 40, 41; Ruling: G3-F16
    """
    return figure_of(combat, struck, COMPARED[by])


COMPARED: Mapping[str, FigureName[int]] = {"before_cap": INJURY, "after_cap": CAPPED}
"""The figure that is compared, by the value of the profile's field."""


def _cripple(combat: Combat, struck: Blow) -> Telling:
    """Cripples a limb; a crippled leg makes its owner fall."""
    where = struck.where
    name = limb_condition(where.name, "crippled")
    points = compared_injury(combat, struck, profile(combat).crippling_by)
    done = bool(where.cripples) and points > part_of_health(combat, struck.foe, part(where.cripples))
    if done and not combat.conditions.has(struck.foe, name):
        why = f"{points} hits, more than HT x {where.cripples}"
        combat = yield ConditionGained(struck.foe, name, None, "", struck.place, why, "B 127 Crippling Injury")
    if where.stands and combat.conditions.has(struck.foe, name):
        combat = yield from fall(combat, struck.foe, struck.place, f"{where.name} crippled", "B 127 Crippling Injury")
    return combat


def trial_of(combat: Combat, struck: Blow) -> Trial | None:
    """Returns the HT roll that a location calls for, if any.

    Source: CII 53 Hit Locations
    """
    names = dict.fromkeys((*final_location(struck).effects, *struck.where.effects))
    trials = (TRIALS[name](combat, struck, final_location(struck)) for name in names if name in TRIALS)
    return next((each for each in trials if each is not None), None)


def _crushed(_: Combat, struck: Blow, where: HitLocation) -> Trial | None:
    return Trial(f"a blow to the {where.name}") if struck.type.name == CRUSHING else None


def _head(_: Combat, __: Blow, ___: HitLocation) -> Trial:
    return Trial("a blow to the head")


def _nose(_: Combat, __: Blow, ___: HitLocation) -> Trial:
    return Trial("a blow to the nose", 1, STUNNED, UNCONSCIOUS)


def _jaw(combat: Combat, struck: Blow, _: HitLocation) -> Trial:
    return Trial("a blow to the jaw", max(2, figure_of(combat, struck, CAPPED)), STUNNED, UNCONSCIOUS)


def _neck(combat: Combat, struck: Blow, _: HitLocation) -> Trial | None:
    deep = is_type(struck.weapon, (CUTTING,)) and struck.type.name == CUTTING
    severed = deep and figure_of(combat, struck, INJURY) >= toughness(combat, struck.foe)
    return Trial("a cut through the neck", fails=DEAD) if severed else None


CUTTING = "cutting"
TRIALS: Mapping[str, Callable[[Combat, Blow, HitLocation], Trial | None]] = {
    "brain": _crushed,
    "head": _head,
    "nose": _nose,
    "jaw": _jaw,
    "neck": _neck,
    "vitals": _crushed,
}
"""The function that returns the HT roll, by the location's word."""


def effect_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT."""
    struck = blow(combat)
    trial = trial_of(combat, struck)
    assert trial is not None, "nothing is rolled for"
    yield request_roll(combat, attack(combat).role(EFFECT), struck.foe, trial.why)


def read_effect(combat: Combat) -> Deed:
    """Applies the failure of the roll: stunned, unconscious or dead."""
    key, struck = attack(combat).role(EFFECT), blow(combat)
    combat = yield from resolve_rolls(combat, key)
    trial = trial_of(combat, struck)
    if trial is None or passed(combat, key):
        return "goto"
    worse = trial.worse if combat.rolls[key].rolled > health(combat, struck.foe) else ""
    for condition in filter(None, (trial.fails, worse)):
        until = UNTIL.get(condition, "")
        combat = yield ConditionGained(struck.foe, condition, None, until, struck.place, trial.why, HERE)
    return "dead" if combat.conditions.has(struck.foe, DEAD) else "goto"


UNTIL: Mapping[str, str] = {STUNNED: AFTERWARDS, UNCONSCIOUS: HALF_AN_HOUR}
"""The end of each condition."""


# ------------------------------------------------------------------------------------------------ 41 to 45


def is_major_wound(combat: Combat) -> bool:
    """Returns whether one blow did more than HT/2.

    Ruling: G3-F16
    """
    struck = blow(combat)
    points = compared_injury(combat, struck, profile(combat).major_wound_by)
    return points > part_of_health(combat, struck.foe, Fraction(1, 2))


def be_stunned(combat: Combat) -> Deed:
    """Stuns the target until it recovers in its own turn, and prepares the knockdown roll."""
    struck = blow(combat)
    if not combat.conditions.has(struck.foe, STUNNED, *UNABLE):
        why = "more than HT/2 in one blow"
        combat = yield ConditionGained(struck.foe, STUNNED, None, AFTERWARDS, struck.place, why, HERE)
    if not combat.conditions.has(struck.foe, PRONE, *UNABLE):
        key, ht = attack(combat).role(KNOCKDOWN), health(combat, struck.foe)
        yield from prepare(combat, key, struck.foe, ht, f"HT {ht}", HERE)
    return None


def knockdown_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT to stay standing; a target that lies rolls nothing."""
    return request_stand_roll(combat, KNOCKDOWN)


def read_knockdown(combat: Combat) -> Deed:
    """Reads the roll: standing, or fallen."""
    return stands_or_falls(combat, KNOCKDOWN, "knocked down", HERE)


def has_enough_left(combat: Combat) -> bool:
    """Returns whether 4 hit points or more are left.

    Ruling: G3-F18
    """
    return hits_left(combat, blow(combat).foe) > LOW


def be_slowed(combat: Combat) -> Deed:
    """Halves Move and Dodge."""
    struck = blow(combat)
    if not combat.conditions.has(struck.foe, HALVED):
        until, why = "more than 3 hit points", f"{hits_left(combat, struck.foe)} hit points left"
        yield ConditionGained(struck.foe, HALVED, None, until, struck.place, why, HERE)
    return None
