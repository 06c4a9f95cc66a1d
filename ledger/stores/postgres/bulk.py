"""Creates a session with many records in PostgreSQL: one transaction of many messages in a pipeline.

A message of PostgreSQL has at most 1 GB, and a statement a time limit, so a long session does not fit into one of each.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import psycopg

from ledger.chain import Record
from ledger.stores.store import Batch

RECORDS = 1_000
"""The maximum number of records, or of keys, in a message. A session of no more is created by one message."""
BYTES = 1_000_000
"""Bytes of lines in a message. The record that exceeds them is still in it."""
_UNANSWERED = 8
"""The maximum number of messages whose answers are outstanding."""

_BEGIN = "SELECT affray.create_session(%b, '{}'::bytea[], '{}'::bytea[], '{}'::bytea[], %b::bytea[], %b::bytea[])"
_ADD = "SELECT affray.add(number, %b::bigint, %b::bytea[], %b::bytea[], %b::bytea[]) FROM affray.sessions WHERE id = %b"
_KEYS = (
    "INSERT INTO affray.batches SELECT s.number, part.key, part.first, part.count FROM affray.sessions s, "
    "unnest(%b::bytea[], %b::bigint[], %b::bigint[]) AS part (key, first, count) WHERE s.id = %b"
)


def is_large(records: Sequence[Record], keys: Mapping[str, Batch]) -> bool:
    """Returns whether a session with these records and keys needs several messages."""
    return len(records) > RECORDS or len(keys) > RECORDS or sum(len(record.line) for record in records) > BYTES


def create(
    connection: psycopg.Connection,
    session: bytes,
    records: Sequence[Record],
    sealed: Mapping[str, bytes],
    keys: Mapping[str, Batch],
) -> bool:
    """Creates a session within the transaction that is open.

    Args:
        connection: In a transaction, which the caller commits.
        session: The id of the session.
        records: All its records.
        sealed: Its sealed secrets.
        keys: Its idempotency keys.

    Returns:
        Whether it is new; otherwise nothing is written.
    """
    names = [name.encode() for name in sealed]
    row = connection.execute(_BEGIN, (session, names, list(sealed.values())), binary=True).fetchone()
    if row != (True,):
        return False
    with connection.pipeline() as pipeline:
        for number, (query, values) in enumerate(_messages(session, records, keys), 1):
            connection.execute(query, values, binary=True)
            if number % _UNANSWERED == 0:
                pipeline.sync()
    return True


def _messages(
    session: bytes, records: Sequence[Record], keys: Mapping[str, Batch]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yields the queries that add records and keys, with their values."""
    for chunk in _chunks(records):
        columns = [r.line for r in chunk], [r.secret for r in chunk], [r.digest for r in chunk]
        yield _ADD, (chunk[0].seq - 1, *columns, session)
    for known in _keys_in_chunks(keys):
        yield _KEYS, (*known, session)


def _chunks(records: Sequence[Record]) -> Iterator[list[Record]]:
    """Yields the records in order, as many at a time as fit into a message."""
    chunk: list[Record] = []
    size = 0
    for record in records:
        chunk.append(record)
        size += len(record.line)
        if len(chunk) >= RECORDS or size >= BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _keys_in_chunks(keys: Mapping[str, Batch]) -> Iterator[tuple[list[bytes], list[int], list[int]]]:
    """Yields the keys as columns, as many at a time as fit into a message."""
    rest = iter(keys.items())
    while chunk := list(islice(rest, RECORDS)):
        yield (
            [key.encode() for key, _ in chunk],
            [batch.first for _, batch in chunk],
            [batch.count for _, batch in chunk],
        )
