"""Rest: damage heals in time, and wounds when there is none left."""

from collections.abc import Callable, Mapping

import msgspec

from ledger.modifier import total
from machines.contract import refusals as no
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import (
    check_not_lost,
    check_quiet,
    floored,
    frame,
    key_of,
)
from machines.eclipse_phase.family.care import HEALING, is_shell, mend
from machines.eclipse_phase.family.figure_names import DICE, HEALED
from machines.eclipse_phase.first.actions.terms import RestTerms
from machines.eclipse_phase.first.care.recovery import recover
from machines.eclipse_phase.first.figure_names import HOURS_FOR_A_DIE
from machines.eclipse_phase.first.tables.tables import HEALING_CONDITIONS, HEALING_RATES, HealingRate
from projections.combat import Combat

_REST = "EP1 208 Healing"
MENDED = FigureName("wounds healed", int)
MOST_DICE = 1000


def check_rest(combat: Combat, by: str, terms: RestTerms) -> None:
    """Refuse rest to shells and the dead, while somebody bleeds, and by means that do nothing for such a body."""
    check_quiet(combat)
    check_not_lost(combat, by, "dead")
    if combat.conditions.has(by, "bleeding"):
        raise no.CannotAct(f"{by} is bleeding", where="by", accepts="first_aid first")
    shell, row = is_shell(combat, by), HEALING_RATES[terms.means]
    if not HELPS[shell](row):
        fitting = (name for name, each in HEALING_RATES.items() if HELPS[shell](each))
        accepts = ", ".join(fitting) + (", or repair" if shell else "")
        raise no.CannotAct(f"{by} does not heal by {terms.means}", where="means", accepts=accepts)


HELPS: Mapping[bool, Callable[[HealingRate], bool]] = {
    True: lambda row: row.shells,
    False: lambda row: not row.only_shells,
}
"""Does a rate help shells, or bodies?"""


class Rest(msgspec.Struct, frozen=True):
    """How somebody rests."""

    key: str
    who: str
    hours: int
    rate: HealingRate
    times: int
    """By which all takes longer."""
    wounds: bool
    """Do wounds heal?"""


def _rest(combat: Combat) -> Rest:
    now = frame(combat)
    terms = typed(now.terms, RestTerms)
    slow = HEALING_CONDITIONS.get(terms.conditions)
    times, wounds = (slow.times, slow.wounds) if slow else (1, True)
    return Rest(now.key, now.by, terms.hours, HEALING_RATES[terms.means], times, wounds)


def find_rate(combat: Combat) -> Deed:
    """How many hours each 1d10 takes, and how many of them there are; no more than there is damage."""
    now = _rest(combat)
    every, taken = now.rate.hours * now.times, combat.health.track(now.who, "damage").taken
    combat = yield HOURS_FOR_A_DIE.found(now.key, every, f"{now.rate.name}, x {now.times}", now.rate.source)
    dice = min(now.hours // max(1, HOURS_FOR_A_DIE.at(combat, now.key)), taken, MOST_DICE)
    yield DICE.found(now.key, dice, f"{now.hours} hours, {taken} damage", HERE)
    return None


def read_rest(combat: Combat) -> Deed:
    """Damage heals first, die after die; what is left of the time is for wounds.

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
    """The damage is healed, and whoever was out may come to."""
    now = _rest(combat)
    combat = yield from mend(combat, now.who, HEALED.at(combat, key_of(combat, HEALING)), 0, _REST)
    yield from recover(combat, now.who)
    return None


def is_time_for_wounds(combat: Combat) -> bool:
    """Is all damage healed, and time left in which a wound does?"""
    return MENDED.at(combat, key_of(combat, HEALING)) > 0


def mend_in_time(combat: Combat) -> Deed:
    """Wounds are healed."""
    now = _rest(combat)
    combat = yield from mend(combat, now.who, 0, MENDED.at(combat, key_of(combat, HEALING)), _REST)
    yield from recover(combat, now.who)
    return None
