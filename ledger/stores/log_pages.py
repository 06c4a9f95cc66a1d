"""Pages of a log: bounds how many records and how many bytes are read at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ledger.errors import Damaged

Take = Callable[[Iterable[tuple[Any, ...]]], list[tuple[Any, ...]]]
"""Takes rows from a query, up to a limit."""

RECORDS = 500
BYTES = 1_000_000
"""Bytes of lines on a page. The record that exceeds them is still on the page, so each page has at least one."""
_LINE = 1
"""The index of the line in a row."""


def page_of(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Returns rows until the page is full; a row starts with number and line."""
    page = []
    size = 0
    for row in rows:
        page.append(row)
        size += len(row[_LINE] or b"")  # another program may have stored NULL
        if size >= BYTES:
            break
    return page


def is_full(page: Sequence[tuple[Any, ...]]) -> bool:
    """Returns whether a page ended because of its bytes."""
    return sum(len(row[_LINE] or b"") for row in page) >= BYTES


def check_whole(numbers: Sequence[int], after: int, upto: int, *, is_full: bool) -> None:
    """Rejects a page from which records are missing.

    Args:
        numbers: The numbers of the records on the page.
        after: The record before the page.
        upto: The last requested record.
        is_full: Whether the page ended because of its bytes.

    Raises:
        Damaged: Records are missing.
    """
    wanted = len(numbers) if is_full else min(RECORDS, upto - after)
    if list(numbers) != list(range(after + 1, after + wanted + 1)):
        raise Damaged(f"entries are missing from {after + 1} on", where=f"entry {after + 1}")
