"""Calculates a pool before a declaration is made, so that a purchase of hits is refused before anything is spent."""

from collections.abc import Iterable

from machines.contract.refusals import CannotAct
from machines.contract.toolkit import Telling
from machines.shadowrun_4e.success_tests.pools import DICE_FOR_A_HIT, POOL
from projections.combat import Combat, evolve


def after(combat: Combat, telling: Telling) -> Combat:
    """Returns the state after events that are not recorded."""
    try:
        event = next(telling)
        while True:
            combat = evolve(combat, event)
            event = telling.send(combat)
    except StopIteration as ended:
        found: Combat = ended.value
        return found


def check_purchase(combat: Combat, by: str, keys: Iterable[str]) -> None:
    """Rejects buying hits with a modified pool that is too small.

    Args:
        combat: The state after `after`, with the pools.
        by: The roller.
        keys: The keys of the tests.

    Raises:
        CannotAct: A pool has fewer than four dice.

    Source: SR4S Buying Hits
    """
    for key in keys:
        dice = POOL.at(combat, key)
        if dice < DICE_FOR_A_HIT:
            problem = f"{by} has too few dice to buy hits: {dice} after modifiers"
            raise CannotAct(problem, where="buys", accepts="four dice or more")
