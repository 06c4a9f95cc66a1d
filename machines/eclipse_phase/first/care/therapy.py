"""Mental healing: psychotherapy, and months without new stress."""

from collections.abc import Iterator

from ledger.events import ConditionLost, RollRequested, TimePassed
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import CannotAct, ImpossibleFigure
from machines.contract.ruleset import typed
from machines.contract.toolkit import (
    Telling,
    check_here,
    check_not_lost,
    check_quiet,
    counted,
    down,
    frame,
    key_of,
    modified,
    thrown,
)
from machines.eclipse_phase.family.care import HEALING, TREATMENT, mend
from machines.eclipse_phase.family.edition import HEALED, HOURS
from machines.eclipse_phase.family.spans import SECONDS
from machines.eclipse_phase.family.success import d100_request
from machines.eclipse_phase.first.actions.terms import ReflectTerms, TherapyTerms
from machines.eclipse_phase.first.care.care import cared_for
from machines.eclipse_phase.first.care.recovery import recover
from machines.eclipse_phase.first.harm.stress import LASTS, derangements
from machines.eclipse_phase.first.sheet.sheet_access import aptitude, check_able, needed
from machines.eclipse_phase.first.success_tests.success import prepare
from machines.eclipse_phase.first.turn.time_passing import time_goes_by
from projections.combat import Combat

AILMENTS = STRESS, TRAUMA, DISORDER = "stress", "trauma", "disorder"
TREATS = FigureName("treats", str)
"""Figure of the ailment being treated."""
HOURS_FOR = {TRAUMA: 8, DISORDER: 40}
"""Hours for a trauma and a disorder; stress takes an hour a point."""
PSYCHOSURGERY = 30


# ------------------------------------------------------------------------------------------------ psychotherapy


def check_therapy(combat: Combat, by: str, terms: TherapyTerms) -> None:
    """Rejects psychotherapy for patients who need none, and for those beyond help."""
    check_quiet(combat)
    check_able(combat, by, "a combatant who can act")
    check_here(combat, terms.who, "who")
    check_not_lost(combat, terms.who, "dead", "mind_lost")
    needed(combat, by, terms.skill)
    if not _first_ailment(combat, terms.who):
        accepts = "a combatant with stress, traumas or a disorder"
        raise CannotAct(f"nothing ails {terms.who}'s mind", where="who", accepts=accepts)


def _disorders(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns a combatant's disorders, the oldest first."""
    return tuple(name for name, row in derangements(combat, who).items() if LASTS[row.level])


def _first_ailment(combat: Combat, who: str) -> str:
    """Returns the ailment that is treated first: stress, then traumas, then disorders; empty if there is none."""
    ails = {
        STRESS: combat.health.track(who, "stress").taken,
        TRAUMA: combat.wounds.count(who, "traumas"),
        DISORDER: len(_disorders(combat, who)),
    }
    return next((name for name, much in ails.items() if much), "")


def find_ailment(combat: Combat) -> Deed:
    """Finds the ailment and its hours: one for each point of stress, 8 for a trauma, 40 for a disorder.

    Ruling: EP1-N38
    """
    now = cared_for(combat, TherapyTerms)
    treats = _first_ailment(combat, now.who)
    combat = yield TREATS.found(now.key, treats, "in this order", HERE, who=now.who)
    points = combat.health.track(now.who, "stress").taken
    hours = HOURS_FOR.get(TREATS.at(combat, now.key), points)
    yield HOURS.found(now.key, hours, TREATS.at(combat, now.key), HERE)
    return None


def prepare_therapy(combat: Combat) -> Deed:
    """Prepares the test: the therapist's skill, +30 after psychosurgery, -10 for each disorder."""
    now, key = cared_for(combat, TherapyTerms), key_of(combat, TREATMENT)
    value, why = needed(combat, now.by, now.terms.skill)
    disorders = max(now.terms.disorders, len(_disorders(combat, now.who)))
    modifiers = (
        *modified(key, PSYCHOSURGERY * now.terms.psychosurgery, "psychosurgery", HERE),
        *modified(key, -10 * disorders, f"disorders of {now.who}: {disorders}", HERE),
        *modified(key, now.terms.modifier, "circumstances", HERE),
    )
    yield from prepare(combat, key, now.by, value, why, HERE, modifiers)
    return None


def therapy_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the therapist's test."""
    now = cared_for(combat, TherapyTerms)
    yield d100_request(combat, key_of(combat, TREATMENT), now.by, f"therapy: {now.who}")


def what_ails(combat: Combat) -> str:
    """Returns the ailment: stress, a trauma or a disorder."""
    treats = TREATS.at(combat, frame(combat).key)
    if treats not in AILMENTS:
        raise ImpossibleFigure(f"{treats!r} cannot be treated", where=TREATS.name, accepts=", ".join(AILMENTS))
    return treats


def ease_stress(combat: Combat) -> Deed:
    """Heals all stress.

    Ruling: EP1-N38
    """
    who = cared_for(combat, TherapyTerms).who
    combat = yield from mend(combat, who, combat.health.track(who, "stress").taken, 0, HERE, "stress")
    yield from _relieve(combat, who)
    return None


def heal_trauma(combat: Combat) -> Deed:
    """Heals a trauma and ends what it caused.

    Ruling: EP1-N39
    """
    who = cared_for(combat, TherapyTerms).who
    combat = yield from mend(combat, who, 0, 1, HERE, "stress")
    yield from _relieve(combat, who)
    return None


def heal_disorder(combat: Combat) -> Deed:
    """Ends the latest disorder."""
    who = cared_for(combat, TherapyTerms).who
    for name in _disorders(combat, who)[-1:]:
        combat = yield ConditionLost(who, name, "psychotherapy")
    yield from _relieve(combat, who)
    return None


def _relieve(combat: Combat, who: str) -> Telling:
    """Ends temporary derangements and catatonia (EP1 210 Derangements)."""
    for name, row in derangements(combat, who).items():
        if not LASTS[row.level]:
            combat = yield ConditionLost(who, name, "psychiatric help")
    return (yield from recover(combat, who))


# ------------------------------------------------------------------------------------------------ natural healing


def check_reflect(combat: Combat, by: str, terms: ReflectTerms) -> None:
    """Rejects healing of an ailment that is absent or not first in order."""
    check_quiet(combat)
    check_not_lost(combat, by, "dead", "mind_lost")
    aptitude(combat, by, "wil")
    ailing = _first_ailment(combat, by)
    if terms.heal != ailing:
        raise CannotAct(f"{by} has no {terms.heal} to heal now", where="heal", accepts=ailing or "nothing")


def prepare_reflection(combat: Combat) -> Deed:
    """Prepares the test: WIL x 3; for a disorder, WIL."""
    who, times = frame(combat).by, WILL[_declared_ailment(combat)]
    wil = aptitude(combat, who, "wil")
    why = f"WIL {wil} x {times}" if times > 1 else f"WIL {wil}"
    yield from prepare(combat, key_of(combat, TREATMENT), who, wil * times, why, HERE)
    return None


def _declared_ailment(combat: Combat) -> str:
    """Returns the ailment that a declaration heals."""
    return typed(frame(combat).terms, ReflectTerms).heal


WILL = {STRESS: 3, TRAUMA: 3, DISORDER: 1}
"""Factor on WIL, by ailment."""
MONTHS = {STRESS: 1, TRAUMA: 1, DISORDER: 3}
"""Months without new stress that it takes, by ailment."""


def reflection_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test after a month without new stress."""
    yield d100_request(combat, key_of(combat, TREATMENT), frame(combat).by, "get over it")


def what_heals(combat: Combat) -> str:
    """Returns the declared ailment: stress, a trauma or a disorder."""
    return _declared_ailment(combat)


def relief_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d10 for the stress healed."""
    yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, "1d10", "stress healed")


def read_relief(combat: Combat) -> Deed:
    """Computes the stress healed, at most the stress taken."""
    key, who = key_of(combat, HEALING), frame(combat).by
    value, why = counted(combat, key, "1d10", down)
    taken = combat.health.track(who, "stress").taken
    yield HEALED.found(key, min(value, taken), f"{why}, of {taken} stress", HERE, who=who)
    return None


def get_over_stress(combat: Combat) -> Deed:
    """Heals that much stress."""
    who, healed = frame(combat).by, HEALED.at(combat, key_of(combat, HEALING))
    combat = yield from mend(combat, who, healed, 0, HERE, "stress")
    yield from recover(combat, who)
    return None


def get_over_trauma(combat: Combat) -> Deed:
    """Heals a trauma."""
    yield from mend(combat, frame(combat).by, 0, 1, HERE, "stress")
    return None


def get_over_disorder(combat: Combat) -> Deed:
    """Ends the latest disorder."""
    who = frame(combat).by
    for name in _disorders(combat, who)[-1:]:
        yield ConditionLost(who, name, "got over it")
    return None


def pass_a_month(combat: Combat) -> Deed:
    """Passes a month for all combatants; three for a disorder."""
    months = MONTHS[_declared_ailment(combat)]
    combat = yield TimePassed(months, "months")
    yield from time_goes_by(combat, months * SECONDS["months"])
    return None
