"""Transactions on an SQLite file: in turn, and what several threads want written at once in one of them."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ledger.errors import Busy
from ledger.stores.sqlite_errors import is_busy
from ledger.stores.turns import Job, Line, Turnstile, patiently

T = TypeVar("T")

_Job = Job[sqlite3.Cursor, Any]


class Writing:
    """Writes, durably, what threads want written.

    Args:
        connection: In autocommit mode and with a busy timeout of 0; nobody else may write on it.
        turnstile: Where the processes meet.
        patience: Seconds to wait for one's turn.
        path: The ledger, for the refusal.
    """

    def __init__(self, connection: sqlite3.Connection, turnstile: Turnstile, patience: float, path: str) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._turnstile = turnstile
        self._patience = patience
        self._path = path
        self._line: Line[sqlite3.Cursor, Any] = Line()

    def do(self, work: Callable[[sqlite3.Cursor], T]) -> T:
        """Do something in a transaction; what it raises undoes it, and nothing that others do in the same one.

        Args:
            work: Writes.

        Returns:
            What it returned, once that is durable.

        Raises:
            Busy: Another process had the file for too long.
        """
        job: Job[sqlite3.Cursor, T] = Job(work)
        if self._joined(job):
            try:
                self._write(job)
            finally:
                self._line.leave()
        return job.result()

    def close(self) -> None:
        """Wait for who is writing, then let go of the connection."""
        while not self._joined(Job(lambda _: None)):
            pass
        try:
            self._cursor.close()
            self._connection.close()
        finally:
            self._line.leave()

    def _joined(self, job: _Job) -> bool:
        try:
            return self._line.join(job, self._patience)
        except TimeoutError:
            raise self._too_long() from None

    def _write(self, mine: _Job) -> None:
        """One transaction for one's own job and those of all who came until it could begin."""
        jobs: Sequence[_Job] = (mine,)
        try:
            self._begin()
            jobs = (mine, *self._line.taken())
            if len(jobs) == 1:
                mine.attempt(self._cursor)
            else:
                self._all(jobs)
            if any(job.error is None for job in jobs):
                self._cursor.execute("COMMIT")
        except BaseException as error:
            for job in jobs:
                job.error = error if isinstance(error, Exception) else self._too_long()
            if not isinstance(error, Exception):
                raise
        finally:
            self._end(jobs[1:])

    def _all(self, jobs: Sequence[_Job]) -> None:
        for job in jobs:
            self._cursor.execute("SAVEPOINT job")
            job.attempt(self._cursor)
            if job.error is not None:
                if not self._connection.in_transaction:  # the disk is full: what the others did is gone, too
                    raise job.error
                self._cursor.execute("ROLLBACK TO job")
            self._cursor.execute("RELEASE job")

    def _end(self, others: Sequence[_Job]) -> None:
        try:
            if self._connection.in_transaction:
                self._cursor.execute("ROLLBACK")
        finally:
            for job in others:
                job.done = True
                job.tell()

    # -------------------------------------------------------------------------------------------- beginning

    def _begin(self) -> None:
        try:
            if not (self._turnstile.enter() and self._begun()):
                self._wait(time.monotonic())
        finally:
            self._turnstile.leave()

    def _wait(self, now: float) -> None:
        # The turnstile is a courtesy: if who stands in it does not move, it is passed by.
        patiently(self._turnstile.enter, now + self._patience / 2)
        if not patiently(self._begun, now + self._patience):
            raise self._too_long()

    def _begun(self) -> bool:
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            return False
        return True

    def _too_long(self) -> Busy:
        return Busy(f"another process has held {self._path} for {self._patience:g} s", where=self._path)
