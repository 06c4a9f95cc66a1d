"""Reads the messages of a log in order; what one server has lost is asked for again, because others may have it."""

from collections.abc import Iterator

from ledger.errors import Damaged
from ledger.stores import log_pages
from ledger.stores.jetstream import messages
from ledger.stores.jetstream.messages import Entries, LogEnd, Uploaded
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.warning import warn

ATTEMPTS = 20
"""How often messages that are missing are asked for, each time of any server."""


def in_order(
    reader: StreamReader, place: SessionNames, after: int, start: int, last: int, *, most: int = log_pages.RECORDS
) -> Iterator[tuple[int, Entries | Uploaded]]:
    """Yields messages of a log with their numbers in the stream.

    Args:
        reader: Reads the stream.
        place: The names of the session.
        after: The number of an entry: the first message begins no later than behind it.
        start: The number in the stream from which on to read.
        last: The number in the stream of the last message that is wanted, which is there.
        most: The maximum number of messages that are requested at once.

    Raises:
        Damaged: Entries are missing at each attempt.
    """
    expected, attempt, is_lost = None, 0, False
    while start <= last and attempt < ATTEMPTS:
        attempt += 1
        for message in reader.scan(place.stream, place.log, start, last, most=most):
            logged = messages.logged(message.payload)
            if isinstance(logged, LogEnd) or not _follows(logged, expected, after):
                is_lost = True
                break
            if is_lost:
                warn(__name__, "a server has lost entry %d of %s, which another one has", logged.first, place.log)
            attempt, is_lost, expected, start = 0, False, logged.head.seq + 1, message.seq + 1
            yield message.seq, logged
    if start <= last:
        missing = expected or after + 1
        raise Damaged(f"entries are missing from {missing} on", where=f"entry {missing}")


def _follows(logged: Entries | Uploaded, expected: int | None, after: int) -> bool:
    """Returns whether a message begins at the expected entry; the first one, no later than wanted."""
    return 0 < logged.first <= after + 1 if expected is None else logged.first == expected
