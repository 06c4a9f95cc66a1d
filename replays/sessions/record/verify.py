"""Verifies a session: its whole hash chain, and the keys and the secrets that are stored beside it."""

from ledger import chain
from ledger.entry import StoredRequest
from ledger.errors import Broken
from ledger.stores import Head, Store
from replays.sessions.record import bindings, stored_records


def verify(store: Store, session: str, head: str | None = None) -> Head:
    """Checks a session's whole chain, what is stored beside it, and that the chain contains an earlier head.

    Reads the records without trusting or folding them. Stored beside the chain are the idempotency keys and the sealed
    secrets: the seed of the dice, tokens.

    Args:
        store: The store of the session.
        session: The session's id.
        head: A digest, in hex, that a client kept.

    Returns:
        The end of the log.

    Raises:
        Broken: An entry differs from what was recorded (the first one is reported), the head is not in this log, or a
            key or the seed is not the one that the log binds.
        Damaged: What is stored beside the chain is missing, or cannot be read.
    """
    previous, seq, known = chain.genesis(session), 0, head is None
    asked: dict[int, StoredRequest | None] = {}
    try:
        for record in chain.check(store.read(session), previous):
            previous, seq = record.digest, record.seq
            entry = stored_records.check(record)
            if entry.v != 1:
                asked[seq] = entry.request
            known = known or record.digest.hex() == head
    except RecursionError as error:
        raise stored_records.too_deep(seq + 1) from error
    if not seq:
        raise Broken("the log has lost its opening", seq=1)
    if not known:
        raise Broken(f"no entry of this log has the digest {head}", seq=seq)
    bindings.check_keys(store.keys(session), asked, seq)
    bindings.check_seed(store, session)
    bindings.check_secrets(store, session)
    return Head(seq, previous)
