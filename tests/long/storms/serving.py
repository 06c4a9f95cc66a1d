"""A server in a storm: writers and live readers who do not give up, while it is ended and started again."""

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
from long.part import Failed
from long.storms.crowd import BusyWriter, check_crowd, repeat
from long.storms.tables import CrowdTable, NotedTable, PlayedTable, StruckTable
from server.faults_crowd import wait_for_more
from server.faults_feeds import Readers
from server.faults_processes import answered, end_all, until, workers
from server.processes import Served

_TABLES: Sequence[Callable[[httpx.Client, Mapping[str, str]], CrowdTable]] = (NotedTable, StruckTable, PlayedTable)
_WRITERS = 4
_READERS = 3
_ANSWERED_SECONDS = 5.0
_LOGGED = 3_000
"""Characters of a server's log that are shown when a writer has failed."""
_GOOD = ("info", "warning")
"""Levels of what a server may write into its log."""


class ServerStorm:
    """A server with its crowd.

    Args:
        folder: For its files.
        ledger: The address of an empty ledger.
        chance: Decides what happens, and when.
        processes: How many answer requests.
        keys: A file of another server's keys, so that each accepts the tokens of the other; None for new keys.
    """

    def __init__(
        self, folder: Path, ledger: str, chance: Random, *, processes: int = 1, keys: Path | None = None
    ) -> None:
        folder.mkdir(parents=True)
        if keys is not None:
            shutil.copy(keys, folder / keys.name)
        self._folder, self._ledger, self._chance, self._processes = folder, ledger, chance, processes
        self._options = ("--rate", "0", "--timeout", "5", "--workers", str(processes))
        self.server = Served(folder, *self._options, ledger=ledger)
        self.requests = self.entries = self.repeated = self.unheard = 0
        self._writers: list[BusyWriter] = []
        self._answered = threading.Event()

    @contextmanager
    def crowd(self) -> Iterator[None]:
        """Lets a crowd write and read for as long as the block lasts; then they finish, and the ledger is checked.

        Raises:
            Failed: Something is lost, torn, doubled or invented, was read twice or not at all, or the server has erred.
        """
        with self.server.client() as client:
            tables = [kind(client, self.server.host) for kind in _TABLES]
            before = {table.session: table.get("state")["entries"] for table in tables}
            readers = [Readers(table, _READERS) for table in tables]
            names = [f"writer-{number}" for number in range(_WRITERS)]
            self._writers = [BusyWriter(name, self.server.url, tables, self._answered) for name in names]
            try:
                yield
            finally:
                for writer in self._writers:
                    writer.end()
            self._count()
            self.entries += check_crowd(self._ledger, self._writers, before)
            self.repeated += repeat(client, self._writers, tables, self._chance)
            for table, each in zip(tables, readers, strict=True):
                each.wait_for(table.get("state")["entries"])
                each.end()
        self._check_words()

    def _count(self) -> None:
        self.requests += sum(len(writer.answers) for writer in self._writers)
        self.unheard += sum(writer.unheard + sum(writer.refusals.values()) for writer in self._writers)

    def go_on(self, most: int = 8) -> None:
        """Waits until each writer has some more acknowledged, and then for a moment or until the next is answered."""
        wait_for_more(self._writers, self._chance.randint(1, most))
        if self._chance.random() < 0.5:
            time.sleep(self._chance.random() * 0.2)
        else:
            self._answered.clear()
            self._answered.wait(_ANSWERED_SECONDS)

    def kill(self) -> None:
        """Ends the server as a power cut would, or one of its processes, and lets it come back."""
        if self._processes > 1 and self._chance.random() < 0.5:
            self._kill_worker()
        else:
            end_all(self.server)
            self.server = Served(self._folder, *self._options, ledger=self._ledger, port=self.server.port)

    def _kill_worker(self) -> None:
        until(lambda: len(workers(self.server)) == self._processes)
        ended = self._chance.choice(workers(self.server))
        os.kill(ended, signal.SIGKILL)
        until(lambda: len({*workers(self.server)} - {ended}) == self._processes)

    def check_writers(self) -> None:
        """Checks that each writer goes on writing.

        Raises:
            Failed: One has given up; with what the server has logged last.
        """
        for writer in self._writers:
            if writer.failure is not None:
                raise Failed(f"{writer.failure}; the server's log ends with: {self.server.log()[-_LOGGED:]}")

    def wait_until_ready(self) -> None:
        """Waits until the server reports that it can reach its ledger."""
        until(lambda: answered(self.server.url) == 200)

    def _check_words(self) -> None:
        bad = [line for line in self.server.lines() if line["level"] not in _GOOD or "exception" in line]
        if bad or "Traceback" in self.server.log():
            raise Failed(f"the server has erred: {bad[:3] or self.server.log()[-2000:]}")

    def stop(self) -> None:
        """Ends it."""
        self.server.stop()


@contextmanager
def storming(make: Callable[[], ServerStorm]) -> Iterator[ServerStorm]:
    """Makes a server with its crowd, and ends it in any case."""
    storm = make()
    try:
        with storm.crowd():
            yield storm
    finally:
        storm.stop()
