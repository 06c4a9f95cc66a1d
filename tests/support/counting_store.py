"""A store that counts how often it is read."""

from collections.abc import Iterator

from ledger.chain import Record
from ledger.stores.memory import MemoryStore


class CountingStore(MemoryStore):
    """A store that counts how often it is read: over a network each reading takes a question."""

    reads = 0

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        self.reads += 1
        return super().read(session, after, upto)
