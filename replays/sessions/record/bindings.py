"""Checks what is stored beside a log against what the log binds: idempotency keys and the sealed seed of the dice.

A lost key would let a repeated request be performed twice, and an exchanged seed would prove other dice. Entries of
shape 1 bind no keys; their keys are known from the store alone.
"""

from collections.abc import Mapping

from ledger import draw
from ledger.chain import Record
from ledger.entry import StoredRequest
from ledger.errors import Broken
from ledger.events import SessionOpened
from ledger.requests.stored_request import request_of
from ledger.stores import Batch, Store
from replays.sessions.record import stored_records

SEED = "dice"
"""The name under which a session's seed is sealed."""
ELSEWHERE = "dice elsewhere"
"""The name of the note that the session came from another ledger without its seed."""

_KINDS: Mapping[str, str] = {"lost": "is lost", "added": "answers no request of the log", "moved": "is that of others"}


def keys_of(records: list[Record]) -> dict[str, Batch]:
    """Returns the idempotency keys that records bind.

    Raises:
        Broken: A key is bound twice, or to entries that are missing.
    """
    found: dict[str, Batch] = {}
    for record in records:
        request = request_of(record.line)
        if request is None:
            continue
        fewest = 1 if request.key else 2
        if request.key in found or not fewest <= request.entries <= len(records) - record.seq + 1:
            raise Broken(f"the request that entry {record.seq} records is impossible", seq=record.seq)
        if request.key:
            found[request.key] = Batch(record.seq, request.entries)
    return found


def check_keys(known: Mapping[str, Batch], asked: Mapping[int, StoredRequest | None], last: int) -> None:
    """Compares the keys of a store with those that the log binds.

    Args:
        known: The keys of the store.
        asked: The request of each entry that could bind one; None where it binds none.
        last: The number of the last entry.

    Raises:
        Broken: A key is lost, was added or belongs to other entries; or the last entries of a request are missing.
    """
    bound = set()
    for seq, request in asked.items():
        if request is None:
            continue
        batch = Batch(seq, request.entries)
        if request.key and known.get(request.key) != batch:
            raise _broken(request.key, "moved" if request.key in known else "lost", seq)
        if seq + batch.count - 1 > last:
            raise Broken(f"entry {last + 1} is missing: entry {seq} began {batch.count} at once", seq=last + 1)
        bound.add(request.key)
    for key, batch in known.items():
        if key not in bound and batch.first in asked:
            raise _broken(key, "added", batch.first)


def _broken(key: str, kind: str, seq: int) -> Broken:
    return Broken(f"the idempotency key {key!r} of entry {seq} {_KINDS[kind]}", seq=seq)


def check_seed(store: Store, session: str) -> None:
    """Compares the sealed seed with the commitment in the session's first entry.

    Raises:
        Broken: The seed is another one, or is lost.
    """
    first = stored_records.first(store, session)
    promise = next((event.dice_commitment for event in first.events if isinstance(event, SessionOpened)), "")
    seed = store.unseal(session, SEED)
    if seed is not None and draw.commitment(seed) != promise:
        raise Broken("the sealed seed of the dice is not the one that was committed to", seq=1)
    if seed is None and promise and first.v != 1 and store.unseal(session, ELSEWHERE) is None:
        raise Broken("the sealed seed of the dice is lost", seq=1)


def check_secrets(store: Store, session: str) -> None:
    """Reads all sealed secrets, as a store may have lost one.

    Raises:
        Damaged: One is missing although the store knows of it, or cannot be read.
    """
    for name in store.seals(session):
        store.unseal(session, name)
