"""Rounds of faults of PostgreSQL: one database for writers at the store, one for a server with its crowd."""

import time
from contextlib import closing

from long.part import Task
from long.storms.claims import Auditor, Tally, check_beginnings
from long.storms.pool import Pool
from long.storms.postgres import Faults, wait_until_alone
from long.storms.serving import ServerStorm, storming
from long.storms.writer import FIRST, SEAL
from postgres_server import Server

from ledger.stores import open_store

_SESSIONS = ("doors", "windows")
_MOST_SECONDS = 1.0
"""Between a fault and the next."""


class Round:
    """Some faults, after which both databases are looked at.

    Args:
        task: The part's.
        server: PostgreSQL.
        number: Of the round, from 0 on.
    """

    def __init__(self, task: Task, server: Server, number: int) -> None:
        self._task, self._server, self._folder = task, server, task.folder / f"round-{number}"
        self._chance = task.random("round", number)
        self._faults, self._auditor = Faults(server, self._chance), Auditor(self._chance)
        self._url = server.database()
        self.storm = ServerStorm(self._folder / "server", server.database(), self._chance)

    @property
    def happened(self) -> dict[str, int]:
        """How often each kind of fault has happened."""
        return self._faults.happened

    @property
    def tally(self) -> Tally:
        """What was found of the writers at the store."""
        return self._auditor.tally

    def run(self, *, writers: int, faults: int) -> None:
        """Lets faults happen, then looks at what is left.

        Raises:
            Failed: Something is lost, torn, doubled or invented, or a writer or the server has erred.
        """
        pool = Pool(self._url, _SESSIONS, self._folder / "writers", self._chance, "w")
        with storming(lambda: self.storm):
            pool.start(writers)
            try:
                for _ in self._task.rounds(most=faults):
                    self._go_on(pool)
                    self._faults.happen()
                self._go_on(pool)
            finally:
                pool.stop()
            self.storm.wait_until_ready()
        self._look(pool)

    def _go_on(self, pool: Pool) -> None:
        """Waits until all who write have had something acknowledged since, and for a moment longer."""
        pool.wait_for_more()
        self.storm.go_on(most=3)
        time.sleep(self._chance.random() * _MOST_SECONDS)

    def _look(self, pool: Pool) -> None:
        wait_until_alone(self._server, self._url)
        claims = pool.claims()
        with closing(open_store(self._url)) as store:
            check_beginnings(store, claims.begun, entries=FIRST, seal=SEAL)
            self._auditor.look(store, claims)
