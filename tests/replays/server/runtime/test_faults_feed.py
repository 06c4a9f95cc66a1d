"""The ledger cannot be read for a while: live readers wait for it, and then continue."""

import asyncio

import pytest

from ledger.errors import Busy, Damaged, Refused, Unusable
from replays.server.http.pages import EncodedEntry, LogPage
from replays.server.runtime.feed import Feed

PAGES = [LogPage((EncodedEntry(1, b"1"),), frozenset()), LogPage((EncodedEntry(2, b"2"),), frozenset())]


async def heard(answers: "list[LogPage | Refused]", wanted: int) -> list[int]:
    """Returns the numbers of the entries that a reader receives."""
    given = iter(answers)

    async def read(after: int) -> LogPage:
        answer = next(given, LogPage((), frozenset()))
        if isinstance(answer, Refused):
            raise answer
        return answer

    seqs: list[int] = []
    async for page in Feed().follow("doors", 0, "gm", read, 0.01):
        seqs += [entry.seq for entry in page.entries]
        if len(seqs) == wanted:
            break
    return seqs


def test_a_ledger_that_is_away_ends_nobodys_reading() -> None:
    away: list[Refused] = [Unusable("away"), Busy("held")]
    assert asyncio.run(heard([PAGES[0], *away, PAGES[1]], 2)) == [1, 2]
    assert asyncio.run(heard([*away, *PAGES], 2)) == [1, 2]


def test_a_ledger_that_is_damaged_ends_it() -> None:
    with pytest.raises(Damaged):
        asyncio.run(heard([PAGES[0], Damaged("cut short"), PAGES[1]], 2))
