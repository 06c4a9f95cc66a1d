"""Records what is assumed for omitted terms that decide a number."""

from collections.abc import Iterator

from ledger.events import Event
from machines.contract.assumptions import assume, assume_defaults, given
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.second.actions.terms import ExplosionTerms
from machines.eclipse_phase.second.attack.attack_context import attack
from machines.eclipse_phase.second.attack.modifiers import concentrated
from machines.eclipse_phase.second.harm.explosion import declared_blast
from projections.combat import Combat

_MODES, _AREA = "EP2 12/04 Firing Modes", "EP2 12/15 Centered Blast"
CENTERED = "centered"


def of_attack(combat: Combat) -> Iterator[Event]:
    """Yields what an attack adds to, and the loss of a blast."""
    now, declared = attack(combat), given(frame(combat))
    if (concentrated(now) or now.terms.aggressive) and "bonus" not in declared:
        yield assume(now.key, "bonus", now.terms.bonus, _MODES)
    if now.weapon.area == CENTERED and any(now.terms.caught.values()) and "falloff" not in declared:
        yield assume(now.key, "falloff", f"{now.terms.falloff} for each meter", _AREA)


def of_explosion(combat: Combat) -> Iterator[Event]:
    """Yields damage dice and armor of a blast that is no row of the weapons table, and the loss of a centered blast."""
    now = frame(combat)
    terms = typed(now.terms, ExplosionTerms)
    if not terms.weapon:
        yield from assume_defaults(now, terms, "EP2 12/15 Area-effect Attacks", "damage", "armor")
    if declared_blast(terms).area == CENTERED and any(terms.caught.values()):
        yield from assume_defaults(now, terms, _AREA, "falloff")
