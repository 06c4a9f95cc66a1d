"""Entries that were read or written lately: they never change, so they need not be requested again."""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

from ledger.chain import Record

BYTES = 16_000_000
"""The maximum size of the entries that are kept."""
_MOST = 64
"""The maximum number of entries that are looked up together; longer ranges are read from the servers."""
_OVERHEAD = 300


class RecentRecords:
    """Keeps records in memory, those that were used last. Threads may share it."""

    def __init__(self) -> None:
        self._records: OrderedDict[tuple[str, int], Record] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def add(self, session: str, records: Iterable[Record]) -> None:
        """Keeps records of a session."""
        with self._lock:
            for record in records:
                if (session, record.seq) not in self._records:
                    self._records[session, record.seq] = record
                    self._size += _size(record)
            while self._size > BYTES:
                self._size -= _size(self._records.popitem(last=False)[1])

    def find(self, session: str, after: int, upto: int) -> list[Record] | None:
        """Returns the records with `after` < seq <= `upto`; None if one is not kept, or if they are many."""
        if upto - after > _MOST:
            return None
        with self._lock:
            found = [self._records.get((session, seq)) for seq in range(after + 1, upto + 1)]
            if None in found:
                return None
            for record in found:
                if record is not None:
                    self._records.move_to_end((session, record.seq))
        return [record for record in found if record is not None]


def _size(record: Record) -> int:
    return len(record.line) + _OVERHEAD
