"""Finds the lines of code that allocate what stays: only where it is asked for, since it makes everything slower."""

import tracemalloc
from pathlib import Path

_LINES = 12
_OWN = (tracemalloc.Filter(inclusive=False, filename_pattern=tracemalloc.__file__),)


def start(frames: int | None) -> None:
    """Starts to trace, where a number of frames is given."""
    if frames:
        tracemalloc.start(frames)


def dump(path: Path) -> None:
    """Writes a snapshot, where this process is traced."""
    if tracemalloc.is_tracing():
        tracemalloc.take_snapshot().dump(str(path))


def grown(before: Path, after: Path) -> str:
    """Returns the lines whose objects have grown most between two snapshots; empty where there are none."""
    if not before.exists() or not after.exists():
        return ""
    old, new = (tracemalloc.Snapshot.load(str(path)).filter_traces(_OWN) for path in (before, after))
    found = new.compare_to(old, "traceback")[:_LINES]
    return "\n".join(
        f"  {each.size_diff:+,} bytes, {each.count_diff:+,} blocks: {' < '.join(map(str, reversed(each.traceback)))}"
        for each in found
    )
