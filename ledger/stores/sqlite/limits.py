"""Whether a write failed because a file may not grow: SQLite reports a failing disk, and not the cause."""

import os
import sys
from collections.abc import Iterator

_ENDINGS = ("", "-wal", "-journal", "-shm")
_ROOM = 2**17
"""Bytes below a limit that already count as reached: SQLite takes a write back before it reports that it failed.

The tables of a new ledger are 80 kB, and are taken back whole.
"""
_NUMBERED = (2**31, 2**32)
"""Bytes in the largest file of file systems that number them with 31 or 32 bits, such as FAT."""

if sys.platform == "win32":

    def _allowed() -> int | None:
        """Windows limits no process in the size of its files."""
        return None

else:
    import resource

    def _allowed() -> int | None:
        """Bytes that a file of this process may have; None where there is no limit."""
        soft, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        return None if soft == resource.RLIM_INFINITY else soft


def is_at_a_limit(path: str) -> bool:
    """Returns whether the ledger at `path`, or a file beside it, is about as large as it may be."""
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
