"""Waiting for a few slots: sessions take turns, then tokens; a flood does not delay another caller's first request."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.server.http.problems import Ending, TooMuch
from replays.server.limits import fair_queue
from replays.server.limits.fair_queue import FairQueue

Asker = tuple[str, str]
ASKERS = st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz"))


async def settled() -> None:
    """Lets all tasks run."""
    for _ in range(5):
        await asyncio.sleep(0)


class Used:
    """A queue, and the order in which requests got slots; each keeps its slot until it is released."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.served: list[Asker] = []
        self.now: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def come(self, asker: Asker) -> asyncio.Task[None]:
        self.tasks.append(asyncio.ensure_future(self._wait(asker)))
        await settled()
        return self.tasks[-1]

    async def _wait(self, asker: Asker) -> None:
        leaves = asyncio.Event()
        async with self.queue.slot(*asker):
            self.served.append(asker)
            self.now.append(leaves)
            await leaves.wait()

    async def go_on(self) -> None:
        """Releases the slot of the request that was served first."""
        self.now.pop(0).set()
        await settled()

    async def end(self) -> None:
        while self.now:
            await self.go_on()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert len(self.queue) == 0
        assert not self.queue._queues


@given(st.lists(ASKERS, min_size=1, max_size=40))
def test_no_session_is_served_twice_while_another_waits_and_no_token_of_it_while_another_does(
    asked: Sequence[Asker],
) -> None:
    async def use() -> None:
        used = Used(1)
        first = await used.come(("first", "one"))
        for each in asked:
            await used.come(each)
        waiting = Counter(each for each, task in zip(asked, used.tasks[1:], strict=True) if not task.done())
        last: dict[object, int] = {}
        for number in range(waiting.total()):
            await used.go_on()
            session, asker = used.served[-1]
            others = {name for name, _ in waiting} - {session}
            assert all(last.get(session, -1) <= last.get(each, -1) for each in others)
            mine = {name for of, name in waiting if of == session} - {asker}
            assert all(last.get((session, asker), -1) <= last.get((session, each), -1) for each in mine)
            last[session] = last[session, asker] = number
            waiting[session, asker] -= 1
            waiting = +waiting
        await used.end()
        assert first.done()

    asyncio.run(use())


@given(st.integers(1, 3), st.lists(st.one_of(ASKERS, st.integers(0, 60), st.none()), max_size=60))
def test_places_are_neither_lost_nor_given_twice_whoever_comes_goes_or_gives_up(
    places: int, happens: Sequence[Asker | int | None]
) -> None:
    async def use() -> None:
        used = Used(places)
        for each in happens:
            if isinstance(each, tuple):
                await used.come(each)
            elif each is None:
                if used.now:
                    await used.go_on()
            elif each < len(used.tasks):
                used.tasks[each].cancel()
                await settled()
            held = [task for task in used.tasks if not task.done()]
            assert used.queue._free >= 0
            assert used.queue._free + sum(line.is_served for line in used.queue._queues.values()) == places
            assert len(used.queue) <= len(held) + places
        used.now = [event for event in used.now if not event.is_set()]
        await used.end()
        assert used.queue._free == places

    asyncio.run(use())


def test_a_flood_of_one_session_leaves_the_other_places_to_others() -> None:
    async def use() -> None:
        used = Used(2)
        for _ in range(fair_queue.OF_CALLER):
            await used.come(("A", "x"))
        await used.come(("B", "x"))
        assert used.served == [("A", "x"), ("B", "x")]
        await used.end()

    asyncio.run(use())


def test_a_flood_of_one_token_is_sent_away_first_when_its_session_is_full() -> None:
    async def use() -> None:
        used = Used(1)
        await used.come(("B", "x"))
        for asker in "xyz":
            for _ in range(fair_queue.OF_CALLER):
                await used.come(("A", asker))
        waiting = [task for task in used.tasks if not task.done()]
        assert len(waiting) == fair_queue.OF_SESSION + 1
        late = await used.come(("A", "gm"))
        assert not late.done()
        assert [type(task.exception()) for task in waiting if task.done()] == [TooMuch]
        await used.end()
        assert ("A", "gm") in used.served[:5]

    asyncio.run(use())


def test_whoever_comes_to_a_full_server_takes_the_place_of_the_last_of_the_longest_line() -> None:
    async def use() -> None:
        used = Used(1)
        names = "ABCDEFGHIJKLMNOPQ"
        for name in names:
            for asker in "xy":
                for _ in range(4):
                    await used.come((name, asker))
        assert sum(map(len, used.queue._queues.values())) == fair_queue.IN_ALL
        newcomer = await used.come(("Z", "x"))
        assert not newcomer.done()
        assert sum(map(len, used.queue._queues.values())) == fair_queue.IN_ALL
        refused = [task for task in used.tasks if task.done() and isinstance(task.exception(), TooMuch)]
        assert len(refused) == len(names) * 8 - fair_queue.IN_ALL
        await used.end()
        assert ("Z", "x") in used.served

    asyncio.run(use())


def test_all_who_wait_are_told_of_the_end() -> None:
    async def use() -> None:
        used = Used(1)
        tasks = [await used.come(("A", name)) for name in "xyz"]
        used.queue.close(Ending("the server ends"))
        await settled()
        assert [task.done() for task in tasks] == [False, True, True]
        await used.end()
        with pytest.raises(Ending):
            await tasks[1]

    asyncio.run(use())
