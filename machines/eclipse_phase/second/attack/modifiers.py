"""Step 3: modifiers of the roll to hit and of the defense."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ActionSpent, ConditionLost, Event, ModifierApplied
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import Telling, emit, modified
from machines.eclipse_phase.family.actions import AIMS_AT, FULL_AIM, QUICK_AIM
from machines.eclipse_phase.family.attacks import spoiled
from machines.eclipse_phase.family.edition import HAND, edition
from machines.eclipse_phase.family.situations import Applying, applied
from machines.eclipse_phase.second.attack.attack_context import Attack
from machines.eclipse_phase.second.attack.ranges import CLOSE, POINT_BLANK, band, psi_distance
from machines.eclipse_phase.second.figure_names import BLIND
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import (
    HELD_BY,
    arms,
    at_hand,
    gravity,
    reach_of,
    sheet,
    size,
    states,
)
from machines.eclipse_phase.second.success_tests.success import NEXT_TEST, ailing, burdens, hindered, hurt
from machines.eclipse_phase.second.tables.rows import Situation
from machines.eclipse_phase.second.tables.tables import SITUATIONS
from machines.secrecy.part_sources import of_condition, of_sheet
from projections.combat import Combat

FULL_MOVE = "on_the_move"
"""Condition of a combatant who has taken a full move or rushed."""
AGGRESSIVE = "aggressive"
SWEEPS = FigureName("sweeps onto", str, scope="combatant")
SHOT_AT = FigureName("shot at", str, scope="combatant")
SHOT_AT_EACH = FigureNames("shot at ", str, scope="combatant")
ONE_HANDED = "two-handed weapon in one hand"
INDIRECT = "indirect fire"
_FULL_DEFENSE = 30
_CYBERBRAIN = 30
_GRAPPLED = 30
MOST_REACH = 30


def attack_modifiers(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the modifiers of the roll to hit, without those of the attacker's wounds and conditions.

    Source: EP2 12/01 Step 3, Combat Modifiers, 12/02 Melee Modifiers, 12/04 Ranged Modifiers
    """
    key = now.hit
    if now.suppressing:  # only range and wounds count (EP2 12/04 Suppressive Fire)
        yield from _distance(combat, now, key)
        return
    declared = (row for row in now.situations if ATTACKERS[row.applies] and not _is_long(now, row))
    strong = size(combat, now.by).two_handed_in_one
    yield from applied(key, (row for row in declared if not (strong and row.name == ONE_HANDED)))
    if any(_is_long(now, row) for row in now.situations):
        yield _row(key, "attacker in melee, long weapon")
    yield from _automatic(combat, now, key)
    yield from STRIKES[now.kind.strikes](combat, now, key)
    yield from _distance(combat, now, key)
    if now.kind.minds:
        yield from _minds(combat, now, key)


def attacker_ails(combat: Combat, now: Attack, *, physical: bool) -> Telling:
    """Yields modifiers for the attacker's wounds, traumas and conditions; under suppressive fire for wounds only.

    Source: EP2 12/01 Step 3, 12/04 Suppressive Fire
    """
    if not now.suppressing:
        return (yield from ailing(combat, now.by, now.hit, physical, attacks=True))
    combat = yield from emit(combat, hurt(combat, now.by, now.hit, minds=False))
    return combat


def _is_long(now: Attack, row: Situation) -> bool:
    return row.name == "attacker in melee" and any(trait.long for trait in now.traits)


ATTACKERS: Mapping[str, bool] = {"attack": True, "defense": False}
"""Whether a row modifies the attacker's roll, by its column."""


_row = Applying(SITUATIONS)


def _automatic(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    if now.called is not None and now.called.modifier:
        yield ModifierApplied(key, now.called.modifier, f"called shot: {now.called.name}", now.called.source)
    if BLIND.at(combat, now.key) == "harder":
        yield _row(key, "blind attack")
    if f"{size(combat, now.at).name} target" in SITUATIONS:
        yield from of_sheet(combat, now.at, [_row(key, f"{size(combat, now.at).name} target")])
    if combat.conditions.has(now.by, FULL_MOVE) and not now.kind.strikes:
        yield from of_condition(combat, now.by, FULL_MOVE, [_row(key, "full move")])
    yield from _aimed(combat, now, key)
    hand = HAND.at(combat, now.key)
    if hand > 0:
        yield _row(key, "further weapon", hand)
    if combat.conditions.has(now.at, "prone") and now.kind.needs_range and _is_far(combat, now):
        yield from of_condition(combat, now.at, "prone", [_row(key, "defender prone")])


def _is_far(combat: Combat, now: Attack) -> bool:
    """Returns whether the target is at range or farther, in gravity."""
    return not gravity(combat).weightless and band(combat, now).row.name not in (POINT_BLANK, CLOSE)


def _aimed(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields modifiers for aim at this target, a swept beam, homing rounds, and fire concentrated to hit."""
    aiming = combat.conditions.of(now.by).get("aiming")
    aims = aiming is not None and AIMS_AT.of(combat, now.by) == now.at and now.kind.needs_range
    if aims and aiming is not None and (aiming.level != QUICK_AIM or now.mode is None or now.mode.steady):
        yield _row(key, {QUICK_AIM: "quick aim", FULL_AIM: "full aim"}[aiming.level or QUICK_AIM])
    if SWEEPS.of(combat, now.by) == now.at and not now.weapon.gravity:
        yield _row(key, "sweep")
    homes = now.ammunition.homes if now.ammunition and INDIRECT not in now.terms.modifiers else 0
    if homes and (aims or SHOT_AT_EACH[now.at].of(combat, now.by)):
        yield ModifierApplied(key, homes, "homing", now.ammunition.source if now.ammunition else "")
    if steadies(now) and now.mode is not None:
        yield ModifierApplied(key, now.mode.aim, f"{now.mode.name} at one target", now.mode.source)


UNNOTICED = ("quick",)
"""Actions that do not prevent sweeping a beam."""


def spend(combat: Combat, by: str, action: str, key: str) -> Telling:
    """Spends an action; a Complex Action ends the chance to sweep a beam.

    Source: EP2 03/03 Action Turns, 12/05 Sweeping Fire
    """
    combat = yield ActionSpent(by, action, 1)
    if action not in UNNOTICED and SWEEPS.of(combat, by):
        combat = yield SWEEPS.found(key, "", "", "EP2 12/05 Sweeping Fire", who=by)
    return combat


def concentrated(now: Attack) -> bool:
    """Returns whether it is automatic fire at only one target.

    Source: EP2 12/04 Firing Modes
    """
    return now.mode is not None and now.mode.aim > 0 and now.aimed == 1 and not now.suppressing


def steadies(now: Attack) -> bool:
    """Returns whether fire at one target adds to hit in place of damage.

    Source: EP2 12/04 Firing Modes
    """
    return concentrated(now) and STEADY[now.terms.bonus]


STEADY: Mapping[str, bool] = {"damage": False, "aim": True}
"""Whether an attack adds to hit, by the attacker's choice."""


# ------------------------------------------------------------------------------------------------ melee


def _blow(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields modifiers of melee: charging, aggressive attacks, further targets, size, limbs, prone targets.

    Source: EP2 12/02 Melee Modifiers, 12/21 Conditions, Sizes
    """
    if combat.conditions.has(now.by, FULL_MOVE):
        yield from of_condition(combat, now.by, FULL_MOVE, [_row(key, "charging")])
    if now.terms.aggressive and STEADY[now.terms.bonus]:
        yield _row(key, "aggressive")
    if now.aimed > 1:
        yield _row(key, "extra target", now.aimed - 1)
    if combat.conditions.has(now.at, "prone") and not combat.conditions.has(now.by, "prone"):
        yield from of_condition(combat, now.at, "prone", [_row(key, "prone opponent")])
    if now.called is not None and now.called.does == "grapple":
        yield from of_sheet(combat, now.at, _wrestling(combat, now, key))
    else:
        yield from _larger(combat, now.by, now.at, key)
        yield from of_sheet(combat, now.at, _longer(now, key, ahead=_reaches(combat, now)))


def _wrestling(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields 20 for each step of size, and for two limbs more or fewer; reach does not count."""
    steps = size(combat, now.by).rank - size(combat, now.at).rank
    names = {True: "smaller opponent in a grapple", False: "larger opponent in a grapple"}
    if steps:
        yield _row(key, names[steps > 0], abs(steps))
    more = sheet(combat, now.by).limbs - sheet(combat, now.at).limbs
    if abs(more) >= 2:
        yield _row(key, "more limbs in a grapple" if more > 0 else "fewer limbs in a grapple")


def _larger(combat: Combat, who: str, other: str, key: str) -> Iterator[Event]:
    """Yields the reach of a larger body: 10 for each step, at most 30."""
    steps = size(combat, who).rank - size(combat, other).rank
    if steps > 0:
        row = SITUATIONS["larger than the opponent"]
        longer = ModifierApplied(key, min(MOST_REACH, row.value * steps), row.name, row.source)
        yield from of_sheet(combat, other, [longer])


def _reaches(combat: Combat, now: Attack) -> int:
    """Returns how much farther the attacker's weapon reaches than the target's, negative if less far; 0 if declared.

    Ruling: EP2-N35
    """
    if not BY_WEAPONS[profile(combat).reach] or any(row.group in _REACH for row in now.situations):
        return 0
    return reach_of(now.weapon) - _reach_in_hand(combat, now.at)


def _reach_in_hand(combat: Combat, who: str) -> int:
    """Returns the reach of the first weapon that is no part of the body and still usable."""
    for name in at_hand(combat, who):
        if not combat.conditions.has(who, *(spoiled(name, word) for word in edition(combat).spoiled)):
            return reach_of(arms(combat, who)[name])
    return 0


def _longer(now: Attack, key: str, *, ahead: int) -> Iterator[Event]:
    """Yields the advantage of the longer weapon, on top of that of size.

    Args:
        now: The attack.
        key: Key of the roll to hit, or of the defense.
        ahead: How much farther the roller's weapon reaches.

    Source: EP2 12/02 Reach
    """
    if ahead > 0:
        row = SITUATIONS["reach advantage" if key == now.hit else "reach advantage of the defender"]
        yield ModifierApplied(key, ahead, row.name, row.source)


BY_WEAPONS: Mapping[str, bool] = {"weapons": True, "declared": False}
"""Whether the longer weapon has a reach advantage without a declaration, by the profile's field."""
_REACH = ("reach", "defending reach")
"""Groups of declared reach advantages."""


def _shot(_: Combat, __: Attack, ___: str) -> Iterator[Event]:
    yield from ()


STRIKES: Mapping[bool, Callable[[Combat, Attack, str], Iterator[Event]]] = {True: _blow, False: _shot}
"""Modifiers that count only in melee."""


def _distance(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    steady = any(trait.steady for trait in now.traits)
    long = any(trait.long for trait in now.traits)
    if now.kind.needs_range and not steady:
        found = band(combat, now)
        if not (long and found.row.name == POINT_BLANK):
            times = f" x {found.times}" if found.times > 1 else ""
            yield ModifierApplied(key, found.modifier, f"{found.row.name}{times}", found.row.source)


def _minds(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields modifiers of mental combat: distance, and cyberbrains.

    Source: EP2 14/04 Psi Range, Targeting
    """
    value, why = psi_distance(now, sheet(combat, now.at).psi > 0)
    yield from of_sheet(combat, now.at, modified(key, value, why, "EP2 14/04 Psi Range"))
    if sheet(combat, now.at).half_machine:
        harder = ModifierApplied(key, -_CYBERBRAIN, "a cyberbrain", "EP2 14/04 Targeting")
        yield from of_sheet(combat, now.at, [harder])


# ------------------------------------------------------------------------------------------------ defense


def defense_modifiers(combat: Combat, now: Attack, skill: str) -> Iterator[Event]:
    """Yields the modifiers of the target's defense by a skill, with those of wounds and conditions.

    Source: EP2 12/01 Step 2, Step 3, Combat Modifiers
    """
    key, who, physical = now.role("defend"), now.at, not now.kind.minds
    yield from hurt(combat, who, key)
    yield from hindered(combat, who, key, physical)
    yield from burdens(combat, who, key, physical)
    once = combat.conditions.of(who).get(NEXT_TEST)
    if once is not None and once.level:
        counts = ModifierApplied(key, once.level, "after a critical", "EP2 03/01 Criticals")
        yield from of_condition(combat, who, NEXT_TEST, [counts])
    condition, source = FULL_DEFENSE[now.kind.defense]
    if combat.conditions.has(who, condition):
        more = ModifierApplied(key, _FULL_DEFENSE, "full defense", source)
        yield from of_condition(combat, who, condition, [more])
    if physical:
        yield from _dodging(combat, now, key, skill)
    yield from applied(key, (row for row in now.situations if not ATTACKERS[row.applies]))


def _dodging(combat: Combat, now: Attack, key: str, skill: str) -> Iterator[Event]:
    if combat.conditions.has(now.at, AGGRESSIVE) and skill == "fray":
        yield from of_condition(combat, now.at, AGGRESSIVE, [_row(key, "aggressive before")])
    held = any(row.defends == "outsiders" for row in states(combat, now.at))
    if held and HELD_BY.of(combat, now.at) != now.by:
        yield ModifierApplied(key, -_GRAPPLED, "in a hold", "EP2 12/02 Grappling")
    if now.kind.strikes and combat.conditions.has(now.by, "prone") and not combat.conditions.has(now.at, "prone"):
        yield from of_condition(combat, now.by, "prone", [_row(key, "prone attacker")])
    if now.kind.strikes and not (now.called is not None and now.called.does == "grapple"):
        yield from _larger(combat, now.at, now.by, key)
        yield from of_sheet(combat, now.at, _longer(now, key, ahead=-_reaches(combat, now)))


def counted_once(combat: Combat, now: Attack) -> Telling:
    """Ends a modifier that counted for the target's next test only."""
    if combat.conditions.has(now.at, NEXT_TEST):
        combat = yield ConditionLost(now.at, NEXT_TEST, "it has counted")
    return combat


FULL_DEFENSE: Mapping[str, tuple[str, str]] = {
    "fray": ("full_defense", "EP2 12/21 Full Defense"),
    "half_fray": ("full_defense", "EP2 12/21 Full Defense"),
    "will": ("mental_defense", "EP2 14/04 Psi Full Defense"),
}
"""Condition of full defense and its citation, by kind of defense."""
