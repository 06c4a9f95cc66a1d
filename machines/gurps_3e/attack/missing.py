"""Boxes 15 to 20: misses, misses by 1, and unintended targets."""

from collections.abc import Iterator

from ledger.events import RollRequested
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.gurps_3e.attack.attack_context import (
    FOE,
    PAGE,
    UNINTENDED,
    WHERE,
    Attack,
    attack,
    is_type,
    location,
    next_strike,
)
from machines.gurps_3e.attack.critical import TABLES_USED
from machines.gurps_3e.attack.firing import ENOUGH, group, hits, hits_by
from machines.gurps_3e.defense.defense_outcome import has_dodged
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet_access import DEAD
from machines.gurps_3e.vocabulary import CRITICAL_FAILURE
from projections.combat import Combat

ASSUMED = FigureName("assumed", str)
"""What is assumed about an attack for which the declaration omits a term."""

WRONG = "wrong-target"


def is_critical_miss(combat: Combat) -> bool:
    """Returns whether the attack failed critically; without the tables no miss does.

    Ruling: G3-N32
    """
    used = TABLES_USED[profile(combat).critical_tables]
    return used and combat.rolls[attack(combat).hit].outcome == CRITICAL_FAILURE


def missed_by_one(combat: Combat) -> bool:
    """Returns whether the attack failed by exactly 1."""
    roll = combat.rolls[attack(combat).hit]
    return bool(roll.outcome) and roll.margin == -1


def near_miss_result(combat: Combat) -> Deed:
    """Turns a miss by 1 into a hit: one round of a group, or the location beside the intended one.

    Ruling: G3-F6
    """
    now = attack(combat)
    if now.weapon.automatic and group(combat, now) >= ENOUGH:
        yield from hits(combat, now, hits_by(combat, now, -1))
        return "group"
    where = location(combat, now.place)
    if where.miss_by_one and (not where.misses or is_type(now.weapon, where.misses)):
        why = f"missed the {where.name} by 1"
        yield WHERE.found(now.place, where.miss_by_one, why, where.source)
        return "location"
    if where.miss_by_one and not (now.kind.ranged or now.weapon.swung or now.weapon.thrust):
        why = "the sheet has neither swung nor thrust; a miss by 1 strikes nothing else"
        yield ASSUMED.found(now.place, f"{now.name} is no {' or '.join(where.misses)}", why, where.source)
    return "neither"


def may_strike_another(combat: Combat) -> bool:
    """Returns whether the attack is a missile, or a blow into a close combat."""
    now = attack(combat)
    return now.kind.ranged or bool(now.terms.melee)


def candidates(combat: Combat, now: Attack) -> tuple[str, ...]:
    """Returns who may be struck instead of the target, each once: the first in line, or all in a close combat.

    Source: CII 48-51 Flowchart box 20, B 117 Hitting the Wrong Target, 114 Close Combat; Ruling: G3-F8
    """
    tried = {now.terms.at, *(FOE.at(combat, f"{now.key}/blow/{nth}") for nth in range(2, now.nth + 1))}
    order = now.terms.melee or (now.terms.behind if has_dodged(combat, now) else now.terms.near)
    left = tuple(who for who in order if who not in tried and who in combat.roster.here() and who != now.by)
    there = tuple(who for who in left if not combat.conditions.has(who, DEAD))
    return there if now.terms.melee else there[:1]


def wrong_target_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests a die where several combatants are in a close combat."""
    now = attack(combat)
    found = candidates(combat, now)
    if len(found) > 1:
        yield RollRequested(now.role(WRONG), now.by, f"1d{len(found)}", f"who is struck: {', '.join(found)}", now.key)


def find_wrong_target(combat: Combat) -> Deed:
    """Begins the attack on an unintended target; without one, the attack has missed.

    Ruling: G3-F8
    """
    now = attack(combat)
    found = candidates(combat, now)
    if not found:
        return "no"
    faces = combat.rolls[now.role(WRONG)].faces
    foe = found[faces[0] - 1 if faces else 0]
    combat = yield from next_strike(now, foe, "not meant, but in the way")
    yield UNINTENDED.found(attack(combat).place, "yes", "", PAGE)
    return "yes"
