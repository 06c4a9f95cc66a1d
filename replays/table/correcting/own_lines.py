"""Finds where undoing the last lines of one table leads; a line may have written several entries."""

from collections.abc import Sequence

from replays.sessions import undo
from replays.sessions.log import Log
from replays.table.language.grammar import NotUnderstood


def before(log: Log, lines: Sequence[tuple[int, int]], count: int) -> int:
    """Returns the entry that stood before the last lines of a table; older entries count as one line each.

    Args:
        log: The session's log.
        lines: The head before and after each line of this table that wrote something, oldest first.
        count: How many lines; at least one.

    Raises:
        NotUnderstood: No number of lines.
        NothingToUndo: There are fewer lines.
    """
    if count < 1:
        raise NotUnderstood(f"{count} lines cannot be undone", where="undo", accepts="1 or more")
    seq, left = log.head, list(lines)
    for _ in range(count):
        while left and left[-1][1] > seq:
            left.pop()
        seq = left[-1][0] if left and left[-1][1] == seq else undo.target(log, "step", seq)
    return seq
