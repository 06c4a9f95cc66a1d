"""What somebody does in their Action Phase beside attacks and spells."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, ResourceGained
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import emit, frame
from machines.shadowrun_4e.actions.action_costs import spend, spend_free, use
from machines.shadowrun_4e.actions.terms import (
    AimTerms,
    FreeTerms,
    MoveTerms,
    ReloadTerms,
    ShiftTerms,
    SimpleTerms,
)
from machines.shadowrun_4e.attack.attack_context import ATTACKS, DEFEND, Attack, strike_of
from machines.shadowrun_4e.attack.modifiers import AIMED, AIMS_AT, FULL_DEFENSE, PRONE, RUNNING, SKILL, fully
from machines.shadowrun_4e.harm.injury import leave_matrix
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.printed_codes import half
from machines.shadowrun_4e.sheet.sheet import Weapon
from machines.shadowrun_4e.sheet.sheet_access import ACTS_IN, BODILY, DELAYING, arms, plane, rating, sheet
from machines.shadowrun_4e.success_tests.pools import POOL, pool, retarget
from machines.shadowrun_4e.tables.tables import MOVEMENT, PLANES
from machines.shadowrun_4e.turn.turn import NEXT_PHASE
from projections.combat import Combat

METERS = FigureName("meters", int)

MOVED = FigureName("meters moved", int, scope="round")
_TURN = "SR4S Combat Turn Sequence"


def act_freely(combat: Combat) -> Deed:
    """A Free Action."""
    now = frame(combat)
    combat = yield from spend_free(combat, now.by, now.key)
    if typed(now.terms, FreeTerms).prone and not combat.conditions.has(now.by, PRONE):
        yield ConditionGained(now.by, PRONE, None, "standing up", now.key, "drops", _TURN)
    return None


def act_simply(combat: Combat) -> Deed:
    """A Simple Action; standing up and seeing to a weapon are some."""
    now = frame(combat)
    terms = typed(now.terms, SimpleTerms)
    combat = yield from spend(combat, now.by, "simple", now.key)
    if terms.stand and combat.conditions.has(now.by, PRONE):
        combat = yield ConditionLost(now.by, PRONE, "stands up")
    if terms.repair and combat.conditions.has(now.by, terms.repair):
        yield ConditionLost(now.by, terms.repair, "put right")
    return None


def act_at_length(combat: Combat) -> Deed:
    """A Complex Action."""
    now = frame(combat)
    yield from spend(combat, now.by, "complex", now.key)
    return None


def take_aim(combat: Combat) -> Deed:
    """A die more for each Simple Action, at one target; half of the skill at the most, where the profile says so."""
    now = frame(combat)
    terms = typed(now.terms, AimTerms)
    combat = yield from spend(combat, now.by, "simple", now.key)
    same = AIMS_AT.of(combat, now.by) == terms.at and combat.conditions.has(now.by, "aiming")
    before = AIMED.of(combat, now.by) if same else 0
    most = MOST_AIM[profile(combat).aiming](combat, now.by, terms.using)
    taken = min(before + 1, most) if most else before + 1
    source = "SR4S Ranged Combat Modifiers Table"
    combat = yield AIMS_AT.found(now.key, terms.at, "", source, who=now.by)
    combat = yield AIMED.found(now.key, taken, "", source, who=now.by)
    yield ConditionGained(now.by, "aiming", taken, "an attack", now.key, f"at {terms.at}", source)
    return None


def _half_skill(combat: Combat, who: str, using: str) -> int:
    mine = [weapon for name, weapon in arms(combat, who).items() if using in ("", name) and is_shot(weapon)]
    return max(1, max((half(rating(combat, who, weapon.skill) or 0) for weapon in mine), default=1))


def is_shot(weapon: Weapon) -> bool:
    """Is it a weapon to aim with?

    Source: SR4S Ranged Combat Modifiers Table
    """
    return bool(weapon.modes or weapon.range)


MOST_AIM: Mapping[str, Callable[[Combat, str, str], int]] = {"half_skill": _half_skill, "unlimited": lambda *_: 0}
"""How many dice aiming may come to, by the profile's field; 0: as many as you like."""


def reload(combat: Combat) -> Deed:
    """A full magazine.

    Ruling: SR4-N10
    """
    now = frame(combat)
    name = typed(now.terms, ReloadTerms).weapon
    magazine = combat.resources.resource(now.by, name)
    combat = yield from spend(combat, now.by, "complex", now.key)
    yield ResourceGained(now.by, name, magazine.of - magazine.left, now.key, "reloads")
    return None


def defend_fully(combat: Combat) -> Deed:
    """Full defense until the next phase: a Complex Action, in one's own phase or out of the next one."""
    now = frame(combat)
    if combat.turn.who == now.by:
        combat = yield from spend(combat, now.by, "complex", now.key)
    until = NEXT_PHASE if combat.turn.who == now.by else AFTER_NEXT
    combat = yield ConditionGained(now.by, FULL_DEFENSE, None, until, now.key, "defends fully", HERE)
    yield from _at_once(combat, now.by)
    return None


def _at_once(combat: Combat, who: str) -> Deed:
    """It counts in the defense against what is being resolved, where that is still to be rolled."""
    for now in attacks_on(combat, who):
        key = now.role(DEFEND)
        if POOL.is_at(combat, key) and not combat.rolls[key].outcome:
            combat = yield from emit(combat, fully(combat, now, key, SKILL.at(combat, key)))
            combat = yield pool(combat, key, who)
            if any(rest.key == key for rest in combat.path.asked):
                yield from retarget(combat, key)
    return None


def attacks_on(combat: Combat, who: str) -> Iterator[Attack]:
    """The attacks on somebody that are being resolved.

    Source: SR4 151 Full Defense
    """
    for each in combat.exchange.frames:
        if each.kind in ATTACKS:
            found = strike_of(combat, each)
            if found.at == who:
                yield found


AFTER_NEXT = "the end of their next Action Phase"
"""What ends the full defense of whoever gave up their next phase for it."""


def gives_up_phase(combat: Combat) -> bool:
    """Has whoever's phase it is given it up for full defense?"""
    held = combat.conditions.of(combat.turn.who or "").get(FULL_DEFENSE)
    return held is not None and held.until == AFTER_NEXT


def give_up(combat: Combat) -> Deed:
    """The phase went into full defense, which lasts until the one after."""
    who = combat.turn.who or ""
    key = f"{combat.clock.period}/{who}"
    yield ConditionGained(who, FULL_DEFENSE, None, NEXT_PHASE, key, "this phase went into it", HERE)
    return None


def move(combat: Combat) -> Deed:
    """Walking or running, by metatype, in one Combat Turn."""
    now = frame(combat)
    terms = typed(now.terms, MoveTerms)
    most, before = allowance(combat, now.by, terms.how), moved(combat, now.by)
    meters = max(0, most - before) if terms.meters is None else terms.meters
    why, source = f"{terms.how}: {most} m in a Combat Turn", "SR4S Movement Rate Table"
    combat = yield METERS.found(now.key, meters, why, source, who=now.by)
    meters = METERS.at(combat, now.key)
    combat = yield MOVED.found(now.key, before + meters, "", source, who=now.by)
    if RATES[terms.how] == RUNNING:
        yield ConditionGained(now.by, RUNNING, None, NEXT_PHASE, now.key, "runs", source)
    return None


RATES: Mapping[str, str] = {"walk": "walking", "run": "running"}
"""The column of the movement rates."""


def allowance(combat: Combat, who: str, how: str) -> int:
    """Meters that somebody can go in a Combat Turn.

    Source: SR4S Movement Rate Table
    """
    kind = sheet(combat, who).metatype
    line = next(row for row in MOVEMENT.values() if kind in row.metatypes)
    return int(getattr(line, RATES[how]))


def moved(combat: Combat, who: str) -> int:
    """Meters that somebody has gone in this Combat Turn.

    Source: SR4S Movement Rate Table
    """
    return MOVED.of(combat, who)


def shift(combat: Combat) -> Deed:
    """To another plane; Initiative and passes there are those of the next Combat Turn.

    Ruling: SR4-N19
    """
    now = frame(combat)
    there = PLANES[typed(now.terms, ShiftTerms).plane]
    combat = yield from use(combat, now.by, there.action, now.key)
    if there.name == BODILY and plane(combat, now.by).virtual:
        yield from leave_matrix(combat, now.by, now.key)
        return None
    why = f"goes to: {there.name}"
    yield ACTS_IN.found(now.key, there.name, why, there.source, who=now.by)
    return None


def wait(combat: Combat) -> Deed:
    """The action is delayed: until their next phase they may take it whenever they like."""
    now = frame(combat)
    yield ConditionGained(now.by, DELAYING, None, NEXT_PHASE, now.key, "delays", HERE)
    return None
