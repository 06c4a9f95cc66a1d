"""The boxes of the chart of tests: what `plans` says is rolled, done by `testing`."""

from collections.abc import Iterator

from ledger.events import RollRequested
from machines.contract.chart import Deed
from machines.shadowrun_4e.success_tests import resolve
from machines.shadowrun_4e.success_tests.catalog import plan
from projections.combat import Combat

offer_more = resolve.offer_more
once_more = resolve.once_more


def prepare(combat: Combat) -> Deed:
    """The pools, and what it needs."""
    return (yield from resolve.prepare_test(combat, plan(combat)))


def rolls(combat: Combat) -> Iterator[RollRequested]:
    """Whoever tests, and whoever opposes it."""
    yield from resolve.test_rolls(combat, plan(combat))


def read(combat: Combat) -> Deed:
    """Hits, against the threshold or those of whoever opposes it."""
    return (yield from resolve.read_test(combat, plan(combat)))


def conclude(combat: Combat) -> Deed:
    """What came of it."""
    return (yield from resolve.conclude(combat, plan(combat)))
