"""Rounds of faults of PostgreSQL."""

from long.part import Task
from long.storms.postgres import Faults, wait_until_alone
from long.storms.round import StormRound
from postgres_server import Server

_MOST_SECONDS = 1.0
"""Between a fault and the next."""


class Round(StormRound):
    """Some faults of PostgreSQL.

    Args:
        task: The part's.
        server: PostgreSQL.
        number: Of the round, from 0 on.
    """

    def __init__(self, task: Task, server: Server, number: int) -> None:
        super().__init__(task, number, server.database, _MOST_SECONDS)
        self._server = server
        self._faults = Faults(server, self._chance)

    @property
    def happened(self) -> dict[str, int]:
        """How often each kind of fault has happened."""
        return self._faults.happened

    def happen(self) -> None:
        """Lets one fault happen."""
        self._faults.happen()

    def ended(self) -> None:
        """Waits for the queries of killed writers."""
        wait_until_alone(self._server, self._url)
