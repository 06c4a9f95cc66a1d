"""Whether care may be declared so: first aid, surgery, repair, stopping blood, waking."""

from machines.contract import refusals as no
from machines.contract.toolkit import check_here, check_not_lost, check_quiet
from machines.eclipse_phase.second.actions.terms import TreatTerms, WakeTerms
from machines.eclipse_phase.second.actions.validation import may_act, spend
from machines.eclipse_phase.second.care.healing import HARDWARE, MEDICINE, SURGERY, is_shell
from machines.eclipse_phase.second.care.recovery import harm
from machines.eclipse_phase.second.sheet.sheet_access import check, check_able, needed, sheet
from projections.combat import Combat


def check_first_aid(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse first aid to what has no flesh, to the dead, and for injuries that were treated already."""
    _check_flesh(combat, by, terms, MEDICINE)
    if not _is_untreated(combat, terms.who):
        accepts = "a new injury, surgery or rest" if any(harm(combat, terms.who).values()) else "somebody who is hurt"
        raise no.CannotAct(f"{terms.who} has no injury that was not treated already", where="who", accepts=accepts)


def check_surgery(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse surgery on what has no flesh, on the dead, and on the healthy."""
    _check_flesh(combat, by, terms, SURGERY)
    if not any(harm(combat, terms.who).values()):
        raise no.CannotAct(f"{terms.who} is not hurt", where="who", accepts="somebody who is")


def _check_flesh(combat: Combat, by: str, terms: TreatTerms, skill: str) -> None:
    check_quiet(combat)
    _check_care(combat, by, terms)
    if is_shell(combat, terms.who):
        raise no.CannotAct(f"{terms.who} does not heal", where="who", accepts="repair")
    needed(combat, by, terms.skill or skill)


def check_repair(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse the repair of flesh, of what is beyond repair, and of what is whole."""
    check_quiet(combat)
    _check_care(combat, by, terms)
    if not is_shell(combat, terms.who):
        raise no.CannotAct(f"{terms.who} cannot be repaired", where="who", accepts="a shell or a thing")
    if not any(harm(combat, terms.who).values()):
        raise no.CannotAct(f"{terms.who} is whole", where="who", accepts="something that is not")
    needed(combat, by, terms.skill or HARDWARE)


def check_wake(combat: Combat, by: str, terms: WakeTerms) -> None:
    """Refuse to wake whoever is awake, or too badly hurt; only flesh is woken by drugs."""
    check_able(combat, by, "somebody who can act")
    check_here(combat, terms.who, "who")
    check_not_lost(combat, terms.who, "dead")
    if not combat.conditions.has(terms.who, "unconscious"):
        raise no.CannotAct(f"{terms.who} is not unconscious", where="who", accepts="somebody who is")
    if combat.health.track(terms.who, "damage").taken > sheet(combat, terms.who).durability:
        raise no.CannotAct(f"{terms.who} is hurt too badly", where="who", accepts="first_aid first")
    if terms.stimulant and is_shell(combat, terms.who):
        raise no.BadTerms(f"{terms.who} has no blood", where="stimulant", accepts="false")
    check(combat, terms.who, "int")
    _takes_a_moment(combat, by)


def _takes_a_moment(combat: Combat, by: str) -> None:
    """Refuse in a fight what is not done in one's own moment, with a Complex Action."""
    if not combat.clock.fighting:
        return
    if combat.turn.who != by:
        raise no.NotYourTurn(f"it is not {by}'s moment", where="by", accepts="one's own moment")
    may_act(combat, by)
    spend(combat, by, "complex")


def check_stabilize(combat: Combat, by: str, terms: TreatTerms) -> None:
    """Refuse to stop blood where none flows; in a fight it takes one's moment, which is over then."""
    _check_care(combat, by, terms)
    if not combat.conditions.has(terms.who, "bleeding"):
        raise no.CannotAct(f"{terms.who} is not bleeding", where="who", accepts="somebody who is")
    _takes_a_moment(combat, by)
    needed(combat, by, terms.skill or MEDICINE)


def _check_care(combat: Combat, by: str, terms: TreatTerms) -> None:
    check_able(combat, by, "somebody who can act")
    check_here(combat, terms.who, "who")
    check_not_lost(combat, terms.who, "dead")


def _is_untreated(combat: Combat, who: str) -> bool:
    """Is there more than care has left?"""
    return any(value > int(combat.figures.of(who, name) or 0) for name, value in harm(combat, who).items())
