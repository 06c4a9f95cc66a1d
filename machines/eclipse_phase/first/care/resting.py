"""Rest: damage heals first, then wounds."""

from collections.abc import Callable, Mapping

import msgspec

from ledger.modifier import total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import CannotAct
from machines.contract.ruleset import typed
from machines.contract.toolkit import (
    check_not_lost,
    check_quiet,
    floored,
    frame,
    key_of,
)
from machines.eclipse_phase.family.care import HEALING, is_shell, mend
from machines.eclipse_phase.family.edition import DICE, HEALED
from machines.eclipse_phase.first.actions.terms import RestTerms
from machines.eclipse_phase.first.care.recovery import recover
from machines.eclipse_phase.first.figure_names import HOURS_FOR_A_DIE
from machines.eclipse_phase.first.tables.tables import HEALING_CONDITIONS, HEALING_RATES, HealingRate
from projections.combat import Combat

_REST = "EP1 208 Healing"
MENDED = FigureName("wounds healed", int)
MOST_DICE = 1000


def check_rest(combat: Combat, by: str, terms: RestTerms) -> None:
    """Rejects rest for the dead and bleeding, and means that do not help the body."""
    check_quiet(combat)
    check_not_lost(combat, by, "dead")
    if combat.conditions.has(by, "bleeding"):
        raise CannotAct(f"{by} is bleeding", where="by", accepts="first_aid first")
    shell, row = is_shell(combat, by), HEALING_RATES[terms.means]
    if not HELPS[shell](row):
        fitting = (name for name, each in HEALING_RATES.items() if HELPS[shell](each))
        accepts = ", ".join(fitting) + (", or repair" if shell else "")
        raise CannotAct(f"{by} does not heal by {terms.means}", where="means", accepts=accepts)


HELPS: Mapping[bool, Callable[[HealingRate], bool]] = {
    True: lambda row: row.shells,
    False: lambda row: not row.only_shells,
}
"""Whether a rate helps a shell, or a living body."""


class Rest(msgspec.Struct, frozen=True):
    """A declaration of rest."""

    key: str
    who: str
    hours: int
    rate: HealingRate
    times: int
    """Factor on all times."""
    wounds: bool
    """Whether wounds heal."""


def _rest(combat: Combat) -> Rest:
    now = frame(combat)
    terms = typed(now.terms, RestTerms)
    slow = HEALING_CONDITIONS.get(terms.conditions)
    times, wounds = (slow.times, slow.wounds) if slow else (1, True)
    return Rest(now.key, now.by, terms.hours, HEALING_RATES[terms.means], times, wounds)


def find_rate(combat: Combat) -> Deed:
    """Computes the hours for each 1d10 and the number of dice, limited by the damage."""
    now = _rest(combat)
    every, taken = now.rate.hours * now.times, combat.health.track(now.who, "damage").taken
    combat = yield HOURS_FOR_A_DIE.found(now.key, every, f"{now.rate.name}, x {now.times}", now.rate.source)
    dice = min(now.hours // max(1, HOURS_FOR_A_DIE.at(combat, now.key)), taken, MOST_DICE)
    yield DICE.found(now.key, dice, f"{now.hours} hours, {taken} damage", HERE)
    return None


def read_rest(combat: Combat) -> Deed:
    """Reads the dice: damage heals first, and the time left is for wounds.

    Ruling: EP1-N37
    """
    now, key = _rest(combat), key_of(combat, HEALING)
    healed, hours, taken = total(combat.rolls.modifiers(key)), now.hours, combat.health.track(now.who, "damage").taken
    for face in combat.rolls[key].faces:
        if healed < taken:
            healed, hours = healed + face, hours - HOURS_FOR_A_DIE.at(combat, now.key)
    mended, why = floored(min(healed, taken), f"{healed} of {taken} damage")
    combat = yield HEALED.found(key, mended, why, HERE, who=now.who)
    each = now.rate.wound_hours * now.times
    count = min(combat.wounds.count(now.who), hours // each) if now.wounds and healed >= taken else 0
    yield MENDED.found(key, count, f"{hours} hours left, one in {each}", HERE, who=now.who)
    return None


def heal_in_time(combat: Combat) -> Deed:
    """Heals the damage and may revive the combatant."""
    now = _rest(combat)
    combat = yield from mend(combat, now.who, HEALED.at(combat, key_of(combat, HEALING)), 0, _REST)
    yield from recover(combat, now.who)
    return None


def is_time_for_wounds(combat: Combat) -> bool:
    """Returns whether a wound heals after all damage."""
    return MENDED.at(combat, key_of(combat, HEALING)) > 0


def mend_in_time(combat: Combat) -> Deed:
    """Heals wounds."""
    now = _rest(combat)
    combat = yield from mend(combat, now.who, 0, MENDED.at(combat, key_of(combat, HEALING)), _REST)
    yield from recover(combat, now.who)
    return None
