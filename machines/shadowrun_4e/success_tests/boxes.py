"""Box functions of the chart of tests: each applies a function of `resolve.py` to the plan of `catalog.py`."""

from collections.abc import Iterator

from ledger.events import RollRequested
from machines.contract.chart import Deed
from machines.contract.toolkit import emit, frame
from machines.shadowrun_4e.success_tests import resolve
from machines.shadowrun_4e.success_tests.catalog import assumptions, plan
from projections.combat import Combat

offer_more = resolve.offer_more
once_more = resolve.once_more


def prepare(combat: Combat) -> Deed:
    """Records what is assumed, builds the pools and records the threshold."""
    if resolve.NTH.at(combat, frame(combat).key, 1) == 1:
        combat = yield from emit(combat, assumptions(combat))
    return (yield from resolve.prepare_test(combat, plan(combat)))


def rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice of the roller and of the opponent."""
    yield from resolve.test_rolls(combat, plan(combat))


def read(combat: Combat) -> Deed:
    """Reads the hits against the threshold or the opponent's hits."""
    return (yield from resolve.read_test(combat, plan(combat)))


def conclude(combat: Combat) -> Deed:
    """Decides the outcome."""
    return (yield from resolve.conclude(combat, plan(combat)))
