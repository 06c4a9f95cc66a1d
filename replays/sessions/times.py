"""Checks the timestamps of entries."""

import re
from datetime import datetime

TIMES = "RFC 3339, such as 2024-11-03T19:30:00.000Z"
"""What `is_time` accepts, for refusals."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)


def is_time(at: object) -> bool:
    """Returns whether a value is a timestamp of an entry: RFC 3339 text with a time zone.

    >>> is_time("2024-11-03T19:30:00.000Z"), is_time("2024-02-30T19:30:00.000Z"), is_time(1730662200)
    (True, False, False)
    """
    if not isinstance(at, str) or not _TIME.fullmatch(at):
        return False
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True
