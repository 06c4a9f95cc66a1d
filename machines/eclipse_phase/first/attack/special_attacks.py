"""Called shots, holds, concentrated beams, further targets, scatter, strain."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ChoiceRequested, ConditionGained, Event, ModifierApplied, Option, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.toolkit import emit, floored
from machines.eclipse_phase.family.attacks import SPOT, hit_spot, spoiled
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS
from machines.eclipse_phase.family.damage import BLAST
from machines.eclipse_phase.family.edition import BASE, CALLED_SHOT, DV, KNOCKBACK, NTH_TARGET, SCATTER
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.success import ASIDE, base, d100_request, passed
from machines.eclipse_phase.first.attack.attack import LEFT_TO_CHANCE
from machines.eclipse_phase.first.attack.attack_context import Attack, at_hand, attack, attacks_left
from machines.eclipse_phase.first.figure_names import (
    ARMOR_DEFEATED,
    ATTACKS_LEFT,
    BEAM_KEPT_ON,
    DAMAGE_HALVED,
    HANDS,
    HELD_BY,
)
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import HELD, sheet
from machines.eclipse_phase.first.success_tests.success import prepare, resolve
from machines.eclipse_phase.first.tables.tables import MISHAPS
from projections.combat import Combat

_CALLED = "EP1 196 Called Shots"


# ------------------------------------------------------------------------------------------------ called shots


def what_is_called(combat: Combat) -> Deed:
    """Applies a called shot. With enough margin it has its effect; a harmless one only hurts by a critical success."""
    now = attack(combat)
    called, hit = now.called, combat.rolls[now.hit]
    if called is None:
        return "hurts"
    critical = hit.outcome == CRITICAL_SUCCESS
    if hit.margin >= called.margin:
        why = f"{called.name}, margin {hit.margin}"
        combat = yield CALLED_SHOT.found(now.place, called.name, why, called.source, who=now.at)
        combat = yield from emit(combat, DOES[called.does](now, hit.margin))
    else:
        combat = yield from emit(combat, FALLS_SHORT.get(called.does, _nothing)(now, hit.margin))
    if called.harmless and not critical:
        return "harmless"
    if called.spares:
        return "spares"
    return "spot" if SPOT.is_at(combat, now.place) else "hurts"


def _bypass(now: Attack, _: int) -> Iterator[Event]:
    yield ARMOR_DEFEATED.found(now.place, "called shot", "a weak point", _CALLED, who=now.at)


def _disarm(now: Attack, _: int) -> Iterator[Event]:
    yield DAMAGE_HALVED.found(now.place, "yes", "meant to disarm", _CALLED, who=now.at)


def _spot(now: Attack, _: int) -> Iterator[Event]:
    yield hit_spot(now, _CALLED)


def _push(now: Attack, margin: int) -> Iterator[Event]:
    source = "EP1 202 Knockdown and Knockback"
    why = f"1 m for each 10 of the margin, {margin}"
    yield KNOCKBACK.found(now.place, max(0, margin) // 10, why, source, who=now.at)


def _floor(now: Attack, margin: int) -> Iterator[Event]:
    source = "EP1 202 Knockdown and Knockback"
    yield from _push(now, margin)
    yield ConditionGained(now.at, "prone", None, "standing up", now.key, "knocked down", source)


def _hold(now: Attack, _: int) -> Iterator[Event]:
    yield ConditionGained(now.at, HELD, None, "breaking free", now.key, f"held by {now.by}", "EP1 204 Subdual")
    yield HELD_BY.found(now.key, now.by, "subdual", "EP1 204 Subdual", who=now.at)


def _nothing(_: Attack, __: int) -> Iterator[Event]:
    yield from ()


DOES: Mapping[str, Callable[[Attack, int], Iterator[Event]]] = {
    "bypass": _bypass,
    "disarm": _disarm,
    "spot": _spot,
    "push": _push,
    "floor": _floor,
    "hold": _hold,
}
"""Effects of a successful called shot, by the column of its table."""


FALLS_SHORT: Mapping[str, Callable[[Attack, int], Iterator[Event]]] = {"floor": _push}
"""Effects without the margin: a target who is not knocked down is knocked back."""


def offer_spot(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster what hitting the spot does, in words."""
    now = attack(combat)
    spot = SPOT.at(combat, now.place)
    options = (Option("effect", "it has an effect of its own"), Option("nothing", "nothing more than a hit"))
    return ChoiceRequested(now.role("spot"), "gm", options, "nothing", f"what hitting {spot} does")


def must_hold_weapon(combat: Combat) -> bool:
    """Returns whether the target was hit in order to be disarmed."""
    now = attack(combat)
    return DAMAGE_HALVED.is_at(combat, now.place) and not combat.conditions.has(now.at, "dead")


def prepare_grip(combat: Combat) -> Deed:
    """Prepares the test to keep hold of the weapon: SOM x 3 at -30."""
    now = attack(combat)
    key, som = now.role("grip"), sheet(combat, now.at).aptitudes.som
    harder = (ModifierApplied(key, -30, "keeping hold of a weapon", HERE),)
    yield from prepare(combat, key, now.at, som * 3, f"SOM {som} x 3", HERE, harder)
    return None


def grip_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test to keep hold of the weapon."""
    now = attack(combat)
    yield d100_request(combat, now.role("grip"), now.at, "keep hold of the weapon")


def read_grip(combat: Combat) -> Deed:
    """Reads the test to keep hold of the weapon."""
    yield resolve(combat, attack(combat).role("grip"))
    return None


def lose_weapon(combat: Combat) -> Deed:
    """Drops the weapon after a failed test: the one named by the attacker, or the target's first in hand.

    Ruling: EP1-N13
    """
    now = attack(combat)
    if not passed(combat, now.role("grip")):
        held = now.terms.spot or next(iter(at_hand(combat, now.at)), "weapon")
        yield ConditionGained(now.at, spoiled(held, "dropped"), None, "picked up", now.key, "disarmed", HERE)
    return None


# ------------------------------------------------------------------------------------------------ concentrated beams


def can_keep_beam_on(combat: Combat) -> bool:
    """Returns whether a beam that hit with the first of two shots can be kept on in place of the second."""
    now = attack(combat)
    several = HANDS.of(combat, now.by)
    return now.weapon.beam and not now.suppressing and not several and attacks_left(combat, now.by) > 0


def offer_beam(combat: Combat) -> ChoiceRequested:
    """Asks before the damage dice: another shot, or x 1.5 for this one."""
    now = attack(combat)
    options = (Option("fire_again", "keep the second shot"), Option("keep_on", "give it up for DV x 1.5"))
    return ChoiceRequested(now.role("beam"), now.by, options, "fire_again", "what to do with the beam")


def keep_beam_on(combat: Combat) -> Deed:
    """Gives up the second shot."""
    now = attack(combat)
    source = "EP1 195 Concentrated Fire"
    combat = yield BEAM_KEPT_ON.found(now.place, "yes", "the second shot given up", source)
    yield ATTACKS_LEFT.found(now.key, 0, "the beam is kept on", source, who=now.by)
    return None


# ------------------------------------------------------------------------------------------------ further targets


def next_target(combat: Combat) -> Deed:
    """Continues with the next target or victim; otherwise the attack is over.

    Ruling: EP1-N14
    """
    now = attack(combat)
    if now.nth < now.aimed and STOPS[profile(combat).spoiled_weapon](combat, now):
        return "nobody"
    if now.nth >= len(now.targets) or (now.nth >= now.aimed and not BLAST.is_at(combat, now.key)):
        return "nobody"
    combat = yield NTH_TARGET.found(now.key, now.nth + 1, "", HERE)
    now = attack(combat)
    if now.nth > now.aimed:
        return "caught"
    if not now.shared:
        yield from _skill_again(combat, now)
    return "aimed"


def _is_spoiled(combat: Combat, now: Attack) -> bool:
    return any(combat.conditions.has(now.by, spoiled(now.name, name)) for name, row in MISHAPS.items() if row.spoils)


STOPS: Mapping[str, Callable[[Combat, Attack], bool]] = {"goes_on": lambda *_: False, "stops": _is_spoiled}
"""Whether an attack ends before its next target because its weapon became unusable, by the profile's field."""


def _skill_again(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the base of the roll against the next target in melee; a blind attack stays left to chance."""
    first = f"{now.key}/to-hit"
    yield base(now.hit, BASE.at(combat, first), now.skill, "EP1 191 Step 1", now.by)
    if LEFT_TO_CHANCE.is_at(combat, first):
        yield ASIDE.found(now.hit, "all", "left to chance", "EP1 195 Blind Attacks")


def aftermath(combat: Combat) -> Deed:
    """Returns what follows the attack: a missed blast scatters, a sleight that was not a failed touch strains."""
    now = attack(combat)
    yield from ()
    if now.weapon.area and not BLAST.is_at(combat, now.key):
        return "scatters"
    return "strains" if now.weapon.strain is not None and not now.touching else "over"


def read_scatter(combat: Combat) -> Deed:
    """Computes the scatter: the die in meters, x 2 if missed by more than 30, x 3 by more than 60.

    Ruling: EP1-N15
    """
    now = attack(combat)
    key = f"{now.key}/scatter"
    die, missed_by = combat.rolls[key].faces[0], max(0, -combat.rolls[f"{now.key}/to-hit"].margin)
    times = scattered(missed_by)
    why = f"{die} x {times}, missed by {missed_by}; the way the die points"
    yield SCATTER.found(key, die * times, why, HERE)
    return None


def scattered(missed_by: int) -> int:
    """Returns the factor for the distance of a scattered blast.

    Source: EP1 204 Scatter

    >>> scattered(30), scattered(31), scattered(61)
    (1, 2, 3)
    """
    return 3 if missed_by > 60 else 2 if missed_by > 30 else 1


# ------------------------------------------------------------------------------------------------ strain


def strain_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the die for the sleight's strain."""
    now = attack(combat)
    yield RollRequested(f"{now.key}/strain", now.by, "1d10/2", f"strain of {now.name}", now.key)


def take_strain(combat: Combat) -> Deed:
    """Applies strain as damage: half a die rounded up plus the sleight's modifier, doubled in a pod."""
    now = attack(combat)
    key = f"{now.key}/strain"
    die = combat.rolls[key].faces[0]
    modifier = now.weapon.strain or 0
    times = 2 if sheet(combat, now.by).half_machine else 1
    once, why = floored(-(-die // 2) + modifier, f"half of {die} {modifier:+d}")
    combat = yield DV.found(key, once * times, why + (", doubled in a pod" if times > 1 else ""), HERE)
    return (yield from suffer(combat, key, now.by, DV.at(combat, key), 0, "damage"))
