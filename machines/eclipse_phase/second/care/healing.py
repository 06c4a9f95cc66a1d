"""First aid, stopping bleeding, surgery and repair."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ConditionLost, Event, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, counted, frame, key_of, modified, thrown
from machines.eclipse_phase.family.care import HEALING, patient
from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE
from machines.eclipse_phase.family.edition import HEALED, MINUTES
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.success import passed
from machines.eclipse_phase.family.turn import spend_time
from machines.eclipse_phase.second.actions.terms import TreatTerms
from machines.eclipse_phase.second.attack.modifiers import spend as spend_action
from machines.eclipse_phase.second.care.recovery import mend, recover, treated
from machines.eclipse_phase.second.figure_names import TIMEFRAME
from machines.eclipse_phase.second.harm.injury import BELOW
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import needed
from machines.eclipse_phase.second.success_tests.roles import TREATMENT
from machines.eclipse_phase.second.success_tests.success import hurt, prepare
from projections.combat import Combat

MEDICINE, SURGERY, HARDWARE = "medicine: paramedic", "medicine: biotech", "hardware: robotics"
"""Default skills of care."""
_BLEEDING = "EP2 12/16 Bleeding Out"


# ------------------------------------------------------------------------------------------------ the test


def prepare_aid(combat: Combat) -> Deed:
    """Prepares Medicine: Paramedic; ten minutes, and ten more for each wound."""
    count = combat.wounds.count(patient(combat))
    minutes = 10 + 10 * count
    combat = yield TIMEFRAME.found(frame(combat).key, minutes, f"10 minutes and 10 for each of {count} wounds", HERE)
    return (yield from _prepare(combat, MEDICINE, HERE))


def prepare_surgery(combat: Combat) -> Deed:
    """Prepares Medicine: Biotech, and the hours of surgery."""
    hours = typed(frame(combat).terms, TreatTerms).hours
    combat = yield TIMEFRAME.found(frame(combat).key, hours * 60, "surgery", HERE)
    return (yield from _prepare(combat, SURGERY, HERE))


def prepare_repair(combat: Combat) -> Deed:
    """Prepares the Hardware Test: an hour for each 5 points of damage or part of it, and 8 for each wound.

    Ruling: EP2-N17
    """
    who = patient(combat)
    damage, wounds = combat.health.track(who, "damage").taken, combat.wounds.count(who)
    hours = -(-damage // 5) + 8 * wounds
    combat = yield TIMEFRAME.found(frame(combat).key, hours * 60, f"{damage} damage, {wounds} wounds", HERE)
    return (yield from _prepare(combat, HARDWARE, HERE))


def prepare_stopping(combat: Combat) -> Deed:
    """Prepares Medicine: Paramedic with the modifiers of the patient's wounds.

    Ruling: EP2-N18
    """
    key, who = key_of(combat, TREATMENT), patient(combat)
    wounds = tuple(hurt(combat, who, key))
    return (yield from _prepare(combat, MEDICINE, HERE, *wounds))


def _prepare(combat: Combat, skill: str, source: str, *more: Event) -> Deed:
    now, key = frame(combat), key_of(combat, TREATMENT)
    terms = typed(now.terms, TreatTerms)
    modifiers = (*more, *modified(key, terms.modifier, "circumstances", source))
    yield from prepare(combat, key, now.by, needed(combat, now.by, terms.skill or skill), source, modifiers)
    return None


def helps(combat: Combat) -> str:
    """Returns whether the care helped, failed, or harmed."""
    key = key_of(combat, TREATMENT)
    if passed(combat, key):
        return "helps"
    return "harms" if combat.rolls[key].outcome == CRITICAL_FAILURE else "fails"


# ------------------------------------------------------------------------------------------------ effects


def healing_dice(combat: Combat) -> str:
    """Returns 1d10, with 1d6 for each superior success."""
    more = max(0, combat.rolls[key_of(combat, TREATMENT)].margin)
    return f"1d10+{more}d6" if more else "1d10"


def heal(combat: Combat) -> Deed:
    """Heals damage and a wound, ends bleeding, and may revive the patient."""
    key, who = key_of(combat, HEALING), patient(combat)
    value, why = counted(combat, key, healing_dice(combat), half_up)
    taken = combat.health.track(who, "damage").taken
    combat = yield HEALED.found(key, min(value, taken), f"{why}, of {taken} damage", HERE, who=who)
    combat = yield from mend(combat, who, HEALED.at(combat, key), 1, HERE)
    combat = yield from _stanch(combat, who)
    combat = yield from recover(combat, who)
    yield from treated(combat, who)
    return None


def _stanch(combat: Combat, who: str) -> Telling:
    if combat.conditions.has(who, "bleeding"):
        combat = yield ConditionLost(who, "bleeding", "medical care")
        combat = yield ConditionGained(who, "stable", None, BELOW, frame(combat).key, "medical care", _BLEEDING)
    return combat


def stanch(combat: Combat) -> Deed:
    """Stops the bleeding."""
    yield from _stanch(combat, patient(combat))
    return None


def operate(combat: Combat) -> Deed:
    """Ends bleeding and the need for surgery."""
    who = patient(combat)
    combat = yield from _stanch(combat, who)
    if combat.conditions.has(who, "needs_surgery"):
        yield ConditionLost(who, "needs_surgery", "surgery")
    return None


def harm_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d10 damage for a critical failure."""
    yield from thrown(combat, key_of(combat, "harm"), frame(combat).by, "1d10", "damage by a critical failure")


def do_harm(combat: Combat) -> Deed:
    """Applies the damage of a critical failure; no armor reduces it."""
    key = key_of(combat, "harm")
    return (yield from suffer(combat, key, patient(combat), combat.rolls[key].total, 0, "damage"))


def work_in_full(combat: Combat) -> Deed:
    """Passes the whole time of the treatment: superior successes went into the healing."""
    minutes = TIMEFRAME.at(combat, frame(combat).key)
    combat = yield MINUTES.found(frame(combat).key, minutes, "the whole timeframe", HERE)
    yield from spend_time(combat, MINUTES.at(combat, frame(combat).key))
    return None


def work(combat: Combat) -> Deed:
    """Passes the time of the care.

    A success takes a quarter less for each superior success; a failure takes one quarter, and one more for each
    superior failure.
    """
    now, roll = frame(combat), combat.rolls[key_of(combat, TREATMENT)]
    minutes = TIMEFRAME.at(combat, now.key)
    quarters = 4 - max(0, roll.margin) if passed(combat, key_of(combat, TREATMENT)) else 1 - min(0, roll.margin)
    why = f"{quarters * 25} % of {minutes} minutes"
    combat = yield MINUTES.found(now.key, minutes * quarters // 4, why, HERE)
    yield from spend_time(combat, MINUTES.at(combat, now.key))
    return None


def work_fast(combat: Combat) -> Deed:
    """Spends a Complex Action if there is a fight.

    Ruling: EP2-N18
    """
    now = frame(combat)
    if combat.clock.fighting:
        combat = yield from spend_action(combat, now.by, "complex", now.key)
    return None
