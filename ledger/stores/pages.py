"""How much of a log is read at once: so many records, and so many bytes."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ledger.errors import Damaged

Take = Callable[[Iterable[tuple[Any, ...]]], list[tuple[Any, ...]]]
"""Takes rows, as many as are wanted."""

RECORDS = 500
BYTES = 1_000_000
"""Of lines; the record that fills a page is still on it, so that each page has one at least."""
_LINE = 1
"""Where the line stands in a row."""


def page_of(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Takes rows until the page is full: number, line, and what else there is."""
    page = []
    size = 0
    for row in rows:
        page.append(row)
        size += len(row[_LINE] or b"")  # whatever a stranger has put there
        if size >= BYTES:
            break
    return page


def is_full(page: Sequence[tuple[Any, ...]]) -> bool:
    """Does a page end because of its bytes?"""
    return sum(len(row[_LINE] or b"") for row in page) >= BYTES


def check_whole(numbers: Sequence[int], after: int, upto: int, *, is_full: bool) -> None:
    """Rejects a page from which records are missing.

    Args:
        numbers: Of the records that are on it.
        after: The record before the page.
        upto: The last record that was asked for.
        is_full: Whether it ends because of its bytes.

    Raises:
        Damaged: They are.
    """
    wanted = len(numbers) if is_full else min(RECORDS, upto - after)
    if list(numbers) != list(range(after + 1, after + wanted + 1)):
        raise Damaged(f"entries are missing from {after + 1} on", where=f"entry {after + 1}")
