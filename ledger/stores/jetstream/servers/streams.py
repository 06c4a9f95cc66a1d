"""The streams of a ledger, as all parts of the store use them."""

import time
from collections.abc import Iterator

from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.names import LedgerNames
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.jetstream.servers.writing import BatchWriter


class Streams:
    """The names of a ledger's streams, and what reads and writes them.

    Args:
        link: The connection.
        names: The names of the streams.
    """

    def __init__(self, link: Link, names: LedgerNames) -> None:
        self.link = link
        self.names = names
        self.reader = StreamReader(link)
        self.writer = BatchWriter(link)

    def last_by_two(self, stream: str, subject: str) -> Iterator[Stored | None]:
        """Yields the last message of a subject by the leader, and by any server if that of the leader is too old.

        The leader of an earlier term may answer for seconds until it notices that it is not the leader any more.
        """
        yield self.reader.last(stream, subject)
        yield self.reader.last_together(stream, (subject,)).get(subject)

    def attempts(self) -> Iterator[float]:
        """Yields the seconds for each attempt; see `Link.attempts`."""
        return self.link.attempts()

    def attempts_until_there(self) -> Iterator[float]:
        """Yields the seconds for each attempt to read what is known to be there: a server that stays behind is left."""
        began = time.monotonic()
        for seconds in self.attempts():
            yield seconds
            self.link.notice_behind(began)

    def purge(self, stream: str, subject: str, *, keep: int = 0) -> None:
        """Removes the messages of a subject, except for the last `keep`."""
        kept = {"keep": keep} if keep else {}
        self.reader.ask(f"STREAM.PURGE.{stream}", {"filter": subject, **kept})
