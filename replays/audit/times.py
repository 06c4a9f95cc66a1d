"""Of an audit: entries that were written, as their clock had it, before the entry before them.

Clocks are set back, and two computers' clocks differ, so this breaks nothing; but a file whose times were made up shows
so, and whoever reads it should know.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

import msgspec

from replays.audit.event_index import person
from replays.sessions.log import Log


class Backwards(msgspec.Struct, frozen=True, kw_only=True):
    """Two entries in a row, of which the later one says that it was written earlier."""

    entry: int
    """The later one."""
    at: str
    by: str
    """The person who wrote it."""
    before: int
    """The entry before it."""
    before_at: str
    """When that one says that it was written."""


def backwards(log: Log) -> Iterator[Backwards]:
    """Every pair of entries in a row whose times run backwards, standing or not.

    Times that are none (a clock of one's own may say anything) are compared with nothing.

    Args:
        log: The session.
    """
    for first, then in pairwise(log.entries()):
        was, now = _moment(first.at), _moment(then.at)
        if was is not None and now is not None and now < was:
            yield Backwards(entry=then.seq, at=then.at, by=person(then), before=first.seq, before_at=first.at)


def _moment(at: str) -> datetime | None:
    """A time in UTC; None where the text is none."""
    try:
        moment = datetime.fromisoformat(at)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
