"""Finds what a repeated request meant when it was first performed, for logs whose entries have no fingerprint."""

from collections.abc import Callable

from ledger.commands import Rewind
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from replays.log import Log


def store_as_of(log: Log, seq: int) -> MemoryStore:
    """Returns a copy of a session's log as it was when an entry had been appended."""
    store = MemoryStore()
    store.create(log.session, list(log.store.read(log.session, 0, seq)))
    return store


def rewind_of(log: Log, batch: str | None, meant: Callable[[Log], Rewind], asked: Rewind) -> Rewind:
    """Returns the rewinding that an undo or a redo under an idempotency key meant; one to nowhere where it is new.

    Args:
        log: The session.
        batch: The key; None where the request has none.
        meant: Tells on a log what the request means.
        asked: A rewinding to nowhere, with the reason that the request gives.
    """
    records = log.answered(batch)
    if not records:
        return asked
    try:
        return meant(Log(store_as_of(log, records[0].seq - 1), log.session))
    except Refused:  # what stands under the key is no such request
        return asked
