"""Rest: natural healing and one technology; damage heals first, then wounds."""

from collections.abc import Mapping

from ledger.dice import parse
from ledger.modifier import total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import (
    check_has_none_of,
    check_not_lost,
    check_quiet,
    floored,
    frame,
    key_of,
    one_of,
)
from machines.eclipse_phase.family.care import HEALING, is_shell
from machines.eclipse_phase.family.edition import DICE, HEALED
from machines.eclipse_phase.second.actions.terms import RestTerms
from machines.eclipse_phase.second.care.recovery import mend, recover, treated
from machines.eclipse_phase.second.sheet.sheet_access import sheet
from machines.eclipse_phase.second.tables.body_rows import HealingRate
from machines.eclipse_phase.second.tables.tables import HEALING_CONDITIONS, HEALING_RATES
from projections.combat import Combat

MENDED = FigureName("wounds healed", int)
MOST = FigureName("most dice", int)
MOST_DICE = 500
NATURAL: Mapping[bool, str] = {True: "biomods", False: "no biomods"}
"""Rate of natural healing, by whether the body has biomods."""


def check_rest(combat: Combat, by: str, terms: RestTerms) -> None:
    """Rejects rest for the dead and bleeding, and means that do not help the body."""
    check_quiet(combat)
    check_not_lost(combat, by, "dead")
    accepts = "stabilize, first_aid or surgery first"
    check_has_none_of(combat, by, ("bleeding", "needs_surgery"), where="by", accepts=accepts)
    shell = is_shell(combat, by)
    fitting = tuple(
        name for name, row in HEALING_RATES.items() if not row.natural and (row.shells if shell else row.flesh)
    )
    one_of(terms.means, ("" if not shell else fitting[0], *fitting), "means")


def _sources(combat: Combat) -> tuple[HealingRate, ...]:
    """Returns the rates that apply: natural healing, and one technology.

    Source: EP2 12/17 Recovery
    """
    now = frame(combat)
    own = () if is_shell(combat, now.by) else (NATURAL[sheet(combat, now.by).biomods],)
    return tuple(HEALING_RATES[name] for name in (*own, typed(now.terms, RestTerms).means) if name)


def _slowed(combat: Combat) -> int:
    conditions = typed(frame(combat).terms, RestTerms).conditions
    return HEALING_CONDITIONS[conditions].times if conditions else 1


def _ends(combat: Combat, row: HealingRate) -> int:
    """Returns the hours for which a rate works in this rest."""
    hours = typed(frame(combat).terms, RestTerms).hours
    return min(hours, row.lasts or hours)


def ticks(combat: Combat) -> list[int]:
    """Returns the hours at which a die is healed, in order, at most one for each point of damage.

    Source: EP2 12/17 Recovery
    """
    found: list[int] = []
    most = MOST.at(combat, frame(combat).key)
    for row in _sources(combat):
        every = row.hours * _slowed(combat)
        dice = parse(row.dice).groups[0][0]
        times = range(every, _ends(combat, row) + 1, every)[:most]
        found += [hour for hour in times for _ in range(dice)]
    return sorted(found)[:most]


def find_rates(combat: Combat) -> Deed:
    """Computes the number of healing dice."""
    now = frame(combat)
    taken = combat.health.track(now.by, "damage").taken
    combat = yield MOST.found(now.key, min(taken, MOST_DICE), "", HERE)
    why = ", ".join(f"{row.name}: {row.dice} in {row.hours * _slowed(combat)} hours" for row in _sources(combat))
    yield DICE.found(now.key, len(ticks(combat)), why or "nothing heals", HERE)
    return None


def heal_in_time(combat: Combat) -> Deed:
    """Heals damage first, die by die; the time left is for wounds.

    Ruling: EP2-N19
    """
    now, key = frame(combat), key_of(combat, HEALING)
    taken = combat.health.track(now.by, "damage").taken
    healed, hour = total(combat.rolls.modifiers(key)), 0
    for face, at in zip(combat.rolls[key].faces, ticks(combat), strict=True):
        if healed < taken:
            healed, hour = healed + face, at
    mended, why = floored(min(healed, taken), f"{healed} of {taken} damage in {hour} hours")
    combat = yield HEALED.found(key, mended, why, HERE, who=now.by)
    count = _wounds(combat, hour) if healed >= taken else 0
    combat = yield MENDED.found(key, count, "in the rest of the time", HERE, who=now.by)
    damage, wounds = HEALED.at(combat, key), MENDED.at(combat, key)
    combat = yield from mend(combat, now.by, damage, wounds, HERE)
    combat = yield from recover(combat, now.by)
    if typed(now.terms, RestTerms).means:
        yield from treated(combat, now.by)
    return None


def _wounds(combat: Combat, since: int) -> int:
    """Returns the wounds healed in the rest of the time, by the fastest rate."""
    rates = ((row, row.wound_hours * _slowed(combat)) for row in _sources(combat) if row.wound_hours)
    return max((max(0, _ends(combat, row) - since) // every for row, every in rates), default=0)
