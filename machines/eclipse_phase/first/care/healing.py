"""Healing and repair: medical care, surgery, physical repairs, and rest."""

from collections.abc import Iterator

from ledger.events import ConditionLost, RollRequested
from machines.contract import refusals as no
from machines.contract.chart import Deed
from machines.contract.toolkit import (
    check_here,
    check_not_lost,
    check_quiet,
    counted,
    down,
    figure,
    frame,
    key_of,
    modified,
    thrown,
)
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.family.turn import spend
from machines.eclipse_phase.first.actions.terms import TreatTerms
from machines.eclipse_phase.first.care.care import cared_for, is_shell
from machines.eclipse_phase.first.care.recovery import harm, mend, recover
from machines.eclipse_phase.first.sheet.sheet_access import check_able, needed
from machines.eclipse_phase.first.success_tests.success import prepare, resolve
from projections.combat import Combat

CARE, HEALING = "treatment", "healing"
"""The roles of the test, and of the die that says how much is healed."""
_CARE = "EP1 208 Medical Care"
_REPAIR = "EP1 208 Physical Repairs"
_TASK = "EP1 120 Task Actions"


# ------------------------------------------------------------------------------------------------ what may be declared


def check_first_aid(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse medical care for what has no flesh, for the dead, and for injuries that were treated already."""
    _check_patient(combat, by, terms)
    if not _is_untreated(combat, terms.who):
        accepts = "a new injury, surgery or rest" if _is_hurt(combat, terms.who) else "somebody who is hurt"
        raise no.CannotAct(f"{terms.who} has no injury that was not treated already", where="who", accepts=accepts)


def check_surgery(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse surgery on what has no flesh, on the dead, and on the healthy."""
    _check_patient(combat, by, terms)
    if not _is_hurt(combat, terms.who):
        raise no.CannotAct(f"{terms.who} is not hurt", where="who", accepts="somebody who is")


def _check_patient(combat: Combat, by: str, terms: TreatTerms) -> None:
    _check_care(combat, by, terms)
    if is_shell(combat, terms.who):
        raise no.CannotAct(f"{terms.who} does not heal", where="who", accepts="repair")
    needed(combat, by, terms.skill or MEDICINE)


def check_repair(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse the repair of flesh, of what is beyond repair, and of what is whole."""
    _check_care(combat, by, terms)
    if not is_shell(combat, terms.who):
        raise no.CannotAct(f"{terms.who} cannot be repaired", where="who", accepts="a synthmorph or a thing")
    if not _is_hurt(combat, terms.who):
        raise no.CannotAct(f"{terms.who} is whole", where="who", accepts="something that is not")
    needed(combat, by, terms.skill or HARDWARE)


MEDICINE, HARDWARE = "medicine", "hardware"
"""What bodies and shells are treated with where nothing else is said."""


def _check_care(combat: Combat, by: str, terms: TreatTerms) -> None:
    check_quiet(combat)
    check_able(combat, by, "somebody who can act")
    check_here(combat, terms.who, "who")
    check_not_lost(combat, terms.who, "dead")


def _is_hurt(combat: Combat, who: str) -> bool:
    return any(harm(combat, who).values())


def _is_untreated(combat: Combat, who: str) -> bool:
    """Is there more than care has left?"""
    return any(value > int(combat.figures.of(who, name) or 0) for name, value in harm(combat, who).items())


# ------------------------------------------------------------------------------------------------ the test


def prepare_care(combat: Combat) -> Deed:
    """Medicine, modified by the circumstances.

    Source: EP1 208 Medical Care
    """
    now, key = cared_for(combat, TreatTerms), key_of(combat, CARE)
    value, why = needed(combat, now.by, now.terms.skill or MEDICINE)
    yield from prepare(
        combat, key, now.by, value, why, _CARE, modified(key, now.terms.modifier, "circumstances", _CARE)
    )
    return None


def prepare_surgery(combat: Combat) -> Deed:
    """Medicine, and the hours that it takes.

    Source: EP1 208 Surgery
    """
    now = cared_for(combat, TreatTerms)
    combat = yield figure(now.key, "hours", now.terms.hours, "surgery", "EP1 208 Surgery")
    return (yield from prepare_care(combat))


def prepare_repair(combat: Combat) -> Deed:
    """Hardware, -10 for each wound; 2 hours for each 10 points of damage that are begun, and 8 for each wound.

    Source: EP1 208 Physical Repairs; Ruling: EP1-N33
    """
    now, key = cared_for(combat, TreatTerms), key_of(combat, CARE)
    damage, wounds = combat.health.track(now.who, "damage").taken, combat.wounds.count(now.who)
    hours, why = -(-damage // 10) * 2 + 8 * wounds, f"{damage} damage, {wounds} wounds"
    combat = yield figure(now.key, "hours", hours, why, _REPAIR)
    value, skill = needed(combat, now.by, now.terms.skill or HARDWARE)
    modifiers = (
        *modified(key, -10 * wounds, f"{wounds} wounds of {now.who}", _REPAIR),
        *modified(key, now.terms.modifier, "circumstances", _REPAIR),
    )
    yield from prepare(combat, key, now.by, value, skill, _REPAIR, modifiers)
    return None


def care_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever treats or repairs rolls.

    Source: EP1 208 Healing and Repair
    """
    now = cared_for(combat, TreatTerms)
    yield asked(combat, key_of(combat, CARE), now.by, f"{frame(combat).kind.replace('_', ' ')}: {now.who}")


def read_care(combat: Combat) -> Deed:
    """Against its target.

    Source: EP1 208 Healing and Repair
    """
    yield resolve(combat, key_of(combat, CARE))
    return None


def helps(combat: Combat) -> bool:
    """Did the test succeed?

    Source: EP1 208 Healing and Repair
    """
    return passed(combat, key_of(combat, CARE))


# ------------------------------------------------------------------------------------------------ what it does


def healing_roll(combat: Combat) -> Iterator[RollRequested]:
    """1d10 points of damage are healed.

    Source: EP1 208 Medical Care, Surgery
    """
    yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, "1d10", "damage healed")


def read_healing(combat: Combat) -> Deed:
    """No more than there is.

    Source: EP1 208 Medical Care, Surgery
    """
    key, who = key_of(combat, HEALING), cared_for(combat, TreatTerms).who
    value, why = counted(combat, key, "1d10", down)
    taken = combat.health.track(who, "damage").taken
    yield figure(key, "healed", min(value, taken), f"{why}, of {taken} damage", _CARE, who=who)
    return None


def heal(combat: Combat) -> Deed:
    """Damage and a wound are healed, bleeding ends, and whoever was out may come to.

    Source: EP1 208 Medical Care, Surgery, 207 Bleeding; Ruling: EP1-N40
    """
    now, healed = cared_for(combat, TreatTerms), combat.figures.number(key_of(combat, HEALING), "healed")
    wounds = min(1, combat.wounds.count(now.who))
    combat = yield from mend(combat, now.who, healed, wounds, _CARE)
    if combat.conditions.has(now.who, "bleeding"):
        combat = yield ConditionLost(now.who, "bleeding", "medical care")
    yield from recover(combat, now.who)
    return None


def restore(combat: Combat) -> Deed:
    """Everything that was broken is put right.

    Source: EP1 208 Physical Repairs
    """
    who = cared_for(combat, TreatTerms).who
    damage, wounds = combat.health.track(who, "damage").taken, combat.wounds.count(who)
    combat = yield from mend(combat, who, damage, wounds, _REPAIR)
    yield from recover(combat, who)
    return None


def remember(combat: Combat) -> Deed:
    """An injury is treated once: what is left of it is no new one.

    Source: EP1 208 Medical Care; Ruling: EP1-N34
    """
    now = cared_for(combat, TreatTerms)
    for name, value in harm(combat, now.who).items():
        combat = yield figure(now.key, name, value, "", _CARE, scope="combatant", who=now.who)
    return None


def work(combat: Combat) -> Deed:
    """The time it took: 10 % less for each 10 of the margin; 10 % for each 10 of it where it was in vain.

    Source: EP1 120 Task Actions; Ruling: EP1-N35
    """
    now, roll = frame(combat), combat.rolls[key_of(combat, CARE)]
    hours, tenths = combat.figures.number(now.key, "hours"), min(10, abs(roll.margin) // 10)
    part = 10 - tenths if helps(combat) else tenths
    why = f"{part * 10} % of {hours} hours, margin {roll.margin}"
    combat = yield figure(now.key, "minutes", hours * 6 * part, why, _TASK)
    yield from spend(combat, combat.figures.number(now.key, "minutes"))
    return None
