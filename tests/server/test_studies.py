"""What takes its time: so much at once, one for each table, nobody waits for those who have gone."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from ledger.errors import NoSuchSession
from ledger.stores.memory import MemoryStore
from replays.server import studies
from replays.server.problems import Ending, TooMuch
from replays.server.studies import Studies
from replays.session import Session

NAMES = ["S0", "S1", "S2"]


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    for name in NAMES:
        Session.create(store, ruleset="eclipse_phase_1e", session=name)
    return store


def until(event: threading.Event) -> Callable[[Session], str]:
    """Work that goes on until it is told to end."""
    return lambda session: session.id if event.wait(30) else "never"


async def soon(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


def test_one_tables_studies_leave_room_for_anothers(store: MemoryStore) -> None:
    async def use() -> None:
        reckoning, ended = Studies(store), threading.Event()
        slow = [asyncio.ensure_future(reckoning.run("S0", until(ended))) for _ in range(studies.OF_ONE)]
        await asyncio.sleep(0.05)
        assert await reckoning.run("S1", lambda session: session.id) == "S1"
        with pytest.raises(TooMuch):
            await reckoning.run("S0", lambda session: session.id)
        ended.set()
        assert await asyncio.gather(*slow) == ["S0"] * studies.OF_ONE
        assert await reckoning.run("S0", lambda session: session.id) == "S0"

    asyncio.run(use())


def test_whoever_goes_away_while_waiting_is_forgotten(store: MemoryStore) -> None:
    async def use() -> None:
        reckoning, ended, done = Studies(store), threading.Event(), []
        slow = asyncio.ensure_future(reckoning.run("S0", until(ended)))
        await asyncio.sleep(0.05)
        waiting = [asyncio.ensure_future(reckoning.run("S0", lambda _: done.append("in vain"))) for _ in range(7)]
        await asyncio.sleep(0.05)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        ended.set()
        await slow
        await reckoning.run("S0", lambda _: done.append("asked for"))
        assert done == ["asked for"]

    asyncio.run(use())


def test_what_was_begun_keeps_its_place_though_nobody_waits_for_it(store: MemoryStore) -> None:
    async def use() -> None:
        reckoning, ended = Studies(store), threading.Event()
        given_up = [asyncio.ensure_future(reckoning.run(name, until(ended))) for name in ("S0", "S1")]
        await asyncio.sleep(0.05)
        for each in given_up:
            each.cancel()
        third = asyncio.ensure_future(reckoning.run("S2", lambda session: session.id))
        await asyncio.sleep(0.1)
        assert not third.done()
        ended.set()
        assert await third == "S2"

    asyncio.run(use())


def test_the_end_is_told_to_all_who_wait(store: MemoryStore) -> None:
    async def use() -> None:
        reckoning, ended = Studies(store), threading.Event()
        asked = [asyncio.ensure_future(reckoning.run(name, until(ended))) for name in NAMES * 2]
        await asyncio.sleep(0.05)
        reckoning.close()
        found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 30)
        assert [type(each) for each in found] == [Ending] * 6
        ended.set()

    asyncio.run(use())


def test_what_is_raised_is_raised_and_frees_the_place(store: MemoryStore) -> None:
    def fail(_: Session) -> None:
        raise KeyError("no")

    async def use() -> None:
        reckoning = Studies(store)
        for _ in range(5):
            with pytest.raises(KeyError):
                await reckoning.run("S0", fail)
            with pytest.raises(NoSuchSession):
                await reckoning.run("nowhere", fail)
        assert await reckoning.run("S0", lambda session: session.id) == "S0"
        await soon(lambda: not reckoning._lines)

    asyncio.run(use())
