"""Hears what is written to a session meanwhile, by this process."""

from collections.abc import Iterator
from contextlib import contextmanager

from ledger.entry import Entry
from replays.api.session import Session


@contextmanager
def heard(session: Session) -> Iterator[list[Entry]]:
    """Yields a list to which the entries are added that are written within the block."""
    written: list[Entry] = []
    stop = session.listen(written.extend)
    try:
        yield written
    finally:
        stop()
