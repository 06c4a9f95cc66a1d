"""Writes batches of notes until it is killed: ``python -m long.storms.writer URL SESSION NAME SEED``.

It prints each request before it is made, each refusal, and each acknowledgment. It first begins a separate session.
After a temporary failure, such as an unreachable server, it retries with the same key. On SIGUSR1 it writes to standard
error where it is.
"""

import faulthandler
import os
import random
import signal
import sys
import time
from collections.abc import Callable

from ledger_records import records_after, some_records
from long.storms.requests import Request

from ledger.errors import Busy, SessionExists, Stale, Unsure, Unusable
from ledger.stores import Store, open_store

_SIZES = (1, 1, 1, 2, 3, 5)
_AWAY = (Busy, Unsure, Unusable)
_PAUSE = 0.05
FIRST = 3
"""Entries with which its own session begins."""
SEAL = "seed"


def main(url: str, session: str, name: str, seed: str) -> None:
    """Writes without end; names are unique."""
    faulthandler.register(signal.SIGUSR1)
    chance, store = random.Random(seed), _opened(url)
    _begin(store, session, f"{session}-{name}")
    number = 0
    while True:
        number += 1
        request = Request(session, f"{name}-{number}", chance.choice(_SIZES))
        _tell(f"ask {session} {request.key} {request.size}")
        _tell(f"done {request.key} {_written(store, request)}")


def _begin(store: Store, session: str, own: str) -> None:
    """Creates the common session, if no other writer has, and a separate session with all its entries at once."""
    _try_until_there(lambda: store.create(session))
    _tell(f"begin {own}")
    _try_until_there(lambda: store.create(own, some_records(FIRST, own), sealed={SEAL: own.encode()}))
    _tell(f"begun {own}")


def _try_until_there(create: Callable[[], None]) -> None:
    while True:
        try:
            return create()
        except SessionExists:  # by another; or by this one, before the answer was lost
            return None
        except _AWAY:
            time.sleep(_PAUSE)


def _written(store: Store, request: Request) -> int:
    """Returns the number of the first entry."""
    while True:
        try:
            head = store.head(request.session)
            records = records_after(head, request.texts)
            return store.append(request.session, records, expected=head.seq, key=request.key)[0].seq
        except Stale as stale:
            _tell(f"again {stale.slug}")
        except _AWAY as away:
            _tell(f"again {away.slug}")
            time.sleep(_PAUSE)


def _opened(url: str) -> Store:
    while True:
        try:
            return open_store(url)
        except _AWAY:
            time.sleep(_PAUSE)


def _tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
