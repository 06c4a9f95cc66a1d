"""Mental stress: stress tests, hardening, and derangements caused by traumas."""

from collections.abc import Iterator, Mapping

from ledger.dice import parse
from ledger.events import (
    ChoiceRequested,
    ConditionGained,
    ConditionLost,
    Option,
    ResourceOpened,
    RollRequested,
)
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureNames
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
from machines.eclipse_phase.family.edition import HOURS, SV, declared
from machines.eclipse_phase.family.harm import WILLPOWER, Hurt, done, stress_value
from machines.eclipse_phase.family.success import passed
from machines.eclipse_phase.first.actions.terms import StressTerms
from machines.eclipse_phase.first.figure_names import LEVEL
from machines.eclipse_phase.first.sheet.sheet_access import aptitude
from machines.eclipse_phase.first.success_tests.moxie import MOXIE
from machines.eclipse_phase.first.success_tests.success import will_test
from machines.eclipse_phase.first.tables.tables import DERANGEMENTS, EXPERIENCES, Derangement
from projections.combat import Combat

ENOUGH = 5
"""Times that a source of stress is resisted until it has no effect (EP1 214 Hardening)."""


# ------------------------------------------------------------------------------------------------ stress


def check_stress(combat: Combat, by: str, terms: StressTerms) -> None:
    """Rejects stress without a Stress Value, and for combatants without a mind."""
    if terms.sv is None:
        one_of(terms.what, tuple(EXPERIENCES), "what")
    else:
        check_nameable(terms.what, "what")
        parse(terms.sv)
    aptitude(combat, by, "wil")
    check_not_lost(combat, by, "dead", "mind_lost")


def is_hardened(combat: Combat) -> bool:
    """Returns whether the combatant is hardened to this source of stress."""
    return HARDENED_TO[declared(combat).what].of(combat, frame(combat).by) == 1


HARDENED_TO = FigureNames("hardened to ", int, scope="combatant")
RESISTED = FigureNames("resisted ", int, scope="combatant")
"""Figures of a combatant, by source of stress: 1 once it has no effect any more; how often it was resisted."""


def prepare_willpower(combat: Combat) -> Deed:
    """Prepares the Willpower Test: WIL x 3, modified for extreme experiences."""
    key, who = key_of(combat, WILLPOWER), frame(combat).by
    terms = declared(combat)
    yield from will_test(combat, key, who, HERE, modified(key, terms.modifier, terms.what, HERE))
    return None


def copes(combat: Combat) -> bool:
    """Returns whether the Willpower Test succeeded."""
    return passed(combat, key_of(combat, WILLPOWER))


def count_exposure(combat: Combat) -> Deed:
    """Counts the times that a source was resisted.

    Ruling: EP1-N32
    """
    now, resisted = frame(combat), RESISTED[declared(combat).what]
    times = resisted.of(combat, now.by) + 1
    why = f"resisted {times} time{'s' if times > 1 else ''}"
    yield resisted.found(now.key, times, why, HERE, who=now.by)
    return None


def is_enough(combat: Combat) -> bool:
    """Returns whether the source was resisted five times."""
    return RESISTED[declared(combat).what].of(combat, frame(combat).by) >= ENOUGH


def harden(combat: Combat) -> Deed:
    """Hardens the combatant to the source, for a point of maximum Moxie."""
    now = frame(combat)
    why = f"resisted {ENOUGH} times"
    combat = yield HARDENED_TO[declared(combat).what].found(now.key, 1, why, HERE, who=now.by)
    moxie = combat.resources.resource(now.by, MOXIE)
    if moxie.of:
        yield ResourceOpened(now.by, MOXIE, min(moxie.left, moxie.of - 1), moxie.of - 1)
    return None


def stress_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the Stress Value."""
    yield from thrown(combat, key_of(combat, "sv"), frame(combat).by, stress_value(combat), "stress")


def read_stress(combat: Combat) -> Deed:
    """Computes the stress; halves are rounded down."""
    key = key_of(combat, "sv")
    value, why = counted(combat, key, stress_value(combat), down)
    yield SV.found(key, value, f"{why}, {declared(combat).what}", HERE)
    return None


# ------------------------------------------------------------------------------------------------ derangements

LEVELS = ("minor", "moderate", "major", "disorder")
"""Level of the first, second and third trauma, and of all further ones."""
LASTS: Mapping[str, bool] = {"minor": False, "moderate": False, "major": False, "disorder": True}
"""Whether a level lasts until it is treated."""
BY_CONDITION: Mapping[str, Derangement] = {name.replace(" ", "_"): row for name, row in DERANGEMENTS.items()}
"""Rows of the table by condition."""


def derangements(combat: Combat, who: str) -> dict[str, Derangement]:
    """Returns a combatant's derangements and disorders by condition, the oldest first."""
    return {name: BY_CONDITION[name] for name in combat.conditions.of(who) if name in BY_CONDITION}


def how_bad(combat: Combat) -> Deed:
    """Finds the level of the derangement: minor, moderate or major for the first three traumas, then a disorder.

    Ruling: EP1-N30
    """
    now = done(combat)
    count = combat.wounds.count(now.who, now.row.wounds)
    level = LEVELS[max(0, min(count, len(LEVELS)) - 1)]
    yield LEVEL.found(now.role("derangement"), level, f"traumas: {count}", HERE, who=now.who)
    return None


def offer_derangement(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster for a derangement of that level, or another minor one."""
    now = done(combat)
    due = LEVEL.at(combat, now.role("derangement"))
    has = derangements(combat, now.who)
    rows = [row for level in dict.fromkeys((due, LEVELS[0])) for row in DERANGEMENTS.values() if row.level == level]
    fresh = [row for row in rows if row.name.replace(" ", "_") not in has]
    options = tuple(Option(row.name, f"{row.name} ({row.level})") for row in fresh or rows)
    return ChoiceRequested(now.role("derangement"), "gm", options, None, f"what the trauma does to {now.who}")


def _chosen(combat: Combat, now: Hurt) -> Derangement:
    return DERANGEMENTS[combat.exchange.chosen[now.role("derangement")]]


def lasts(combat: Combat) -> bool:
    """Returns whether it is a disorder, which lasts until treated."""
    return LASTS[_chosen(combat, done(combat)).level]


def duration_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the dice for the hours that a derangement lasts."""
    now = done(combat)
    yield from thrown(combat, now.role("duration"), now.who, "1d10/2", "hours of the derangement")


def read_duration(combat: Combat) -> Deed:
    """Computes the hours: half of the die, rounded down.

    Ruling: EP1-N31
    """
    key = done(combat).role("duration")
    hours, why = counted(combat, key, "1d10/2", down)
    yield HOURS.found(key, hours, why, HERE)
    return None


def be_deranged(combat: Combat) -> Deed:
    """Applies the derangement; one of the due level replaces an earlier, lesser one.

    Ruling: EP1-N30
    """
    now = done(combat)
    row, condition = _chosen(combat, now), _chosen(combat, now).name.replace(" ", "_")
    due, hours = LEVEL.at(combat, now.role("derangement")), now.role("duration")
    lesser = [name for name, one in derangements(combat, now.who).items() if _rank(one) < _rank(row)]
    if row.level == due and lesser:
        worst = max(reversed(lesser), key=lambda name: _rank(BY_CONDITION[name]))
        combat = yield ConditionLost(now.who, worst, "upgraded")
    until = f"{max(0, HOURS.at(combat, hours))} hours" if HOURS.is_at(combat, hours) else "treated"
    yield ConditionGained(now.who, condition, None, until, now.place, f"a trauma: {row.level}", row.source)
    return None


def _rank(row: Derangement) -> int:
    return LEVELS.index(row.level)
