"""The idempotency keys of a log: each has a message beside the log, and the log itself names it and counts it."""

from collections.abc import Mapping

from ledger.errors import Damaged
from ledger.stores.jetstream import messages
from ledger.stores.jetstream.in_order import in_order
from ledger.stores.jetstream.messages import Keyed
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.store import Batch


class LoggedKeys:
    """Compares the keys that logs name with the messages of the keys.

    A key whose message an operator removed would be accepted again, and what was asked for with it be done twice.

    Args:
        streams: The ledger's streams.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._reader = streams.reader

    def count(self, place: SessionNames) -> int:
        """Returns how many messages of keys a session has, as far as the asked server knows."""
        return self._reader.count(place.stream, f"{place.keys}.*")

    def logged(self, place: SessionNames, last: int) -> dict[str, Batch]:
        """Returns the keys that a log names, in order, up to a message of it.

        Raises:
            Damaged: Entries are missing; or a key is named twice, as if the message that prevents it had been removed;
                or the number of keys that a message counts is wrong.
        """
        found: dict[str, Batch] = {}
        for _, logged in in_order(self._reader, place, 0, 1, last):
            where = f"entry {logged.first}"
            if logged.key in found:
                raise Damaged(f"{where} has the idempotency key of entry {found[logged.key].first}", where=where)
            if logged.key is not None:
                found[logged.key] = Batch(logged.first, logged.count)
            if logged.keyed not in (None, len(found)):
                raise Damaged(f"{where} counts {logged.keyed} idempotency keys of {len(found)}", where=where)
        return found

    def first_missing(self, place: SessionNames, named: Mapping[str, Batch]) -> int | None:
        """Returns the first entry whose key has no message, or that of other entries; None if all are there.

        Args:
            place: The names of the session.
            named: The keys that the log names.
        """
        found = self._reader.scan(place.stream, f"{place.keys}.*", 1) if named else ()
        stored = {each.subject: messages.keyed(each) for each in found}
        for key, batch in named.items():
            if stored.get(place.key(key)) != Keyed(batch.first, batch.count):
                return batch.first
        return None

    def checked(self, place: SessionNames, last: int) -> dict[str, Batch]:
        """Returns the keys that a log names, in order, up to a message of it.

        Raises:
            Damaged: The message of a key is missing, or is not as the log names it; or a key is named twice.
        """
        named, missing = self.logged(place, last), None
        for _ in self._streams.attempts_until_there():  # the asked server may be behind
            missing = self.first_missing(place, named)
            if missing is None:
                return named
        raise Damaged(
            f"the idempotency key of entry {missing}, which was there, is not there", where=f"entry {missing}"
        )
