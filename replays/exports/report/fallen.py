"""What no longer stands, and which entry took it back."""

from collections.abc import Iterable

from projections.history.timeline import Timeline


def fallen(timeline: Timeline) -> dict[int, int]:
    """For each entry that does not stand: the entry with which it fell, latest where it fell more than once.

    Args:
        timeline: The log's.
    """
    by: dict[int, int] = {}
    line: list[int] = []
    for seq in range(1, len(timeline) + 1):
        head = timeline.head_at(seq)
        if head == seq and timeline.after(seq) == (line[-1] if line else 0):
            line.append(seq)
            continue
        now = timeline.line(head)
        by.update(dict.fromkeys(_lost(line, now), seq))
        line = now
        if head != seq:
            by.setdefault(seq, 0)
    standing = set(line)
    return {seq: because for seq, because in by.items() if seq not in standing}


def _lost(before: Iterable[int], now: Iterable[int]) -> set[int]:
    return set(before).difference(now)
