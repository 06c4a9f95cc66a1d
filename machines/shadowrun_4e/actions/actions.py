"""Box functions of the actions other than attacks and spells."""

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
    """Spends a Free Action; it may be dropping prone."""
    now = frame(combat)
    combat = yield from spend_free(combat, now.by, now.key)
    if typed(now.terms, FreeTerms).prone and not combat.conditions.has(now.by, PRONE):
        yield ConditionGained(now.by, PRONE, None, "standing up", now.key, "drops", _TURN)
    return None


def act_simply(combat: Combat) -> Deed:
    """Spends a Simple Action; it may be standing up or repairing a weapon."""
    now = frame(combat)
    terms = typed(now.terms, SimpleTerms)
    combat = yield from spend(combat, now.by, "simple", now.key)
    if terms.stand and combat.conditions.has(now.by, PRONE):
        combat = yield ConditionLost(now.by, PRONE, "stands up")
    if terms.repair and combat.conditions.has(now.by, terms.repair):
        yield ConditionLost(now.by, terms.repair, "put right")
    return None


def act_at_length(combat: Combat) -> Deed:
    """Spends a Complex Action."""
    now = frame(combat)
    yield from spend(combat, now.by, "complex", now.key)
    return None


def take_aim(combat: Combat) -> Deed:
    """Adds a die of aim at one target; the profile may limit it to half of the skill."""
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
    """Returns whether a weapon can be aimed.

    Source: SR4S Ranged Combat Modifiers Table
    """
    return bool(weapon.modes or weapon.range)


MOST_AIM: Mapping[str, Callable[[Combat, str, str], int]] = {"half_skill": _half_skill, "unlimited": lambda *_: 0}
"""The largest bonus for aiming, by the value of `aiming`; 0 for no limit."""


def reload(combat: Combat) -> Deed:
    """Fills a weapon's magazine.

    Ruling: SR4-N10
    """
    now = frame(combat)
    name = typed(now.terms, ReloadTerms).weapon
    magazine = combat.resources.resource(now.by, name)
    combat = yield from spend(combat, now.by, "complex", now.key)
    yield ResourceGained(now.by, name, magazine.of - magazine.left, now.key, "reloads")
    return None


def defend_fully(combat: Combat) -> Deed:
    """Begins full defense until the next phase, for a Complex Action of this phase or of the next one."""
    now = frame(combat)
    if combat.turn.who == now.by:
        combat = yield from spend(combat, now.by, "complex", now.key)
    until = NEXT_PHASE if combat.turn.who == now.by else AFTER_NEXT
    combat = yield ConditionGained(now.by, FULL_DEFENSE, None, until, now.key, "defends fully", HERE)
    yield from _at_once(combat, now.by)
    return None


def _at_once(combat: Combat, who: str) -> Deed:
    """Adds full defense to defenses that are not rolled yet."""
    for now in attacks_on(combat, who):
        key = now.role(DEFEND)
        if POOL.is_at(combat, key) and not combat.rolls[key].outcome:
            combat = yield from emit(combat, fully(combat, now, key, SKILL.at(combat, key)))
            combat = yield pool(combat, key, who)
            if any(rest.key == key for rest in combat.path.asked):
                yield from retarget(combat, key)
    return None


def attacks_on(combat: Combat, who: str) -> Iterator[Attack]:
    """Yields the attacks on a combatant that are being resolved.

    Source: SR4 151 Full Defense
    """
    for each in combat.exchange.frames:
        if each.kind in ATTACKS:
            found = strike_of(combat, each)
            if found.at == who:
                yield found


AFTER_NEXT = "the end of their next Action Phase"
"""When full defense ends for a combatant who gave up the next phase for it."""


def gives_up_phase(combat: Combat) -> bool:
    """Returns whether the acting combatant gave up this phase for full defense."""
    held = combat.conditions.of(combat.turn.who or "").get(FULL_DEFENSE)
    return held is not None and held.until == AFTER_NEXT


def give_up(combat: Combat) -> Deed:
    """Lets the full defense of a given-up phase last until the next one."""
    who = combat.turn.who or ""
    key = f"{combat.clock.period}/{who}"
    yield ConditionGained(who, FULL_DEFENSE, None, NEXT_PHASE, key, "this phase went into it", HERE)
    return None


def move(combat: Combat) -> Deed:
    """Moves a combatant, by the metatype's rate for one Combat Turn."""
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
"""The column of the movement rates for each way of moving."""


def allowance(combat: Combat, who: str, how: str) -> int:
    """Returns the meters a combatant can move in a Combat Turn.

    Source: SR4S Movement Rate Table
    """
    kind = sheet(combat, who).metatype
    line = next(row for row in MOVEMENT.values() if kind in row.metatypes)
    return int(getattr(line, RATES[how]))


def moved(combat: Combat, who: str) -> int:
    """Returns the meters a combatant has moved in this Combat Turn.

    Source: SR4S Movement Rate Table
    """
    return MOVED.of(combat, who)


def shift(combat: Combat) -> Deed:
    """Moves a combatant to another plane; its Initiative and passes count from the next Combat Turn.

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
    """Delays the action; until the next phase it may be taken at any time."""
    now = frame(combat)
    yield ConditionGained(now.by, DELAYING, None, NEXT_PHASE, now.key, "delays", HERE)
    return None
