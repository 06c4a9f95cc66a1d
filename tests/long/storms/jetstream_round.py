"""One ledger on three NATS servers: writers and clients at the store, and two `affray serve` with their crowds."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing

from long.part import Task
from long.storms.claims import Auditor, Tally, check_beginnings
from long.storms.jetstream import ServerFaults
from long.storms.linear import Clients, check_history
from long.storms.pool import Pool
from long.storms.serving import ServerStorm, storming
from long.storms.writer import FIRST, SEAL
from nats_servers import Servers

from ledger.stores import open_store

_SESSIONS = ("doors", "windows")
_HISTORY = "history"
_CALM = 2.0
"""Seconds, at most, between a fault and the next."""


class JetStreamRound:
    """Faults until the time is up, after which the ledger is looked at.

    Args:
        task: The part's.
        servers: The servers, which can be cut off.
    """

    def __init__(self, task: Task, servers: Servers) -> None:
        self._task, self._servers = task, servers
        self._chance = task.random("jetstream")
        self._url = servers.ledger()
        self._faults = ServerFaults(servers, self._url, self._chance)
        self._auditor = Auditor(self._chance)
        self.done = self.requests = 0

    @property
    def happened(self) -> dict[str, int]:
        """How often each kind of fault has happened."""
        return self._faults.happened

    @property
    def wedged(self) -> int:
        """How often healthy servers refused writes."""
        return self._faults.wedged

    @property
    def tally(self) -> Tally:
        """What was found of the writers at the store."""
        return self._auditor.tally

    def run(self, *, writers: int, clients: int, longest: dict[str, float]) -> None:
        """Lets faults happen, then looks at what is left.

        Args:
            writers: The number of processes that write into the store.
            clients: The number of clients whose history is checked.
            longest: Is filled with the longest wait for an acknowledgment, by the kind of fault.

        Raises:
            Failed: Something is lost, torn, doubled or invented, or a promise is broken.
        """
        with closing(open_store(self._url)) as store:
            store.create(_HISTORY)
        pool = Pool(self._url, _SESSIONS, self._task.folder / "writers", self._chance, "w")
        with ExitStack() as stack:
            storms = [stack.enter_context(storming(self._storm(number))) for number in range(2)]
            pool.start(writers)
            asking = Clients(lambda: open_store(self._url), _HISTORY, clients)
            try:
                self._let_happen(pool, asking, longest)
            finally:
                pool.stop()
                asking.end()
            for storm in storms:
                storm.wait_until_ready()
        self.requests = sum(storm.requests for storm in storms)
        self._look(pool, asking)

    def _let_happen(self, pool: Pool, asking: Clients, longest: dict[str, float]) -> None:
        kinds = self._faults.kinds
        for number in self._task.rounds():
            kind = kinds[number % len(kinds)]
            pool.wait_for_more()
            asking.reset()
            self._faults.happen(kind)
            pool.wait_for_more()
            longest[kind] = max(longest.get(kind, 0.0), asking.reset())
            self._task.say(f"{number + 1}: {kind}, longest wait {longest[kind]:.1f} s")
            time.sleep(self._chance.random() * _CALM)

    def _storm(self, number: int) -> Callable[[], ServerStorm]:
        folder = self._task.folder / f"server-{number}"
        return lambda: ServerStorm(folder, self._url, self._chance)

    def _look(self, pool: Pool, asking: Clients) -> None:
        claims = pool.claims()
        with closing(open_store(self._url)) as store:
            check_beginnings(store, claims.begun, entries=FIRST, seal=SEAL)
            self._auditor.look(store, claims)
            check_history(asking.history, [record.digest for record in store.read(_HISTORY)])
        self.done = len(asking.history)
