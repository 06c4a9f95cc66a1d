"""Records what is assumed for omitted terms that decide a number."""

from collections.abc import Iterator

from ledger.events import Event
from machines.contract.assumptions import assume, assume_defaults, given
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.family.attacks import assumed_distance
from machines.eclipse_phase.first.actions.terms import ExplosionTerms
from machines.eclipse_phase.first.attack.attack_context import attack
from machines.eclipse_phase.first.attack.modifiers import concentrated
from machines.eclipse_phase.first.attack.ranges import band
from projections.combat import Combat

_MODES, _PSI = "EP1 198 Firing Modes", "EP1 222 Psi Range"


def of_attack(combat: Combat) -> Iterator[Event]:
    """Yields what is assumed for the distance, the firing mode, and what concentrated fire adds to."""
    now = attack(combat)
    yield from of_distance(combat)
    if now.mode is not None and not now.terms.mode and len(now.weapon.modes) > 1:
        yield assume(now.key, "mode", now.mode.name, _MODES)
    if concentrated(combat, now) and "bonus" not in given(frame(combat)):
        yield assume(now.key, "bonus", now.terms.bonus, _MODES)


def of_distance(combat: Combat) -> Iterator[Event]:
    """Yields the range band of a shot, or that a sleight needs no modifier, if neither range nor distance is declared.

    Source: EP1 203 Range, 222 Psi Range; Ruling: EP1-N58
    """
    now = attack(combat)
    minds = "" if now.by_touch else "at most 5 meters"
    yield from assumed_distance(now, band(combat, now), minds, _PSI)


def of_explosion(combat: Combat) -> Iterator[Event]:
    """Yields the damage dice and the armor of a blast that is no row of the weapons table."""
    now = frame(combat)
    terms = typed(now.terms, ExplosionTerms)
    if not terms.weapon:
        yield from assume_defaults(now, terms, "EP1 193 Area Effect Weapons", "damage", "armor")
