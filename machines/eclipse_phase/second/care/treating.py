"""Checks of stopping bleeding and of waking."""

from machines.contract.refusals import BadTerms, CannotAct, NotYourTurn
from machines.eclipse_phase.family.care import check_care, is_shell
from machines.eclipse_phase.second.actions.terms import TreatTerms, WakeTerms
from machines.eclipse_phase.second.actions.validation import may_act, spend
from machines.eclipse_phase.second.care.healing import MEDICINE
from machines.eclipse_phase.second.sheet.sheet_access import check, needed, sheet
from projections.combat import Combat


def check_wake(combat: Combat, by: str, terms: WakeTerms) -> None:
    """Rejects waking a combatant who is conscious or too badly hurt, and drugs for synthetic bodies."""
    check_care(combat, by, terms.who)
    if not combat.conditions.has(terms.who, "unconscious"):
        raise CannotAct(f"{terms.who} is not unconscious", where="who", accepts="a combatant who is")
    if combat.health.track(terms.who, "damage").taken > sheet(combat, terms.who).durability:
        raise CannotAct(f"{terms.who} is hurt too badly", where="who", accepts="first_aid first")
    if terms.stimulant and is_shell(combat, terms.who):
        raise BadTerms(f"{terms.who} has no blood", where="stimulant", accepts="false")
    check(combat, terms.who, "int")
    _takes_a_moment(combat, by)


def _takes_a_moment(combat: Combat, by: str) -> None:
    """Rejects, in a fight, care outside the combatant's own moment or without a Complex Action."""
    if not combat.clock.fighting:
        return
    if combat.turn.who != by:
        raise NotYourTurn(f"it is not {by}'s moment", where="by", accepts=f"{by}'s own moment")
    may_act(combat, by)
    spend(combat, by, "complex")


def check_stabilize(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Rejects stopping the bleeding of a combatant who does not bleed; in a fight it takes a Complex Action."""
    check_care(combat, by, terms.who)
    if not combat.conditions.has(terms.who, "bleeding"):
        raise CannotAct(f"{terms.who} is not bleeding", where="who", accepts="a combatant who is")
    _takes_a_moment(combat, by)
    needed(combat, by, terms.skill or MEDICINE)
