"""Pieces of work on sessions that worker processes can import."""

import os
import time
from typing import NamedTuple

from ledger.errors import Unusable
from ledger.stores import Store
from replays.cli.every_session import Watch


class Counting(NamedTuple):
    """Returns the number of entries; refuses one session, fails on another, and ends the process on a third."""

    refused: str = ""
    failing: str = ""
    deadly: str = ""

    def __call__(self, store: Store, session: str, watch: Watch) -> int:
        if session == self.refused:
            raise Unusable("not this one", where=session)
        if session == self.failing:
            raise KeyError(session)
        if session == self.deadly:
            os._exit(9)
        watch(1)
        return sum(1 for _ in store.read(session))


class Sleeping(NamedTuple):
    """Prints the number of its process, and never ends."""

    def __call__(self, store: Store, session: str, watch: Watch) -> None:
        os.write(1, f"{os.getpid()}\n".encode())  # in one piece, because two processes write
        time.sleep(600)
