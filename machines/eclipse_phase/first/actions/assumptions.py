"""Records what is assumed for omitted terms that decide a number."""

from collections.abc import Iterator

from ledger.events import Event
from machines.contract.assumptions import assume, assume_defaults, given
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.first.actions.terms import ExplosionTerms
from machines.eclipse_phase.first.attack.attack_context import attack
from machines.eclipse_phase.first.attack.modifiers import concentrated
from projections.combat import Combat


def of_attack(combat: Combat) -> Iterator[Event]:
    """Yields what concentrated fire adds to."""
    now = attack(combat)
    if concentrated(combat, now) and "bonus" not in given(frame(combat)):
        yield assume(now.key, "bonus", now.terms.bonus, "EP1 198 Firing Modes")


def of_explosion(combat: Combat) -> Iterator[Event]:
    """Yields the damage dice and the armor of a blast that is no row of the weapons table."""
    now = frame(combat)
    terms = typed(now.terms, ExplosionTerms)
    if not terms.weapon:
        yield from assume_defaults(now, terms, "EP1 193 Area Effect Weapons", "damage", "armor")
