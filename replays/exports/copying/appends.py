"""Divides the records of a session into writes of bounded size that respect idempotency keys."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from ledger.chain import Record
from ledger.errors import Damaged
from ledger.stores import Batch

FIRST = 32_000_000
"""Bytes with which a session is created at most, all or nothing; a longer one is then appended to."""
PAGE = 4_000_000
"""Bytes that are appended, or committed together, at once."""
_OVERHEAD = 400
"""Bytes of memory that a record takes beside its line."""


class Append(msgspec.Struct, frozen=True):
    """Records that are appended together."""

    records: list[Record]
    key: str | None
    """Their idempotency key."""

    @property
    def size(self) -> int:
        """The bytes of memory that the records take."""
        return sum(map(size_of, self.records))


def size_of(record: Record) -> int:
    """Returns the bytes of memory that a record takes.

    Args:
        record: The record.
    """
    return len(record.line) + _OVERHEAD


def last_of(batch: Batch) -> int:
    """Returns the number of the last entry of a batch.

    Args:
        batch: The batch.
    """
    return batch.first + batch.count - 1


def keys_until(keys: Mapping[str, Batch], seq: int) -> dict[str, Batch]:
    """Returns the keys whose entries are complete with an entry.

    Args:
        keys: The idempotency keys of a session.
        seq: The number of the entry.
    """
    return {key: batch for key, batch in keys.items() if last_of(batch) <= seq}


def take_first(records: Iterator[Record], keys: Mapping[str, Batch]) -> list[Record]:
    """Takes the records with which a session is created: all, or so many that they fit into memory.

    Args:
        records: The records of the session from the first on; the others are left in the iterator.
        keys: The idempotency keys of the session, whose entries are not separated.
    """
    ends = {batch.first: last_of(batch) for batch in keys.values()}
    taken, size, end = list[Record](), 0, 0
    for record in records:
        taken.append(record)
        size, end = size + size_of(record), max(end, ends.get(record.seq, 0))
        if size >= FIRST and record.seq >= end:
            break
    return taken


def divide(records: Iterator[Record], keys: Mapping[str, Batch]) -> Iterator[Append]:
    """Yields the appends that write records: one for each idempotency key, and pages of the entries without a key.

    Args:
        records: The records, in order.
        keys: The idempotency keys of these records.

    Raises:
        Damaged: Two keys have the same entry, so that no appends could have written it.
    """
    starts = _starts(keys)
    page, size = list[Record](), 0
    for record in records:
        key, count = starts.get(record.seq, (None, 1))
        if page and (key is not None or size >= PAGE):
            yield Append(page, None)
            page, size = [], 0
        if key is None:
            page.append(record)
            size += size_of(record)
        else:
            yield Append([record, *(next(records) for _ in range(count - 1))], key)
    if page:
        yield Append(page, None)


def paged(appends: Iterable[Append]) -> Iterator[list[Append]]:
    """Yields the appends that are committed together, where the store can do that.

    Args:
        appends: The appends, in order.
    """
    page, size = list[Append](), 0
    for append in appends:
        page.append(append)
        size += append.size
        if size >= PAGE:
            yield page
            page, size = [], 0
    if page:
        yield page


def _starts(keys: Mapping[str, Batch]) -> dict[int, tuple[str, int]]:
    """Returns each key with its number of entries, by its first entry."""
    end = 0
    for key, batch in sorted(keys.items(), key=lambda each: each[1]):
        if batch.first <= end:
            raise Damaged.at(batch.first, f"belongs to the idempotency key {key!r} and to another one")
        end = last_of(batch)
    return {batch.first: (key, batch.count) for key, batch in keys.items()}
