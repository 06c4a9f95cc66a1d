"""Finds entries whose time is earlier than that of the entry before them.

Clocks are set back, and the clocks of two computers differ, so this breaks nothing. But it can reveal a file with
invented times, so the audit reports it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

import msgspec

from replays.audit.event_index import person
from replays.sessions.log import Log


class TimeReversal(msgspec.Struct, frozen=True, kw_only=True):
    """Two consecutive entries of which the later one has the earlier time."""

    entry: int
    """The later entry."""
    at: str
    by: str
    """The person who wrote it."""
    before: int
    """The entry before it."""
    before_at: str
    """The time of that entry."""


def time_reversals(log: Log) -> Iterator[TimeReversal]:
    """Yields every pair of consecutive entries, standing or not, whose times run backwards.

    Times that are not valid (a custom clock may return anything) are skipped.

    Args:
        log: The session's log.
    """
    for first, then in pairwise(log.entries()):
        was, now = _moment(first.at), _moment(then.at)
        if was is not None and now is not None and now < was:
            yield TimeReversal(entry=then.seq, at=then.at, by=person(then), before=first.seq, before_at=first.at)


def _moment(at: str) -> datetime | None:
    """Returns a time in UTC; None where the text is not a time."""
    try:
        moment = datetime.fromisoformat(at)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
