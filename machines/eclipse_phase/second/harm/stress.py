"""Mental stress: stress tests, and hardening against kinds of stress."""

from collections.abc import Iterator

from ledger.dice import parse
from ledger.events import ConditionGained, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureNames
from machines.contract.refusals import BadTerms, CannotAct
from machines.contract.toolkit import (
    check_nameable,
    check_not_lost,
    counted,
    down,
    frame,
    key_of,
    modified,
    one_of,
    thrown,
)
from machines.eclipse_phase.family.edition import SV, WOUNDS_TAKEN, declared
from machines.eclipse_phase.family.harm import WILLPOWER, stress_value
from machines.eclipse_phase.family.success import passed
from machines.eclipse_phase.second.actions.terms import StressTerms
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import HARDENED, aptitude, check, sheet, traits
from machines.eclipse_phase.second.success_tests.success import prepare
from machines.eclipse_phase.second.tables.tables import EXPERIENCES
from projections.combat import Combat

HARDENS = ("alienation", "helplessness", "violence")
"""Kinds of stress to which one hardens; to the unknown only asyncs do."""
ENOUGH = 5
"""Traumas of one kind without a disorder that harden against it (EP2 12/23 Hardening)."""


def check_stress(combat: Combat, by: str, terms: StressTerms) -> None:
    """Rejects stress without a Stress Value, and for combatants without a mind."""
    if terms.sv is None:
        one_of(terms.what, tuple(EXPERIENCES), "what")
    else:
        check_nameable(terms.what, "what")
        parse(terms.sv)
        if terms.even_so not in ("", "half") and not terms.even_so.isdigit():
            raise BadTerms(f"even_so cannot be {terms.even_so!r}", where="even_so", accepts="a number, half")
    if not sheet(combat, by).stress:
        raise CannotAct(f"{by} cannot suffer stress", where="by", accepts="a combatant with Lucidity")
    aptitude(combat, by, "wil")
    check_not_lost(combat, by, "dead", "mind_lost")


TRAUMAS_BY = FigureNames("traumas by ", int, scope="combatant")
HARDENED_TO = FigureNames("hardened to ", int, scope="combatant")
"""Figures of a combatant, by kind of stress: traumas until now; 1 once it has no effect any more."""


def _category(combat: Combat) -> str:
    """Returns the kind of stress; empty if it has none."""
    terms = declared(combat)
    return terms.category or (EXPERIENCES[terms.what].category if terms.sv is None else "")


def is_hardened(combat: Combat) -> bool:
    """Returns whether the combatant is hardened to this kind of stress."""
    who, kind = frame(combat).by, _category(combat)
    is_by_trait = any(kind in trait.hardened for trait in traits(combat, who))
    return bool(kind) and (is_by_trait or HARDENED_TO[kind].of(combat, who) == 1)


def prepare_willpower(combat: Combat) -> Deed:
    """Prepares the WIL Check, modified for extreme experiences."""
    key, who, terms = key_of(combat, WILLPOWER), frame(combat).by, declared(combat)
    modifiers = tuple(modified(key, terms.modifier, terms.what, HERE))
    yield from prepare(combat, key, who, check(combat, who, "wil"), HERE, modifiers)
    return None


def copes(combat: Combat) -> str:
    """Returns the exit for the check: failed, passed with stress nevertheless, or passed without stress."""
    if not passed(combat, key_of(combat, WILLPOWER)):
        return "shaken"
    return "even_so" if _stress_when_passed(combat) else "copes"


def _stress_when_passed(combat: Combat) -> str:
    """Returns the stress after a passed check: a number, ``half`` of the Stress Value, or empty for none."""
    terms = declared(combat)
    return EXPERIENCES[terms.what].even_so if terms.sv is None else terms.even_so


def stress_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the Stress Value; after a passed check only if half of it counts."""
    kept = passed(combat, key_of(combat, WILLPOWER))
    if not kept or _stress_when_passed(combat) == "half":
        yield from thrown(combat, key_of(combat, "sv"), frame(combat).by, stress_value(combat), "stress")


def read_stress(combat: Combat) -> Deed:
    """Computes the stress: rolled; after a passed check half of it, or the number after the slash."""
    key, even_so = key_of(combat, "sv"), _stress_when_passed(combat)
    kept = passed(combat, key_of(combat, WILLPOWER))
    if kept and even_so.isdigit():
        value, why = int(even_so), "coped with, even so"
    else:
        value, why = counted(combat, key, stress_value(combat), down)
        if kept:
            value, why = half_up(value, 2), f"half of {why}"
    yield SV.found(key, value, f"{why}, {declared(combat).what}", HERE)
    return None


def count_trauma(combat: Combat) -> Deed:
    """Counts traumas of a kind to which one hardens; the fifth without a disorder hardens."""
    now, kind = frame(combat), _category(combat)
    allowed = kind in HARDENS or (kind and sheet(combat, now.by).psi > 0)
    if not allowed or WOUNDS_TAKEN.at(combat, now.key) < 1 or combat.conditions.has(now.by, "disorder"):
        return None
    counter = TRAUMAS_BY[kind]
    times = counter.of(combat, now.by) + 1
    combat = yield counter.found(now.key, times, f"{times} times", HERE, who=now.by)
    if times >= ENOUGH:
        combat = yield HARDENED_TO[kind].found(now.key, 1, f"{times} traumas", HERE, who=now.by)
        condition = HARDENED + kind.replace(" ", "_")
        yield ConditionGained(now.by, condition, None, "treated", now.key, f"{times} traumas", HERE)
    return None
