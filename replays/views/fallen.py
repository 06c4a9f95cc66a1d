"""Finds the entries that no longer stand, and the entries that undid them."""

from projections.history.timeline import Timeline


def fallen(timeline: Timeline) -> dict[int, int]:
    """Returns, for each entry that does not stand, the entry that last undid it; 0 for an undo or a redo itself.

    Args:
        timeline: The log's timeline.
    """
    by: dict[int, int] = {}
    line: list[int] = []
    for seq in range(1, timeline.last + 1):
        head = timeline.head_at(seq)
        if head == seq and timeline.after(seq) == (line[-1] if line else 0):
            line.append(seq)
            continue
        fork = timeline.fork(line[-1] if line else 0, head)
        while line and line[-1] > fork:
            by[line.pop()] = seq
        line += timeline.line(head, since=fork)
        if head != seq:
            by.setdefault(seq, 0)
    standing = set(line)
    return {seq: because for seq, because in by.items() if seq not in standing}
