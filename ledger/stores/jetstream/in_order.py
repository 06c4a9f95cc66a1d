"""Reads messages in order; what one server has lost is asked for again, because others may have it."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from ledger.errors import Damaged
from ledger.stores import log_pages
from ledger.stores.jetstream import messages
from ledger.stores.jetstream.messages import Entries, LogEnd, Uploaded
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.warning import warn

T = TypeVar("T")

_ATTEMPTS = 20
"""How often messages that are missing are asked for, each time of any server."""
_PAUSE = 0.01
"""Seconds by which each pause between two of these is longer than the one before: two in all. After a restart the
server that has lost one may be the only one that answers for a moment."""


def without_gaps(
    reader: StreamReader,
    place: SessionNames,
    subject: str,
    numbers: tuple[int, int],
    next_of: Callable[[Stored], T | None],
    *,
    most: int = log_pages.RECORDS,
) -> Iterator[tuple[int, T, bool]]:
    """Yields what messages contain, until the last or the first that is missing.

    Each comes with its number in the stream, and whether a server had lost it that was asked before.

    Args:
        reader: Reads the stream.
        place: The names of the session.
        subject: The subject of the messages.
        numbers: The numbers in the stream from which on to read, and of the last message, which is there.
        next_of: Returns what a message contains; None if one is missing before it.
        most: The maximum number of messages that are requested at once.
    """
    (start, last), attempt, is_lost = numbers, 0, False
    while start <= last and attempt < _ATTEMPTS:
        time.sleep(attempt * _PAUSE)
        attempt += 1
        for message in reader.scan(place.stream, subject, start, last, most=most):
            found = next_of(message)
            if found is None:
                is_lost = True
                break
            yield message.seq, found, is_lost
            attempt, is_lost, start = 0, False, message.seq + 1


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
    expected = seq = 0

    def next_of(message: Stored) -> Entries | Uploaded | None:
        logged = messages.logged(message)
        if isinstance(logged, LogEnd):
            return None
        follows = logged.first == expected if expected else 0 < logged.first <= after + 1
        return logged if follows else None

    found: Iterator[tuple[int, Entries | Uploaded, bool]] = without_gaps(
        reader, place, place.log, (start, last), next_of, most=most
    )
    for seq, logged, was_lost in found:
        if was_lost:
            warn(__name__, "a server has lost entry %d of %s, which another one has", logged.first, place.log)
        expected = logged.head.seq + 1
        yield seq, logged
    if seq < last:
        missing = expected or after + 1
        raise Damaged(f"entries are missing from {missing} on", where=f"entry {missing}")
