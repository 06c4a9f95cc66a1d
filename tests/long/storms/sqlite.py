"""One SQLite ledger in storms of kills."""

import shutil
from contextlib import closing
from types import TracebackType

from long.part import Task
from long.storms.claims import Auditor, Tally, check_beginnings
from long.storms.pool import Pool
from long.storms.writer import FIRST, SEAL

from ledger.stores import open_store

SESSIONS = ("doors", "windows")


class Ledger:
    """A file into which writers write until they are killed; it is kept only where a fault is found.

    Args:
        task: The part's.
        number: Of the ledger, from 0 on.
    """

    def __init__(self, task: Task, number: int) -> None:
        self.sessions = 0
        """Sessions that writers have begun."""
        self._kept = task.kept
        self._chance = task.random("ledger", number)
        self._auditor = Auditor(self._chance)
        self._folder = task.folder / f"ledger-{number}"
        self._url = f"sqlite:///{self._folder}/fight.db"
        self._storms = 0

    def __enter__(self) -> "Ledger":
        self._folder.mkdir()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            shutil.copytree(self._folder, self._kept / self._folder.name)
        shutil.rmtree(self._folder)

    @property
    def tally(self) -> Tally:
        """What was found in it."""
        return self._auditor.tally

    def storm(self, writers: int, kills: int) -> None:
        """Kills so many of so many writers, each at a random moment, then looks at the ledger.

        Raises:
            Failed: Something is lost, torn, doubled or invented, or a writer has ended by itself.
        """
        self._storms += 1
        pool = Pool(self._url, SESSIONS, self._folder / f"storm-{self._storms}", self._chance, f"s{self._storms}")
        pool.start(writers)
        pool.kill(kills)
        pool.check_errors()
        claims = pool.claims()
        with closing(open_store(self._url)) as store:
            self.sessions += check_beginnings(store, claims.begun, entries=FIRST, seal=SEAL)
            self._auditor.look(store, claims)
