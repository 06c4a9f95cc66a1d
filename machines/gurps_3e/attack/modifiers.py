"""Boxes 1 to 6: the weapon skill, and its modifiers for environment, attacker and target."""

from collections.abc import Iterator, Mapping

from ledger.events import Event, ModifierApplied, RollRequested
from machines.contract.chart import Deed
from machines.contract.dice_reading import pure
from machines.contract.toolkit import emit
from machines.gurps_3e.attack.aiming import has_aimed
from machines.gurps_3e.attack.attack_context import PAGE, TORSO_ONLY, WHERE, Attack, attack, location
from machines.gurps_3e.attack.ranges import size_modifier
from machines.gurps_3e.attack.spending import begin
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet_access import (
    REDUCED,
    SHOCK,
    THIS_TURN,
    has_shield,
    lacking_strength,
    location_named,
    posture,
    required_skill,
    sheet,
    shock,
    situation,
)
from machines.gurps_3e.success_rolls.success import base, looked_up, modifier_events, request_roll
from machines.gurps_3e.tables.rows import HitLocation, RandomLocation
from machines.gurps_3e.tables.tables import ATTACK_MODIFIERS, RANDOM_LOCATIONS, STANDING_MODIFIERS
from machines.secrecy.part_sources import of_condition, of_sheet
from projections.combat import Combat


def standing(key: str, name: str) -> ModifierApplied:
    """Returns a modifier that a rule applies by itself.

    Source: CII 48-51 Flowchart
    """
    row = STANDING_MODIFIERS[name]
    return ModifierApplied(key, row.value, row.name, row.source)


SNAP = "snap shot"
SPARED = "no snap shot after all"
"""The modifier that takes a snap shot penalty away, after a modifier of the gamemaster."""


def snap_shot_of(combat: Combat, key: str) -> int:
    """Returns the snap shot penalty of a roll; 0 where it is no snap shot.

    Source: B 115 Snap Shots
    """
    return sum(part.value for part in combat.rolls.modifiers(key) if part.why in (SNAP, SPARED))


def declared(now: Attack, box: str) -> Iterator[Event]:
    """Yields the declared modifiers of a box; those of the target only for the intended target."""
    for name in now.terms.modifiers:
        row = ATTACK_MODIFIERS[name]
        meant = not now.unintended or row.close or box not in OF_TARGETS
        if row.box == box and meant:
            yield ModifierApplied(now.hit, row.value * (now.kind.moving if row.moving else 1), row.name, row.source)


OF_TARGETS = ("6", "8")
"""Boxes whose modifiers belong to the target."""


# ------------------------------------------------------------------------------------------------ 1 to 3


def start(combat: Combat) -> Deed:
    """Starts with the unmodified weapon skill; the first strike pays for the attack."""
    now = attack(combat)
    if now.nth == 1:
        combat = yield from begin(combat, now)
    name = now.weapon.skill
    value = required_skill(combat, now.by, name)
    yield base(now.hit, value, f"{name} {value}", PAGE, now.by)
    return None


def environment(combat: Combat) -> Deed:
    """Applies footing, darkness, and declared modifiers without a table; an aimed attack ignores footing."""
    now = attack(combat)
    combat = yield from emit(
        combat, (*_surroundings(combat, now), *declared(now, "2"), *modifier_events(now.hit, "", now.terms.other))
    )
    return None


def _surroundings(combat: Combat, now: Attack) -> Iterator[Event]:
    if not has_aimed(combat, now):
        yield from modifier_events(now.hit, "B 107 Bad Footing", {"bad footing": footing(combat, now)})
    yield from modifier_events(now.hit, "B 92 Darkness", {"darkness": darkness(combat, now)})


def footing(combat: Combat, now: Attack) -> int:
    """Returns the penalty for footing: that of the attack, or that of the fight.

    Source: B 107 Bad Footing
    """
    return situation(combat).footing if now.terms.footing is None else now.terms.footing


def darkness(combat: Combat, now: Attack) -> int:
    """Returns the penalty for darkness: that of the attack, or that of the fight.

    Source: B 92 Darkness
    """
    return situation(combat).darkness if now.terms.darkness is None else now.terms.darkness


def personal(combat: Combat) -> Deed:
    """Applies movement, hands, familiarity, All-Out Attack, wild swing, position and shock."""
    now = attack(combat)
    owner = sheet(combat, now.by)
    for event in declared(now, "3"):
        row = ATTACK_MODIFIERS[event.why] if isinstance(event, ModifierApplied) else None
        if not (row and row.spared and getattr(owner, row.spared)):
            combat = yield event
    combat = yield from emit(combat, _personal(combat, now))
    return None


def _personal(combat: Combat, now: Attack) -> Iterator[Event]:
    if now.terms.all_out == TO_HIT_BONUS:
        yield standing(now.hit, "all-out attack")
    if now.terms.wild:
        row = STANDING_MODIFIERS["wild swing"]
        more = min(0, row.value - darkness(combat, now))
        yield from modifier_events(now.hit, row.source, {row.name: more})
    here = posture(combat, now.by)
    yield from of_condition(combat, now.by, here.name, modifier_events(now.hit, here.source, {here.name: here.attack}))
    felt = modifier_events(now.hit, "B 126 Shock", {SHOCK: -shock(combat, now.by, THIS_TURN)})
    yield from of_condition(combat, now.by, SHOCK, felt)
    weak = STANDING_MODIFIERS["ST below the minimum"]
    lacking = {weak.name: weak.value * lacking_strength(combat, now.by, now.weapon)}
    yield from of_sheet(combat, now.by, modifier_events(now.hit, weak.source, lacking))
    reduced = combat.conditions.of(now.by).get(REDUCED)
    if reduced is not None and reduced.level:
        less = modifier_events(now.hit, "GCT Critical Head Blow Table", {"less DX": -reduced.level})
        yield from of_condition(combat, now.by, REDUCED, less)


TO_HIT_BONUS = "to_hit"
"""The form of an All-Out Attack that is one blow with a bonus."""

# ------------------------------------------------------------------------------------------------ 4 to 6


def strikes_at_random(combat: Combat) -> bool:
    """Returns whether the attack is a wild swing, or a blow at a random location."""
    now = attack(combat)
    return now.terms.wild or now.terms.random


def location_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 3d for the location."""
    now = attack(combat)
    yield request_roll(combat, now.role("location"), now.by, "where it strikes")


def read_location(combat: Combat) -> Deed:
    """Records the location; a hand or a foot needs a further die."""
    now = attack(combat)
    rolled = looked_up(combat, now.role("location"))
    row = _random_location(rolled)
    if not row.sides:
        yield WHERE.found(now.place, row.name, f"rolled {rolled}", row.source)
    return "side" if row.sides else "goto"


@pure
def _random_location(rolled: int) -> RandomLocation:
    """Returns the row of the table of random locations for a sum of dice."""
    return next(row for row in RANDOM_LOCATIONS.values() if rolled in row.rolls)


def side_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests a die for left or right."""
    now = attack(combat)
    yield RollRequested(now.role("side"), now.by, "1d6", "which of the two: 1-3 the near one", now.key)


def read_side(combat: Combat) -> Deed:
    """Records the near or the far hand or foot."""
    now = attack(combat)
    rolled = looked_up(combat, now.role("location"))
    row = _random_location(rolled)
    far = combat.rolls[now.role("side")].faces[0] > 3
    yield WHERE.found(now.place, row.sides[far], f"rolled {rolled}", row.source)
    return None


def target_modifiers(combat: Combat) -> Deed:
    """Applies cover, obstructing figures, location, elevation, size, and the posture of a ranged target."""
    now = attack(combat)
    if not WHERE.is_at(combat, now.place):
        named = TORSO_ONLY if now.unintended else now.terms.location
        where = location_named(named).name
        combat = yield WHERE.found(now.place, where, "aimed at" if named else "", "CII 53 Hit Locations")
    combat = yield from emit(combat, _of_the_target(combat, now))
    return None


def _of_the_target(combat: Combat, now: Attack) -> Iterator[Event]:
    yield from declared(now, "6")
    where = location(combat, now.place)
    aimed = modifier_events(now.hit, where.source, {where.name: location_penalty(combat, now, where)})
    yield from aimed if where.with_shield is None else of_sheet(combat, now.foe, aimed)
    if not now.unintended:
        yield from modifier_events(now.hit, "B 123 Relative Elevation", {"elevation": now.terms.elevation})
    yield from of_sheet(
        combat, now.foe, modifier_events(now.hit, "B 201 Size", {"size": size_modifier(combat, now.foe)})
    )
    lies = posture(combat, now.foe)
    if now.kind.ranged:
        smaller = modifier_events(now.hit, lies.source, {f"target {lies.name}": lies.as_target})
        yield from of_condition(combat, now.foe, lies.name, smaller)


def location_penalty(combat: Combat, now: Attack, where: HitLocation) -> int:
    """Returns the penalty of a location; the profile decides whether a rolled one costs it.

    Source: CII 53 Hit Locations; Ruling: G3-F7
    """
    chosen = not (now.terms.wild or now.terms.random)
    if not chosen and not RANDOM_COSTS[profile(combat).random_location]:
        return 0
    if where.with_shield is not None and has_shield(combat, now.foe):
        return where.with_shield
    return int(getattr(profile(combat), where.disputed)) if where.disputed else where.to_hit


RANDOM_COSTS: Mapping[str, bool] = {"counts": True, "free": False}
"""Whether a rolled location costs its penalty, by the value of the profile's field."""
