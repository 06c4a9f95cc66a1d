"""Psi: effects of criticals in mental combat."""

from collections.abc import Iterator

from ledger.events import ChoiceRequested, ConditionGained, Event, Option
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.attacks import locked_out
from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE, CRITICAL_SUCCESS, succeeds
from machines.eclipse_phase.first.attack.attack_context import Attack, attack
from machines.eclipse_phase.first.figure_names import ARMOR_DEFEATED, DAMAGE_DOUBLED
from projections.combat import Combat

_PSI = "EP1 222 Psi Combat"
NOTICED = "noticed_psi"
"""Condition of a combatant who knows that a mind attacked theirs."""


def is_mind_exposed(combat: Combat, now: Attack) -> bool:
    """Returns whether the target's critical failure exposes their mind as the attacker's critical success would.

    Source: EP1 222 Psi Combat
    """
    return now.kind.minds and combat.rolls[now.role("defend")].outcome == CRITICAL_FAILURE


def offer_breach(combat: Combat) -> ChoiceRequested:
    """Asks whether an exposed mind takes double damage or loses its mental armor."""
    now = attack(combat)
    options = (Option("bypass", "mental armor counts for nothing"), Option("double", "the damage is doubled"))
    return ChoiceRequested(now.role("breach"), now.by, options, "bypass", "what the open mind suffers")


def breach(combat: Combat) -> Deed:
    """Applies the choice for the exposed mind."""
    now = attack(combat)
    suffers = {"bypass": ARMOR_DEFEATED, "double": DAMAGE_DOUBLED}[combat.exchange.chosen[now.role("breach")]]
    yield suffers.found(now.place, "mind laid open", "a critical", HERE)
    return None


def effects_of_failed_sleight(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the effects of a failed sleight.

    A critical defense locks the attacker out; an attacker's critical failure incapacitates the attacker.

    Source: EP1 222 Psi Combat; Ruling: EP1-N16
    """
    if succeeds(combat.rolls[now.role("defend")].outcome) and not combat.conditions.has(now.at, NOTICED):
        why = "defended against a sleight"
        yield ConditionGained(now.at, NOTICED, None, "the gamemaster says", now.key, why, _PSI)
    if combat.rolls[now.role("defend")].outcome == CRITICAL_SUCCESS:
        locked, why = locked_out(now.at), "a critical defense"
        yield ConditionGained(now.by, locked, None, "the gamemaster says", now.key, why, _PSI)
    if combat.rolls[now.hit].outcome == CRITICAL_FAILURE:
        end = combat.clock.ahead(2)
        yield ConditionGained(now.by, "incapacitated", None, end, now.key, "the sleight lashes back", _PSI)
