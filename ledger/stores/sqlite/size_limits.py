"""Recognizes that a file reached its maximum size, for which SQLite reports only a failed write."""

import os
import sys
from collections.abc import Iterator

_ENDINGS = ("", "-wal", "-journal", "-shm")
_ROOM = 2**17
"""Bytes below a limit at which it counts as reached: SQLite undoes a write before it reports the failure.

The largest undone write is the creation of the tables, 80 kB.
"""
_NUMBERED = (2**31, 2**32)
"""The maximum sizes of files on file systems with 31-bit or 32-bit sizes, such as FAT."""

if sys.platform == "win32":

    def _allowed() -> int | None:
        """Returns None: Windows has no such limit for a process."""
        return None

else:
    import resource

    def _allowed() -> int | None:
        """Returns the maximum size of a file for this process, in bytes; None if there is no limit."""
        soft, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        return None if soft == resource.RLIM_INFINITY else soft


def is_at_a_limit(path: str) -> bool:
    """Returns whether the ledger at `path`, or a file beside it, has about its maximum size."""
    sizes, allowed = list(_sizes(path)), _allowed()
    if allowed is not None and max(sizes, default=0) >= allowed - _ROOM:
        return True
    return any(limit - _ROOM <= size <= limit for size in sizes for limit in _NUMBERED)


def _sizes(path: str) -> Iterator[int]:
    for ending in _ENDINGS:
        try:
            yield os.stat(path + ending).st_size
        except OSError:
            continue
