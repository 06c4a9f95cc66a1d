"""One ledger on three NATS servers: writers and clients at the store, and two `affray serve` with their crowds."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing

from long.part import Failed, Task
from long.storms.claims import Auditor, Tally, check_beginnings
from long.storms.jetstream import ServerFaults
from long.storms.jetstream_checks import FaultChecks
from long.storms.linear import Clients, check_entries, check_history
from long.storms.pool import Pool
from long.storms.serving import ServerStorm, storming
from long.storms.wedges import Seen, Span, Watch, described
from long.storms.writer import FIRST, SEAL
from nats_servers import SHARDS, Servers

from ledger.stores import open_store
from ledger.stores.jetstream.servers.address import parse
from ledger.stores.jetstream.servers.names import LedgerNames

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
        self._auditor = Auditor(self._chance)
        self.happened: dict[str, int] = {}
        """How often each kind of fault has happened."""
        self.done = self.reads = self.requests = 0
        self.slowest = 0.0
        """The longest time in seconds until a server was up to date after its return."""
        self.seen = self.checked = ""
        """What was seen from the outside, and what was checked while servers were away, in one line each."""

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
            stack.callback(pool.stop)
            pool.start(writers)
            asking = Clients(lambda: open_store(self._url), _HISTORY, clients)
            checks = FaultChecks(self._url, _HISTORY, [storm.server for storm in storms], asking.add)
            seen = self._watched(pool, asking, storms, checks, longest)
            writes = [Span(done.began, done.ended) for done in asking.history if done.is_append]
            self.seen, self.checked = described(seen, seen.check(), writes), checks.described()
            for storm in storms:
                storm.wait_until_ready()
        self.requests = sum(storm.requests for storm in storms)
        self._look(pool, asking)

    def _watched(
        self, pool: Pool, asking: Clients, storms: list[ServerStorm], checks: FaultChecks, longest: dict[str, float]
    ) -> Seen:
        """Lets faults happen, with a look from the outside; returns what was seen."""
        watch = Watch(self._servers.nodes, self._subjects(), [storm.server.url for storm in storms])
        try:
            self._let_happen(pool, asking, storms, checks, longest)
        except BaseException as error:
            self._task.say(f"{error}; {watch.seen.lately()}")
            raise
        finally:
            pool.stop()
            asking.end()
            seen = watch.end()
        return seen

    def _let_happen(
        self, pool: Pool, asking: Clients, storms: list[ServerStorm], checks: FaultChecks, longest: dict[str, float]
    ) -> None:
        faults = ServerFaults(self._servers, self._url, self._chance, checks)
        self.happened, kinds = faults.happened, self._task.options.get("fault") or faults.kinds
        if not {*kinds} <= {*faults.kinds}:
            raise Failed(f"--fault is one of: {', '.join(faults.kinds)}")
        for number in self._task.rounds():
            kind = kinds[number % len(kinds)]
            pool.wait_for_more()
            asking.reset()
            faults.happen(kind)
            pool.wait_for_more()
            for storm in storms:
                storm.check_writers()
            longest[kind] = max(longest.get(kind, 0.0), asking.reset())
            self._task.say(f"{number + 1}: {kind}, longest wait {longest[kind]:.1f} s")
            self.slowest = faults.slowest
            time.sleep(self._chance.random() * _CALM)

    def _subjects(self) -> list[str]:
        """Returns a subject in each shard that only the watch uses."""
        return [LedgerNames(parse(self._url).ledger, SHARDS).subject("probe", each, "watch") for each in range(SHARDS)]

    def _storm(self, number: int) -> Callable[[], ServerStorm]:
        folder = self._task.folder / f"server-{number}"
        keys = self._task.folder / "server-0" / "affray.keys" if number else None
        return lambda: ServerStorm(folder, self._url, self._chance, keys=keys)

    def _look(self, pool: Pool, asking: Clients) -> None:
        claims = pool.claims()
        with closing(open_store(self._url)) as store:
            check_beginnings(store, claims.begun, entries=FIRST, seal=SEAL)
            self._auditor.look(store, claims)
            log = list(store.read(_HISTORY))
        check_history(asking.history, [record.digest for record in log])
        check_entries(asking.history, log)
        self.done = len(asking.history)
        self.reads = sum(done.entries is not None for done in asking.history)
