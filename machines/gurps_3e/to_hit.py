"""Boxes 1 to 14: the effective skill, and the roll to hit."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionLost, Event, ModifierApplied, RollRequested
from machines.boxes import Telling, figure
from machines.chart import Deed
from machines.gurps_3e.aiming import AIMED, AIMING, aimed, has_aimed
from machines.gurps_3e.firing import rounds_that_hit, which_shot
from machines.gurps_3e.profile import profile
from machines.gurps_3e.ranges import opportunity, speed_and_range
from machines.gurps_3e.reading import (
    SHOCK,
    THIS_TURN,
    has_shield,
    location_named,
    needed,
    posture,
    sheet,
    shock,
    situation,
)
from machines.gurps_3e.rows import HitLocation
from machines.gurps_3e.spending import begin
from machines.gurps_3e.striking import LEFT, PAGE, TORSO_ONLY, WATCHING, WHERE, Attack, attack, location
from machines.gurps_3e.success import (
    LEAST,
    MOST,
    TARGET,
    asked,
    base,
    changes,
    modified,
    resolve,
    succeeds,
    target,
)
from machines.gurps_3e.tables import ATTACK_MODIFIERS, RANDOM_LOCATIONS, STANDING_MODIFIERS
from projections.combat import Combat

REDUCED = "dx_reduced"
"""The condition of whoever has less DX for the rest of the fight."""


def standing(key: str, name: str) -> ModifierApplied:
    """A modifier that counts by itself.

    Source: CII 48-51 Flowchart
    """
    row = STANDING_MODIFIERS[name]
    return ModifierApplied(key, row.value, row.name, row.source)


def declared(now: Attack, box: str) -> Iterator[Event]:
    """The rows of the modifiers that were declared and count in this box; of a target, only for whoever was meant."""
    for name in now.terms.modifiers:
        row = ATTACK_MODIFIERS[name]
        meant = not now.unintended or row.close or box not in OF_TARGETS
        if row.box == box and meant:
            yield ModifierApplied(now.hit, row.value * (now.kind.moving if row.moving else 1), row.name, row.source)


OF_TARGETS = ("6", "8")
"""Boxes whose modifiers are of the target."""


# ------------------------------------------------------------------------------------------------ 1 to 3


def start(combat: Combat) -> Deed:
    """The weapon skill as it is; what the attack costs is paid with its first strike.

    Source: CII 48-51 Flowchart box 1
    """
    now = attack(combat)
    if now.nth == 1:
        combat = yield from begin(combat, now)
    name = now.weapon.skill
    value = needed(combat, now.by, name)
    yield base(now.hit, value, f"{name} {value}", PAGE, now.by)
    return None


def environment(combat: Combat) -> Deed:
    """Footing, darkness, and what no table has. Whoever aims has seen to their footing.

    Source: CII 48-51 Flowchart box 2, B 107 Bad Footing, 92 Darkness
    """
    now = attack(combat)
    for event in (*_surroundings(combat, now), *declared(now, "2"), *changes(now.hit, "", now.terms.other)):
        combat = yield event
    return None


def _surroundings(combat: Combat, now: Attack) -> Iterator[Event]:
    if not has_aimed(combat, now):
        yield from changes(now.hit, "B 107 Bad Footing", {"bad footing": footing(combat, now)})
    yield from changes(now.hit, "B 92 Darkness", {"darkness": darkness(combat, now)})


def footing(combat: Combat, now: Attack) -> int:
    """The penalty for footing: of the attack, or of the place.

    Source: B 107 Bad Footing
    """
    return situation(combat).footing if now.terms.footing is None else now.terms.footing


def darkness(combat: Combat, now: Attack) -> int:
    """The penalty for darkness: of the attack, or of the place.

    Source: B 92 Darkness
    """
    return situation(combat).darkness if now.terms.darkness is None else now.terms.darkness


def personal(combat: Combat) -> Deed:
    """Movement, hands, familiarity, All-Out Attack, wild swing, position, shock.

    Source: CII 48-51 Flowchart box 3
    """
    now = attack(combat)
    owner = sheet(combat, now.by)
    for event in declared(now, "3"):
        row = ATTACK_MODIFIERS[event.why] if isinstance(event, ModifierApplied) else None
        if not (row and row.spared and getattr(owner, row.spared)):
            combat = yield event
    for event in _personal(combat, now):
        combat = yield event
    return None


def _personal(combat: Combat, now: Attack) -> Iterator[Event]:
    if now.terms.all_out == TO_HIT_BONUS:
        yield standing(now.hit, "all-out attack")
    if now.terms.wild:
        row = STANDING_MODIFIERS["wild swing"]
        more = min(0, row.value - darkness(combat, now))
        yield from changes(now.hit, row.source, {row.name: more})
    here = posture(combat, now.by)
    yield from changes(now.hit, here.source, {here.name: here.attack})
    yield from changes(now.hit, "B 126 Shock", {SHOCK: -shock(combat, now.by, THIS_TURN)})
    reduced = combat.conditions.of(now.by).get(REDUCED)
    if reduced is not None and reduced.level:
        yield from changes(now.hit, "GCT Critical Head Blow Table", {"less DX": -reduced.level})


TO_HIT_BONUS = "to_hit"
"""The form of an All-Out Attack that is for one blow at a bonus."""

# ------------------------------------------------------------------------------------------------ 4 to 6


def strikes_at_random(combat: Combat) -> bool:
    """A wild swing, or a blow at no place in particular?

    Source: CII 48-51 Flowchart box 4
    """
    now = attack(combat)
    return now.terms.wild or now.terms.random


def location_roll(combat: Combat) -> Iterator[RollRequested]:
    """3d for the place.

    Source: CII 48-51 Flowchart box 5, B 203 Random Hit Location
    """
    now = attack(combat)
    yield asked(combat, now.role("location"), now.by, "where it strikes")


def read_location(combat: Combat) -> Deed:
    """The place; of a hand or a foot a die tells which.

    Source: CII 48-51 Flowchart box 5, B 203 Random Hit Location
    """
    now = attack(combat)
    rolled = sum(combat.rolls[now.role("location")].faces)
    row = next(row for row in RANDOM_LOCATIONS.values() if rolled in row.rolls)
    if not row.sides:
        yield figure(now.place, WHERE, row.name, f"rolled {rolled}", row.source)
    return "side" if row.sides else "goto"


def side_roll(combat: Combat) -> Iterator[RollRequested]:
    """A die for left or right.

    Source: B 203 Random Hit Location
    """
    now = attack(combat)
    yield RollRequested(now.role("side"), now.by, "1d6", "which of the two: 1-3 the near one", now.key)


def read_side(combat: Combat) -> Deed:
    """The near one, or the far one.

    Source: B 203 Random Hit Location
    """
    now = attack(combat)
    rolled = sum(combat.rolls[now.role("location")].faces)
    row = next(row for row in RANDOM_LOCATIONS.values() if rolled in row.rolls)
    far = combat.rolls[now.role("side")].faces[0] > 3
    yield figure(now.place, WHERE, row.sides[far], f"rolled {rolled}", row.source)
    return None


def target_modifiers(combat: Combat) -> Deed:
    """Cover, obstructing figures, hit location, elevation, size, and posture where it is shot at.

    Source: CII 48-51 Flowchart box 6
    """
    now = attack(combat)
    if not combat.figures.holds(now.place, WHERE):
        named = TORSO_ONLY if now.unintended else now.terms.location
        where = location_named(named).name
        combat = yield figure(now.place, WHERE, where, "aimed at" if named else "", "CII 53 Hit Locations")
    for event in _of_the_target(combat, now):
        combat = yield event
    return None


def _of_the_target(combat: Combat, now: Attack) -> Iterator[Event]:
    yield from declared(now, "6")
    where = location(combat, now.place)
    yield from changes(now.hit, where.source, {where.name: location_penalty(combat, now, where)})
    if not now.unintended:
        yield from changes(now.hit, "B 123 Relative Elevation", {"elevation": now.terms.elevation})
    yield from changes(now.hit, "B 201 Size", {"size": sheet(combat, now.foe).size})
    lies = posture(combat, now.foe)
    if now.kind.ranged:
        yield from changes(now.hit, lies.source, {f"target {lies.name}": lies.as_target})


def location_penalty(combat: Combat, now: Attack, where: HitLocation) -> int:
    """What a place costs; whether one that was rolled does is the profile's field.

    Source: CII 53 Hit Locations; Ruling: G3-F7
    """
    chosen = not (now.terms.wild or now.terms.random)
    if not chosen and not RANDOM_COSTS[profile(combat).random_location]:
        return 0
    if where.with_shield is not None and has_shield(combat, now.foe):
        return where.with_shield
    return int(getattr(profile(combat), where.disputed)) if where.disputed else where.to_hit


RANDOM_COSTS: Mapping[str, bool] = {"counts": True, "free": False}
"""By the profile's field."""

# ------------------------------------------------------------------------------------------------ 7 to 13


def is_ranged(combat: Combat) -> bool:
    """Thrown, shot or fired?

    Source: CII 48-51 Flowchart box 7
    """
    return attack(combat).kind.ranged


def ranged_modifiers(combat: Combat) -> Deed:
    """Speed and range, erratic movement, recoil.

    Source: CII 48-51 Flowchart box 8
    """
    now = attack(combat)
    for event in (*speed_and_range(now), *declared(now, "8"), *_recoil(combat, now)):
        combat = yield event
    return None


def _recoil(combat: Combat, now: Attack) -> Iterator[Event]:
    shot = which_shot(combat, now)
    kicks = shot.before if shot.row.adds_up else min(1, shot.before)
    yield from changes(now.hit, shot.row.source, {f"recoil, {shot.row.name}": now.weapon.rcl * kicks})


def is_sudden(combat: Combat) -> Deed:
    """Opportunity fire over more than a hex, or a pop-up attack; the penalty.

    Source: CII 48-51 Flowchart box 9, B 118 Opportunity Fire, 116 Pop-Up Attacks; Ruling: G3-F1
    """
    now = attack(combat)
    watched = opportunity(str(combat.figures.exchange.get(f"{now.key} {WATCHING}", "1")))
    if watched is not None:
        yield from changes(now.hit, watched.source, {f"watching: {watched.name}": watched.value})
        return INCLUDED[profile(combat).opportunity_fire]
    if now.terms.pop_up:
        yield standing(now.hit, "pop-up attack")
        return "yes"
    return "no"


INCLUDED: Mapping[str, str] = {"twice": "yes", "once": "included"}
"""Does the snap shot count once more? By the profile's field."""


def is_aimed(combat: Combat) -> bool:
    """Aimed for a turn at least, or one group after the other aimed?

    Source: CII 48-51 Flowchart box 10, B 116 Aiming, 121 Successive Groups
    """
    now = attack(combat)
    return has_aimed(combat, now) or _is_successive(combat, now)


def _is_successive(combat: Combat, now: Attack) -> bool:
    return now.terms.successive and which_shot(combat, now).before > 0


def is_above_ss(combat: Combat) -> bool:
    """Is the skill, as modified so far, good enough against SS?

    Source: CII 48-51 Flowchart box 11, B 115 Snap Shots; Ruling: G3-F2
    """
    now = attack(combat)
    return GOOD_ENOUGH[profile(combat).snap_shot_at](modified(combat, now.hit), now.weapon.ss)


GOOD_ENOUGH: Mapping[str, Callable[[int, int], bool]] = {
    "exceeded": lambda skill, ss: skill > ss,
    "reached": lambda skill, ss: skill >= ss,
}
"""By the profile's field."""


def snap_shot(combat: Combat) -> Deed:
    """-4, or what the weapon says.

    Source: CII 48-51 Flowchart box 12, B 115 Snap Shots
    """
    now = attack(combat)
    row = STANDING_MODIFIERS["snap shot"]
    value = row.value if now.weapon.snap_shot is None else now.weapon.snap_shot
    for event in changes(now.hit, row.source, {row.name: value}):
        combat = yield event
    return None


def accuracy(combat: Combat) -> Deed:
    """Acc, sights, further turns of aiming or further groups, and a brace.

    Source: CII 48-51 Flowchart box 13, B 115 Accuracy, 116 Aiming
    """
    now = attack(combat)
    groups = which_shot(combat, now).before if now.terms.successive else 0
    longer = min(STANDING_MODIFIERS["most by aiming longer"].value, max(0, aimed(combat, now) - 1) + groups)
    parts = {"Acc": now.weapon.acc, "sights": now.weapon.scope, "aimed longer": longer}
    for event in changes(now.hit, "B 116 Aiming", parts):
        combat = yield event
    if now.terms.braced:
        combat = yield standing(now.hit, "braced")
    return None


# ------------------------------------------------------------------------------------------------ 14


def effective_skill(combat: Combat) -> Deed:
    """What 3d have to come under: at most 9 for a wild swing and for somebody who was not meant. An aim is used up.

    Source: CII 48-51 Flowchart box 14; Ruling: G3-F3
    """
    now = attack(combat)
    if now.terms.wild or now.unintended:
        row = STANDING_MODIFIERS["unintended target"]
        combat = yield figure(now.hit, MOST, row.value, "", row.source)
    combat = yield target(combat, now.hit, now.by)
    if combat.conditions.has(now.by, AIMING) and not now.terms.successive:
        combat = yield figure(now.key, AIMED, aimed(combat, now), "", "B 116 Aiming")
        yield ConditionLost(now.by, AIMING, "attacks")
    return None


def to_hit_roll(combat: Combat) -> Iterator[RollRequested]:
    """3d, unless the effective skill is too low to try.

    Source: CII 48-51 Flowchart box 14, B 86 Success Rolls
    """
    now = attack(combat)
    if combat.figures.number(now.hit, TARGET) >= LEAST:
        yield asked(
            combat, now.hit, now.by, f"hit {now.foe} with {now.name}" if now.unintended else f"hit with {now.name}"
        )


def read_to_hit(combat: Combat) -> Deed:
    """Hit or missed; of a group more than one round may hit.

    Source: CII 48-51 Flowchart box 14, B 120 Automatic Fire
    """
    now = attack(combat)
    if not combat.rolls[now.hit].faces:
        why = f"effective skill below {LEAST}"
        yield figure(now.place, "no roll", combat.figures.number(now.hit, TARGET), why, "B 86 Success Rolls")
        return "miss"
    combat = yield resolve(combat, now.hit)
    if not succeeds(combat.rolls[now.hit].outcome):
        return "miss"
    yield from hits(combat, now, rounds_that_hit(combat, now))
    return "hit"


def hits(combat: Combat, now: Attack, rounds: int) -> Telling:
    """How many rounds of a group hit."""
    if now.weapon.automatic:
        why = "somebody who was not meant" if now.unintended else f"margin {combat.rolls[now.hit].margin:+d}"
        combat = yield figure(now.key, LEFT, rounds, why, "B 120 Automatic Fire")
    return combat
