"""Records that continue those of another store: the first ones are read there when they are asked for, never copied."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, overload

from ledger.chain import Record

if TYPE_CHECKING:
    from ledger.stores.store import Store


class ContinuedRecords(Sequence[Record]):
    """The records of a session, of which the first stay in another store.

    Args:
        store: The other store.
        session: The id of the session there.
        count: The number of records that are read there.
    """

    def __init__(self, store: "Store", session: str, count: int) -> None:
        self._store, self._session, self._count = store, session, count
        self._more: list[Record] = []

    def __len__(self) -> int:
        return self._count + len(self._more)

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...
    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        if isinstance(place, int):
            at = range(len(self))[place]
            return self[at : at + 1][0]
        start, stop, _ = place.indices(len(self))
        first = self._store.read(self._session, start, min(stop, self._count)) if start < self._count else ()
        return [*first, *self._more[max(0, start - self._count) : max(0, stop - self._count)]]

    def extend(self, records: Iterable[Record]) -> None:
        """Adds records at the end; the other store does not get them."""
        self._more.extend(records)
