"""Medical care, surgery and physical repairs."""

from ledger.events import ConditionLost
from machines.contract.chart import HERE, Deed
from machines.contract.toolkit import (
    counted,
    down,
    frame,
    key_of,
    modified,
)
from machines.eclipse_phase.family.care import HEALING, TREATMENT, harm, mend
from machines.eclipse_phase.family.edition import HEALED, HOURS, MINUTES
from machines.eclipse_phase.family.success import passed
from machines.eclipse_phase.family.turn import spend_time
from machines.eclipse_phase.first.actions.terms import TreatTerms
from machines.eclipse_phase.first.care.care import cared_for
from machines.eclipse_phase.first.care.recovery import recover
from machines.eclipse_phase.first.sheet.sheet_access import needed
from machines.eclipse_phase.first.success_tests.success import prepare
from projections.combat import Combat

_CARE = "EP1 208 Medical Care"


MEDICINE, HARDWARE = "medicine", "hardware"


# ------------------------------------------------------------------------------------------------ the test


def prepare_care(combat: Combat) -> Deed:
    """Prepares the Medicine Test with its circumstances."""
    now, key = cared_for(combat, TreatTerms), key_of(combat, TREATMENT)
    value, why = needed(combat, now.by, now.terms.skill or MEDICINE)
    yield from prepare(
        combat, key, now.by, value, why, _CARE, modified(key, now.terms.modifier, "circumstances", _CARE)
    )
    return None


def prepare_surgery(combat: Combat) -> Deed:
    """Prepares surgery: the Medicine Test and its hours."""
    now = cared_for(combat, TreatTerms)
    combat = yield HOURS.found(now.key, now.terms.hours, "surgery", HERE)
    return (yield from prepare_care(combat))


def prepare_repair(combat: Combat) -> Deed:
    """Prepares the Hardware Test: -10 for each wound.

    It takes 2 hours for each 10 points of damage or part of it, and 8 for each wound.

    Ruling: EP1-N33
    """
    now, key = cared_for(combat, TreatTerms), key_of(combat, TREATMENT)
    damage, wounds = combat.health.track(now.who, "damage").taken, combat.wounds.count(now.who)
    hours, why = -(-damage // 10) * 2 + 8 * wounds, f"{damage} damage, {wounds} wounds"
    combat = yield HOURS.found(now.key, hours, why, HERE)
    value, skill = needed(combat, now.by, now.terms.skill or HARDWARE)
    modifiers = (
        *modified(key, -10 * wounds, f"{wounds} wounds of {now.who}", HERE),
        *modified(key, now.terms.modifier, "circumstances", HERE),
    )
    yield from prepare(combat, key, now.by, value, skill, HERE, modifiers)
    return None


def helps(combat: Combat) -> bool:
    """Returns whether the test succeeded."""
    return passed(combat, key_of(combat, TREATMENT))


# ------------------------------------------------------------------------------------------------ effects


def read_healing(combat: Combat) -> Deed:
    """Computes the damage healed, at most the damage taken."""
    key, who = key_of(combat, HEALING), cared_for(combat, TreatTerms).who
    value, why = counted(combat, key, "1d10", down)
    taken = combat.health.track(who, "damage").taken
    yield HEALED.found(key, min(value, taken), f"{why}, of {taken} damage", HERE, who=who)
    return None


def heal(combat: Combat) -> Deed:
    """Heals damage and a wound, ends bleeding, and may revive the patient.

    Ruling: EP1-N40
    """
    now, healed = cared_for(combat, TreatTerms), HEALED.at(combat, key_of(combat, HEALING))
    wounds = min(1, combat.wounds.count(now.who))
    combat = yield from mend(combat, now.who, healed, wounds, _CARE)
    if combat.conditions.has(now.who, "bleeding"):
        combat = yield ConditionLost(now.who, "bleeding", "medical care")
    yield from recover(combat, now.who)
    return None


def remember(combat: Combat) -> Deed:
    """Records what is left of an injury, which cannot be treated twice.

    Ruling: EP1-N34
    """
    now = cared_for(combat, TreatTerms)
    for name, value in harm(combat, now.who).items():
        combat = yield name.found(now.key, value, "", HERE, who=now.who)
    return None


def work(combat: Combat) -> Deed:
    """Passes the time of the treatment.

    A success takes 10 % less for each 10 of its margin; a failure takes 10 % for each 10 of its margin.

    Ruling: EP1-N35
    """
    now, roll = frame(combat), combat.rolls[key_of(combat, TREATMENT)]
    hours, tenths = HOURS.at(combat, now.key), min(10, abs(roll.margin) // 10)
    part = 10 - tenths if helps(combat) else tenths
    why = f"{part * 10} % of {hours} hours, margin {roll.margin}"
    combat = yield MINUTES.found(now.key, hours * 6 * part, why, HERE)
    yield from spend_time(combat, MINUTES.at(combat, now.key))
    return None
