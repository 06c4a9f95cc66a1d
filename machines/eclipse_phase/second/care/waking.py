"""Waking an unconscious combatant."""

from collections.abc import Iterator

from ledger.events import ConditionLost, ModifierApplied, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame, key_of
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.second.actions.terms import WakeTerms
from machines.eclipse_phase.second.attack.modifiers import spend
from machines.eclipse_phase.second.sheet.sheet_access import check
from machines.eclipse_phase.second.success_tests.success import prepare, read
from projections.combat import Combat

WAKING = "waking"


def _terms(combat: Combat) -> WakeTerms:
    return typed(frame(combat).terms, WakeTerms)


def try_to_wake(combat: Combat) -> Deed:
    """Prepares the patient's INT Check at -30; a stimulant needs none. In a fight it takes a Complex Action."""
    now, terms = frame(combat), _terms(combat)
    if combat.clock.fighting:
        combat = yield from spend(combat, now.by, "complex", now.key)
    if terms.stimulant:
        return "wakes"
    key = key_of(combat, WAKING)
    harder = (ModifierApplied(key, -30, "unconscious", HERE),)
    yield from prepare(combat, key, terms.who, check(combat, terms.who, "int"), HERE, harder)
    return "check"


def waking_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the INT Check of the unconscious combatant."""
    yield d100_request(combat, key_of(combat, WAKING), _terms(combat).who, "wake up")


def read_waking(combat: Combat) -> Deed:
    """Reads the check to wake."""
    yield from read(combat, key_of(combat, WAKING))
    return None


def wakes(combat: Combat) -> bool:
    """Returns whether the check to wake succeeded."""
    return passed(combat, key_of(combat, WAKING))


def wake(combat: Combat) -> Deed:
    """Ends unconsciousness."""
    yield ConditionLost(_terms(combat).who, "unconscious", "woken")
    return None
