"""A round of faults of a database: writers at one ledger, a server with its crowd at another, and a look at what is left."""

import time
from collections.abc import Callable
from contextlib import closing

from long.part import Task
from long.storms.claims import Auditor, Claims, Tally, check_beginnings
from long.storms.pool import Pool
from long.storms.serving import ServerStorm, storming
from long.storms.writer import FIRST, SEAL

from ledger.stores import open_store

_SESSIONS = ("doors", "windows")


class StormRound:
    """Some faults, after which both ledgers are looked at.

    Args:
        task: The part's.
        number: Of the round, from 0 on.
        new_ledger: Returns the address of an empty ledger.
        most_seconds: The longest pause between a fault and the next.
    """

    def __init__(self, task: Task, number: int, new_ledger: Callable[[], str], most_seconds: float) -> None:
        self._task, self._folder, self._most_seconds = task, task.folder / f"round-{number}", most_seconds
        self._chance = task.random("round", number)
        self._auditor = Auditor(self._chance)
        self._url = new_ledger()
        self.storm = ServerStorm(self._folder / "server", new_ledger(), self._chance)

    @property
    def tally(self) -> Tally:
        """What was found of the writers at the store."""
        return self._auditor.tally

    def happen(self) -> None:
        """Lets one fault happen."""
        raise NotImplementedError

    def ended(self) -> None:
        """Is called when the writers have ended, before the ledgers are looked at."""

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
                    self.happen()
                self._go_on(pool)
            finally:
                pool.stop()
            self.storm.wait_until_ready()
        self.ended()
        self._look(pool.claims())

    def _go_on(self, pool: Pool) -> None:
        """Waits until all who write have had something acknowledged since, and for a moment longer."""
        pool.wait_for_more()
        self.storm.go_on(most=3)
        time.sleep(self._chance.random() * self._most_seconds)

    def _look(self, claims: Claims) -> None:
        with closing(open_store(self._url)) as store:
            check_beginnings(store, claims.begun, entries=FIRST, seal=SEAL)
            self._auditor.look(store, claims)
