"""Boxes 7 to 14: distance, aim, snap shots, and the roll to hit."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import Event, RollRequested
from ledger.modifier import listed
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import CannotAct
from machines.contract.toolkit import emit
from machines.gurps_3e.attack.aiming import AIMING, aimed, has_aimed, keeps_figures, use_up_aim
from machines.gurps_3e.attack.attack_context import WATCHING, Attack, attack
from machines.gurps_3e.attack.firing import hits, rounds_that_hit, which_shot
from machines.gurps_3e.attack.modifiers import declared, snap_shot_of, standing, strikes_at_random
from machines.gurps_3e.attack.ranges import assumed_distance, opportunity, speed_and_range
from machines.gurps_3e.profile import is_strict, profile
from machines.gurps_3e.sheet.sheet_access import IDLE, required_skill
from machines.gurps_3e.success_rolls.success import (
    BASE,
    LEAST,
    MOST,
    TARGET,
    modified,
    modifier_events,
    request_roll,
    result_of,
    succeeds,
    target,
)
from machines.gurps_3e.tables.tables import STANDING_MODIFIERS
from machines.secrecy.part_sources import of_roll
from projections.combat import Combat

NO_ROLL, STOPPED = FigureName("no roll", int), FigureName("no roll", str)
"""Why there is no roll: an effective skill that is too low; a condition that stopped the attacker before the attack."""

# ------------------------------------------------------------------------------------------------ 7 to 13


def is_ranged(combat: Combat) -> bool:
    """Returns whether the weapon is thrown, shot or fired."""
    return attack(combat).kind.ranged


def ranged_modifiers(combat: Combat) -> Deed:
    """Applies speed and range, erratic movement, and recoil."""
    now = attack(combat)
    combat = yield from emit(combat, (*assumed_distance(now), *speed_and_range(now)))
    combat = yield from emit(combat, (*declared(now, "8"), *_recoil(combat, now)))
    return None


def _recoil(combat: Combat, now: Attack) -> Iterator[Event]:
    shot = which_shot(combat, now)
    kicks = shot.before if shot.row.adds_up else min(1, shot.before)
    yield from modifier_events(now.hit, shot.row.source, {f"recoil, {shot.row.name}": now.weapon.rcl * kicks})


def is_sudden(combat: Combat) -> Deed:
    """Applies the penalty of opportunity fire over more than a hex, or of a pop-up attack.

    Ruling: G3-F1, G3-N30
    """
    now = attack(combat)
    hexes = WATCHING.at(combat, now.key)
    watched = opportunity(hexes) if hexes and not _is_free(combat, now, hexes) else None
    if watched is not None:
        yield from modifier_events(now.hit, watched.source, {f"watching: {watched.name}": watched.value})
        return INCLUDED[profile(combat).opportunity_fire]
    if now.terms.pop_up:
        yield standing(now.hit, "pop-up attack")
        return "yes"
    return "no"


def _is_free(combat: Combat, now: Attack, hexes: str) -> bool:
    """Returns whether a single hex that is watched has no penalty: by the profile, or because it was aimed at."""
    return hexes == ONE_HEX and (FREE[profile(combat).watching_one_hex] or has_aimed(combat, now))


ONE_HEX = "1"
FREE: Mapping[str, bool] = {"free": True, "table": False}
"""Whether a single hex has no penalty, by the value of the profile's field."""
INCLUDED: Mapping[str, str] = {"twice": "yes", "once": "included"}
"""The exit of opportunity fire, by the value of the profile's field: with the snap shot, or without it."""


def is_aimed(combat: Combat) -> bool:
    """Returns whether the attack was aimed for a turn, or is one of successive aimed groups."""
    now = attack(combat)
    return has_aimed(combat, now) or _is_successive(combat, now)


def _is_successive(combat: Combat, now: Attack) -> bool:
    return now.terms.successive and not now.unintended and which_shot(combat, now).before > 0


def is_above_ss(combat: Combat) -> bool:
    """Returns whether the skill, as modified so far, needs no snap shot penalty.

    An attack on an unintended target is a snap shot where the attack that strayed was one, or is judged by itself, by
    the profile.

    Ruling: G3-F2, G3-N27
    """
    now = attack(combat)
    if now.unintended and keeps_figures(combat):
        return not snap_shot_of(combat, now.first_hit)
    return GOOD_ENOUGH[profile(combat).snap_shot_at](modified(combat, now.hit), now.weapon.ss)


GOOD_ENOUGH: Mapping[str, Callable[[int, int], bool]] = {
    "exceeded": lambda skill, ss: skill > ss,
    "reached": lambda skill, ss: skill >= ss,
}
"""Compares a skill with SS, by the value of the profile's field."""


def snap_shot(combat: Combat) -> Deed:
    """Applies the snap shot penalty: that of the weapon, or -4."""
    now = attack(combat)
    row = STANDING_MODIFIERS["snap shot"]
    value = row.value if now.weapon.snap_shot is None else now.weapon.snap_shot
    combat = yield from emit(combat, of_roll(combat, now.hit, modifier_events(now.hit, row.source, {row.name: value})))
    return None


def accuracy(combat: Combat) -> Deed:
    """Applies Acc, sights, further turns of aiming or further groups, and a brace."""
    now = attack(combat)
    groups = which_shot(combat, now).before if _is_successive(combat, now) else 0
    longer = min(STANDING_MODIFIERS["most by aiming longer"].value, max(0, aimed(combat, now) - 1) + groups)
    parts = {"Acc": now.weapon.acc, "sights": now.weapon.scope, "aimed longer": longer}
    combat = yield from emit(combat, modifier_events(now.hit, "B 116 Aiming", parts))
    if now.terms.braced:
        combat = yield standing(now.hit, "braced")
    return None


# ------------------------------------------------------------------------------------------------ 14


def effective_skill(combat: Combat) -> Deed:
    """Records the effective skill: at most 9 for a wild swing or an unintended target. Uses up an aim.

    Raises:
        CannotAct: It is below 3, and the profile refuses that. Where the location or the target was not known when the
            attack was declared, it is not raised.

    Ruling: G3-F3, G3-N34
    """
    now = attack(combat)
    if now.terms.wild or now.unintended:
        row = STANDING_MODIFIERS["unintended target"]
        combat = yield MOST.found(now.hit, row.value, "", row.source)
    combat = yield target(combat, now.hit, now.by)
    if not (now.nth > 1 or strikes_at_random(combat)) and is_strict(combat):
        check_enough(combat, now)
    kept = now.terms.successive and combat.turn.who == now.by
    if combat.conditions.has(now.by, AIMING) and not kept:
        yield from use_up_aim(combat, now)
    return None


def check_enough(combat: Combat, now: Attack) -> None:
    """Rejects an attack whose effective skill is too low to try, unless the gamemaster's word made it so.

    Raises:
        CannotAct: With the sum, as far as all may see its parts.

    Source: B 86 Success Rolls; Ruling: G3-N34
    """
    value, start = TARGET.at(combat, now.hit), BASE.at(combat, now.hit)
    as_declared = required_skill(combat, now.by, now.weapon.skill) + modified(combat, now.hit) - start
    if max(value, as_declared) < LEAST:
        parts = listed(combat.rolls.known(now.hit, None))
        total = f"{now.weapon.skill} {start}{parts}"
        accepts = f"an effective skill of {LEAST} or more: aim, come nearer, choose another location"
        raise CannotAct(
            f"{now.by}'s attack would be at {value}, below {LEAST}: {total}", where="using", accepts=accepts
        )


def to_hit_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 3d, unless the effective skill is too low to try."""
    now = attack(combat)
    if TARGET.at(combat, now.hit) >= LEAST:
        yield request_roll(
            combat, now.hit, now.by, f"hit {now.foe} with {now.name}" if now.unintended else f"hit with {now.name}"
        )


def read_to_hit(combat: Combat) -> Deed:
    """Reads the roll: hit or missed; several rounds of a group may hit.

    An attacker who was stopped by an attack from waiting misses.

    Ruling: G3-N19
    """
    now = attack(combat)
    stopped = next((each for each in IDLE if combat.conditions.has(now.by, each)), "")
    if stopped and now.nth == 1:
        yield STOPPED.found(now.place, stopped, "stopped before the attack", HERE)
        return "miss"
    if TARGET.at(combat, now.hit) < LEAST:
        why = f"effective skill below {LEAST}"
        yield NO_ROLL.found(now.place, TARGET.at(combat, now.hit), why, HERE)
        return "miss"
    combat = yield result_of(combat, now.hit)
    if not succeeds(combat.rolls[now.hit].outcome):
        return "miss"
    yield from hits(combat, now, rounds_that_hit(combat, now))
    return "hit"
