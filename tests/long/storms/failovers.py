"""Rounds of failovers under Patroni, with a client that measures the longest wait."""

from contextlib import closing

from long.part import Task
from long.storms.linear import Clients, check_history
from long.storms.patroni import Cluster, Failovers
from long.storms.round import StormRound

from ledger.stores import open_store

_CLOCK = "clock"
_MOST_SECONDS = 2.0
"""Between the recovery from one failover and the next."""


class FailoverRound(StormRound):
    """Some failovers.

    Args:
        task: The part's.
        cluster: The cluster.
        failovers: What happens to it.
        number: Of the round, from 0 on.
    """

    def __init__(self, task: Task, cluster: Cluster, failovers: Failovers, number: int) -> None:
        super().__init__(task, number, cluster.database, _MOST_SECONDS)
        self._failovers = failovers
        with closing(open_store(self._url)) as store:
            store.create(_CLOCK)
        self.clock = Clients(lambda: open_store(self._url), _CLOCK, 1)

    def happen(self) -> None:
        """Lets one failover happen."""
        self._failovers.happen()

    def ended(self) -> None:
        """Ends the clock, and checks that all it has appended is there.

        What it has read is not checked: a primary shows entries that no standby has yet.
        """
        self.clock.end()
        with closing(open_store(self._url)) as store:
            digests = [record.digest for record in store.read(_CLOCK)]
        check_history([done for done in self.clock.history if done.is_append], digests)
