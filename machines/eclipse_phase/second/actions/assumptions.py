"""Records what is assumed for omitted terms that decide a number."""

from collections.abc import Iterator

from ledger.events import Event
from machines.contract.assumptions import assume, assume_defaults, given
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.second.actions.terms import ExplosionTerms
from machines.eclipse_phase.second.attack.attack_context import attack
from machines.eclipse_phase.second.attack.modifiers import concentrated
from machines.eclipse_phase.second.attack.ranges import TOUCHING, band
from machines.eclipse_phase.second.harm.explosion import does
from projections.combat import Combat

_MODES, _AREA = "EP2 12/04 Firing Modes", "EP2 12/15 Centered Blast"
CENTERED = "centered"


def of_attack(combat: Combat) -> Iterator[Event]:
    """Yields what is assumed for the distance, the firing mode, what an attack adds to, and the loss of a blast."""
    now, declared = attack(combat), given(frame(combat))
    yield from of_distance(combat)
    yield from now.assumed_mode(_MODES)
    if (concentrated(now) or now.terms.aggressive) and "bonus" not in declared:
        yield assume(now.key, "bonus", now.terms.bonus, _MODES)
    if now.weapon.area == CENTERED and any(now.terms.caught.values()) and "falloff" not in declared:
        yield assume(now.key, "falloff", f"{now.terms.falloff} for each meter", _AREA)


def of_distance(combat: Combat) -> Iterator[Event]:
    """Yields the range band of a shot, or that a sleight needs no modifier, if neither range nor distance is declared.

    Source: EP2 12/04 Range, 14/04 Psi Range; Ruling: EP2-N36
    """
    now = attack(combat)
    if now.terms.range or now.terms.distance is not None:
        return
    if now.kind.needs_range:
        row = band(combat, now).row
        yield assume(now.key, "range", row.name, row.source)
    elif now.kind.minds and TOUCHING not in now.terms.modifiers:
        yield assume(now.key, "distance", "neither point-blank nor far", "EP2 14/04 Psi Range")


def of_explosion(combat: Combat) -> Iterator[Event]:
    """Yields damage dice and armor of a blast that is no row of the weapons table, and the loss of a centered blast."""
    now = frame(combat)
    terms = typed(now.terms, ExplosionTerms)
    if not terms.weapon:
        yield from assume_defaults(now, terms, "EP2 12/15 Area-effect Attacks", "damage", "armor")
    if does(terms).area == CENTERED and any(terms.caught.values()):
        yield from assume_defaults(now, terms, _AREA, "falloff")
