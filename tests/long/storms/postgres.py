"""A PostgreSQL server for a storm, and what may happen to it."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import psycopg
from long.part import Failed
from postgres_server import Server, begun, binaries

_AWAY = 1.5
"""Seconds, at most, that it stays away."""
_PATIENCE = 30.0


@contextmanager
def postgres() -> Iterator[Server]:
    """Starts a server, and ends it with all that is in it.

    Raises:
        Failed: PostgreSQL is not installed; the part cannot be skipped.
    """
    folder = binaries()
    if folder is None:
        raise Failed("PostgreSQL is not installed (initdb is not found)")
    server = begun(folder)
    try:
        yield server
    finally:
        server.stop()


class Faults:
    """What happens to a server, at random.

    Args:
        server: The one.
        chance: Decides what happens.
    """

    def __init__(self, server: Server, chance: Random) -> None:
        self.happened: dict[str, int] = {}
        self._server, self._chance = server, chance
        self._kinds: dict[str, Callable[[], None]] = {
            "crashes": self._server.restart,
            "absences": self._stay_away,
            "connections ended": self._end_some,
            "waiting for a lock ended": self._end_waiting,
            "processes killed": self._kill_one,
        }

    def happen(self) -> None:
        """Lets one fault happen; afterwards the server is there again."""
        name = self._chance.choice([*self._kinds])
        self._kinds[name]()
        self.happened[name] = self.happened.get(name, 0) + 1

    def _stay_away(self) -> None:
        self._server.crash()
        time.sleep(self._chance.random() * _AWAY)
        self._server.start()

    def _end_some(self) -> None:
        self._end("random() < 0.6")

    def _end_waiting(self) -> None:
        """Ends connections that wait for a lock, in the middle of an append; repeats it, because the wait is short."""
        for _ in range(20):
            self._end("wait_event_type = 'Lock'")

    def _end(self, condition: str) -> None:
        self._server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' "
            f"AND pid <> pg_backend_pid() AND {condition}"
        )

    def _kill_one(self) -> None:
        """Kills a process of the server, upon which it ends all others and recovers by itself."""
        found = self._server.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type IN ('client backend', 'walwriter', 'checkpointer') "
            "AND pid <> pg_backend_pid()"
        )
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(str(self._chance.choice(found)[0])), signal.SIGKILL)
        self._wait_until_back()

    def _wait_until_back(self) -> None:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            time.sleep(0.1)  # it takes a moment to notice
            with contextlib.suppress(psycopg.OperationalError):
                self._server.execute("SELECT 1")
                return
        raise Failed("PostgreSQL does not come back by itself")


def wait_until_alone(server: Server, url: str) -> None:
    """Waits until a database has no connections, so that the queries of killed clients have ended."""
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
        f"AND datname = '{url.rpartition('/')[2]}'"
    )
    end = time.monotonic() + _PATIENCE
    while server.execute(others) != [(0,)]:
        if time.monotonic() > end:
            raise Failed("PostgreSQL keeps connections of clients that are gone")
        time.sleep(0.01)
