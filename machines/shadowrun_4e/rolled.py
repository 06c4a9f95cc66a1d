"""The boxes of the chart of tests: what `plans` says is rolled, done by `testing`."""

from collections.abc import Iterator

from ledger.events import RollRequested
from machines.chart import Deed
from machines.shadowrun_4e import testing
from machines.shadowrun_4e.plans import plan
from projections.combat import Combat

offer_more = testing.offer_more
once_more = testing.once_more


def prepare(combat: Combat) -> Deed:
    """The pools, and what it needs.

    Source: SR4 61 Success Tests
    """
    return (yield from testing.prepare_test(combat, plan(combat)))


def rolls(combat: Combat) -> Iterator[RollRequested]:
    """Whoever tests, and whoever opposes it.

    Source: SR4 61 Success Tests
    """
    yield from testing.test_rolls(combat, plan(combat))


def read(combat: Combat) -> Deed:
    """Hits, against the threshold or those of whoever opposes it.

    Source: SR4 61 Success Tests
    """
    return (yield from testing.read_test(combat, plan(combat)))


def conclude(combat: Combat) -> Deed:
    """What came of it.

    Source: SR4 61 Success Tests, 64 Extended Tests
    """
    return (yield from testing.conclude(combat, plan(combat)))
