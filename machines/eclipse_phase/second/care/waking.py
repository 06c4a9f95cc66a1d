"""Bringing round somebody unconscious."""

from collections.abc import Iterator

from ledger.events import ConditionLost, ModifierApplied, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame, key_of
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.second.actions.terms import WakeTerms
from machines.eclipse_phase.second.attack.modifiers import spend
from machines.eclipse_phase.second.sheet.sheet_access import check
from machines.eclipse_phase.second.success_tests.success import prepare, read
from projections.combat import Combat

WAKING = "waking"


def _terms(combat: Combat) -> WakeTerms:
    return typed(frame(combat).terms, WakeTerms)


def try_to_wake(combat: Combat) -> Deed:
    """An INT Check at -30 of whoever is shaken; a stimulant needs none. In a fight it takes a Complex Action."""
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
    """Whoever is unconscious rolls."""
    yield asked(combat, key_of(combat, WAKING), _terms(combat).who, "wake up")


def read_waking(combat: Combat) -> Deed:
    """Against its target."""
    yield from read(combat, key_of(combat, WAKING))
    return None


def wakes(combat: Combat) -> bool:
    """Did the check succeed?"""
    return passed(combat, key_of(combat, WAKING))


def wake(combat: Combat) -> Deed:
    """They come to."""
    yield ConditionLost(_terms(combat).who, "unconscious", "woken")
    return None
