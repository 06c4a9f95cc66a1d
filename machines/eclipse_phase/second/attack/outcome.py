"""Steps 3 to 5: modifiers, the opposed test and its outcome."""

from collections.abc import Iterator

from ledger.events import ChoiceRequested, ConditionGained, Event, Option, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.actions import AIMS_AT, SINCE
from machines.eclipse_phase.family.attacks import by_skill, locked_out, spoiled, stop_aiming
from machines.eclipse_phase.family.d100 import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    attacker_prevails,
    outcome,
    succeeds,
)
from machines.eclipse_phase.family.edition import BASE, DV, OUTCOME, TARGET
from machines.eclipse_phase.family.success import passed, target
from machines.eclipse_phase.second.attack.attack import CHANCE, IN_VAIN, remember_target
from machines.eclipse_phase.second.attack.attack_context import Attack, attack
from machines.eclipse_phase.second.attack.modifiers import (
    SWEEPS,
    attack_modifiers,
    attacker_ails,
    counted_once,
    defense_modifiers,
)
from machines.eclipse_phase.second.figure_names import RULED, RULING
from machines.eclipse_phase.second.harm.harm_dice import harm_dice, harm_of
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import skill_row
from machines.eclipse_phase.second.success_tests.roles import DEFEND
from machines.eclipse_phase.second.success_tests.success import BOTH, HOW_BADLY, how_superior, judged, read, superiors
from machines.eclipse_phase.second.tables.tables import CRITICALS
from projections.combat import Combat

SUPERIOR = 33
"""Lowest roll of a superior success (EP2 03/01 Superior Results)."""
SUPERIORS = FigureName("superior successes", int)
DOUBLED = FigureName("damage doubled", str)
DODGED = FigureName("dodged", str)
NOTICED = "noticed_psi"
"""Condition of a combatant who knows that a mind attacked theirs."""
CRITICAL = "critical-ruling"
"""Role of the gamemaster's ruling on a critical."""
_STEP_5 = "EP2 12/01 Step 5"
_AREA = "EP2 12/15 Area-effect Attacks"


# ------------------------------------------------------------------------------------------------ 3, 4


def apply_modifiers(combat: Combat) -> Deed:
    """Applies all modifiers to both targets."""
    now = attack(combat)
    if not combat.rolls[now.hit].faces:
        row = skill_row(now.weapon.skill)
        combat = yield from attacker_ails(combat, now, physical=row.physical if row else True)
        combat = yield from emit(combat, attack_modifiers(combat, now))
        combat = yield target(combat, now.hit, now.by)
        if _how_badly_counts(now):
            combat = yield HOW_BADLY.found(now.hit, "yes", "", "EP2 03/01 Superior Results")
        if SWEEPS.of(combat, now.by):
            source = "EP2 12/05 Sweeping Fire"
            combat = yield SWEEPS.found(now.key, "", "", source, who=now.by)
        if now.kind.needs_range and not now.suppressing:
            if AIMS_AT.is_of(combat, now.by):
                combat = yield from stop_aiming(combat, now.by)
            combat = yield from remember_target(combat, now)
    if BASE.is_at(combat, now.role(DEFEND)):
        combat = yield from emit(combat, defense_modifiers(combat, now, combat.exchange.chosen[now.role("defense")]))
        combat = yield from counted_once(combat, now)
        yield target(combat, now.role(DEFEND), now.at)
    return None


def _how_badly_counts(now: Attack) -> bool:
    """Returns whether the degree of failure matters: for scatter, fragile weapons and proximity rounds."""
    near = now.ammunition is not None and bool(now.ammunition.on_miss)
    return bool(now.weapon.area) or near or any(trait.fragile for trait in now.traits)


def read_opposed(combat: Combat) -> Deed:
    """Reads the rolls of both sides; suppressive fire uses the roll made against its first target."""
    now = attack(combat)
    rolled = suppressing_roll(combat, now)
    if rolled is not None and not combat.rolls[now.hit].faces:
        result = outcome(rolled, TARGET.at(combat, now.hit))
        combat = yield judged(combat, now.hit, rolled, result, superiors(combat, rolled, result))
    for key in (now.hit, now.role(DEFEND)):
        if combat.rolls[key].faces and not combat.rolls[key].outcome:
            combat = yield from read(combat, key)
    return None


def suppressing_roll(combat: Combat, now: Attack) -> int | None:
    """Returns the roll to hit already made with this suppressive fire.

    Source: EP2 12/04 Suppressive Fire
    """
    rolled = _ROLLED_WITH[SINCE.of(combat, now.by)]
    return rolled.of(combat, now.by) if now.suppressing and rolled.is_of(combat, now.by) else None


_ROLLED_WITH = FigureNames("rolled with ", int, scope="combatant")
"""The roll to hit of suppressive fire, by the key under which it began."""


# ------------------------------------------------------------------------------------------------ 5


def determine_result(combat: Combat) -> Deed:
    """Determines whether the attack hits. An area attack is not compared with the dodge, which only reduces damage.

    Ruling: EP2-N6
    """
    now = attack(combat)
    if now.suppressing and suppressing_roll(combat, now) is None:
        name, source = _ROLLED_WITH[SINCE.of(combat, now.by)], "EP2 12/04 Suppressive Fire"
        rolled = combat.rolls[now.hit].rolled
        combat = yield name.found(now.key, rolled, "", source, who=now.by)
    combat = yield from RESULTS[bool(now.weapon.area)](combat, now)
    return OUTCOME.at(combat, now.place)


def _opposed(combat: Combat, now: Attack) -> Telling:
    hit, defense = combat.rolls[now.hit], combat.rolls[now.role(DEFEND)]
    opposing = (defense.outcome, defense.rolled) if defense.outcome else None
    prevails = attacker_prevails((hit.outcome, hit.rolled), opposing) or by_skill(combat, now)
    against = f"{defense.outcome} ({defense.rolled:02d})" if opposing else "no defense"
    return (yield from _result(combat, now, prevails, against))


def _over_an_area(combat: Combat, now: Attack) -> Telling:
    hits = passed(combat, now.hit)
    dodges = succeeds(combat.rolls[now.role(DEFEND)].outcome)
    clear = dodges and now.at in now.terms.edge
    combat = yield from _result(combat, now, hits and not clear, "dodged clear" if clear else "an area")
    if hits and dodges and not clear:
        combat = yield DODGED.found(now.place, "half", "dodged, but not out of the area", _AREA, who=now.at)
    return combat


RESULTS = {False: _opposed, True: _over_an_area}
"""Functions that find the outcome: against one target, or over an area."""


def _result(combat: Combat, now: Attack, prevails: bool, against: str) -> Telling:
    hit = combat.rolls[now.hit]
    why = f"{hit.outcome} ({hit.rolled:02d}) against {against}"
    if CHANCE.at(combat, now.key) == IN_VAIN:
        prevails, why = False, "left to chance, and missed"
    return (yield OUTCOME.found(now.place, "hit" if prevails else "miss", why, _STEP_5))


def solid_hit(combat: Combat) -> Deed:
    """Applies superior successes, of which a called shot takes one, and a critical.

    A critical doubles the damage or has the effect of the called shot.

    Ruling: EP2-N7
    """
    now = attack(combat)
    hit = combat.rolls[now.hit]
    critical = hit.outcome == CRITICAL_SUCCESS
    why = how_superior(combat, now.hit) + (", critical only" if critical and not hit.margin else "")
    combat = yield SUPERIORS.found(now.place, max(0, hit.margin), why, HERE)
    meant = now.called is not None and (hit.margin > 0 or (critical and hit.rolled >= SUPERIOR))
    only, both = now.called is not None and now.called.only, meant and BOTH[profile(combat).critical_with_superior]
    if critical and (both or (only and not meant)):
        yield DOUBLED.found(now.place, "yes", "critical success", HERE)
    if only and not meant:
        return "mercy" if critical else "short"
    if critical and not both:
        return "weigh" if meant else "critical"
    return "meant" if meant else "plain"


def offer_critical(combat: Combat) -> ChoiceRequested:
    """Asks whether a critical success doubles the damage or has the effect of the called shot.

    Ruling: EP2-N7
    """
    now = attack(combat)
    called = now.called.name if now.called else ""
    options = (Option("double", "double the damage"), Option("called", f"do what it was meant to: {called}"))
    return ChoiceRequested(now.role("critical"), now.by, options, "double", "what the critical does")


def double_damage(combat: Combat) -> Deed:
    """Doubles the damage of a critical success."""
    yield DOUBLED.found(attack(combat).place, "yes", "critical success", HERE)
    return None


def miss(combat: Combat) -> Deed:
    """Applies a miss: a swept beam, fragile weapons, proximity rounds, and criticals of either side."""
    now = attack(combat)
    combat = yield from _swept(combat, now)
    combat = yield from _breaks(combat, now)
    defense = combat.rolls[now.role(DEFEND)]
    if now.kind.minds and succeeds(defense.outcome) and not combat.conditions.has(now.at, NOTICED):
        source, why = "EP2 14/04 Opposed Tests", "defended against a sleight"
        combat = yield ConditionGained(now.at, NOTICED, None, "the gamemaster says", now.key, why, source)
    if now.kind.minds and defense.outcome == CRITICAL_SUCCESS:
        combat = yield _locked_out(now)
    ruled = RULED.is_at(combat, now.hit)
    critical = defense.outcome == CRITICAL_SUCCESS or (combat.rolls[now.hit].outcome == CRITICAL_FAILURE and not ruled)
    if critical:
        yield RULED.found(now.hit, "yes", "", HERE)
    return "critical" if critical else "near" if _goes_off(combat, now) else "plain"


def _swept(combat: Combat, now: Attack) -> Telling:
    if not now.weapon.gravity and now.kind.needs_range and not now.suppressing:
        source = "EP2 12/05 Sweeping Fire"
        combat = yield SWEEPS.found(now.key, now.at, "missed", source, who=now.by)
    return combat


def _breaks(combat: Combat, now: Attack) -> Telling:
    """Breaks a fragile weapon after a superior failure."""
    hit = combat.rolls[now.hit]
    if any(trait.fragile for trait in now.traits) and not succeeds(hit.outcome) and hit.margin < 0:
        condition = spoiled(now.name, "broken")
        combat = yield ConditionGained(now.by, condition, None, "put right", now.key, "fragile", "EP2 12/12 Fragile")
    return combat


def _locked_out(now: Attack) -> Event:
    source = "EP2 14/04 Opposed Tests"
    return ConditionGained(now.by, locked_out(now.at), None, "a recharge", now.key, "a critical defense", source)


def _goes_off(combat: Combat, now: Attack) -> bool:
    """Returns whether proximity rounds explode beside the target: not after a superior or critical failure."""
    hit = combat.rolls[now.hit]
    plain = hit.outcome != CRITICAL_FAILURE and (succeeds(hit.outcome) or hit.margin == 0)
    return plain and now.ammunition is not None and bool(now.ammunition.on_miss)


def near_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the damage of proximity rounds beside the target."""
    now = attack(combat)
    yield from harm_dice(combat, now.role("near"), now.by, _near_dice(now), "a round that explodes beside the target")


def _near_dice(now: Attack) -> str:
    return now.ammunition.on_miss if now.ammunition else "0"


def read_near(combat: Combat) -> Deed:
    """Computes the damage of proximity rounds, without additions."""
    now = attack(combat)
    value, why = harm_of(combat, now.role("near"), _near_dice(now))
    yield DV.found(now.role("damage"), value, f"exploded beside the target: {why}", HERE)
    return None


def offer_ruling(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster for the effect of a critical defense or a critical failure."""
    now = attack(combat)
    options = tuple(Option(row.name, row.label) for row in CRITICALS.values())
    what = "critical defense" if combat.rolls[now.role(DEFEND)].outcome == CRITICAL_SUCCESS else "critical failure"
    return ChoiceRequested(now.role(CRITICAL), "gm", options, "nothing", f"what the {what} leads to")


def suffer_ruling(combat: Combat) -> Deed:
    """Applies the chosen effect."""
    now = attack(combat)
    row = CRITICALS[combat.exchange.chosen[now.role(CRITICAL)]]
    who = {"winner": now.at, "loser": now.by, "nobody": ""}[row.befalls]
    combat = yield RULING.found(now.place, row.name, row.label, row.source, who=who)
    if row.condition:
        name = spoiled(now.name, row.condition) if row.of_weapon else row.condition
        yield ConditionGained(who, name, row.level, row.until, now.key, row.label, row.source)
    return "near" if _goes_off(combat, now) else "plain"
