"""One thread decides and writes for all sessions; a commit is durable before its callers are answered."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ledger.commands import Note
from ledger.errors import Busy, Full, NoSuchSession, Refused
from ledger.stores.sqlite import SqliteStore
from replays.api.session import Session
from replays.server.http.problems import Ending
from replays.server.runtime.session_cache import SessionCache
from replays.server.runtime.writer_thread import TOGETHER, WriterThread

NAMES = [f"S{number}" for number in range(4)]


class Watched(SqliteStore):
    """Records how much was written in one commit, and fails when asked to."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.blocks: list[int] = []
        self.full = False

    def append(self, *arguments: Any, **named: Any) -> Any:
        self.blocks[-1:] = [self.blocks[-1] + 1] if self.blocks else []
        return super().append(*arguments, **named)

    @contextmanager
    def together(self) -> Iterator[None]:
        self.blocks.append(0)
        with super().together():
            yield
        if self.full:
            raise Full("no room is left")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Watched]:
    with closing(Watched(str(tmp_path / "fight.db"))) as store:
        for name in NAMES:
            Session.create(store, ruleset="eclipse_phase_1e", session=name)
        store.blocks.clear()
        yield store


@pytest.fixture
def scribe(store: Watched) -> Iterator[WriterThread]:
    with closing(WriterThread(store)) as scribe:
        yield scribe


@pytest.fixture
def rooms(store: Watched, scribe: WriterThread) -> Iterator[SessionCache]:
    with ThreadPoolExecutor(4) as threads:
        yield SessionCache(store, threads, entries=1000, writer=scribe)


def noted(session: Session) -> tuple[str, str]:
    """Writes a note; returns the session and the name of the thread."""
    session.perform(Note("So it is."))
    return session.id, threading.current_thread().name


async def in_use(rooms: SessionCache) -> dict[str, Session]:
    """Loads all sessions."""
    return {name: await rooms.run(name, lambda session: session) for name in NAMES}


def held(scribe: WriterThread, do: Callable[[], Awaitable[Any]]) -> Any:
    """Queues work while the writer is busy, so that it waits for one commit."""

    async def asked() -> Any:
        going = threading.Event()
        first = scribe.do(going.wait, lost=lambda: None)
        rest = asyncio.ensure_future(do())  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        going.set()
        await asyncio.wait((first, rest))
        first.exception()
        return rest.result()

    return asyncio.run(asked())


def test_what_came_meanwhile_is_one_commit(store: Watched, scribe: WriterThread, rooms: SessionCache) -> None:
    async def write() -> list[tuple[str, str]]:
        await in_use(rooms)
        return await asyncio.gather(*(rooms.run(name, noted, quickly=True) for name in NAMES))

    assert held(scribe, write) == [(name, "affray-writer") for name in NAMES]
    assert store.blocks == [4]
    assert [store.head(name).seq for name in NAMES] == [2, 2, 2, 2]


def test_a_commit_is_not_longer_than_others_can_wait(store: Watched, scribe: WriterThread) -> None:
    async def write() -> None:
        await asyncio.gather(*(scribe.do(lambda: None, lost=lambda: None) for _ in range(3 * TOGETHER)))

    held(scribe, write)
    assert len(store.blocks) == 4


def test_a_session_that_is_to_be_read_first_holds_up_nobody(rooms: SessionCache) -> None:
    _, thread = asyncio.run(rooms.run("S0", noted, quickly=True))
    assert thread != "affray-writer"
    _, thread = asyncio.run(rooms.run("S0", noted, quickly=True))
    assert thread == "affray-writer"


def test_what_takes_its_time_is_done_elsewhere(rooms: SessionCache) -> None:
    asyncio.run(rooms.run("S0", id))
    _, thread = asyncio.run(rooms.run("S0", noted))
    assert thread != "affray-writer"


def test_nobody_is_told_of_what_could_not_be_made_durable(
    store: Watched, scribe: WriterThread, rooms: SessionCache
) -> None:
    before = asyncio.run(in_use(rooms))

    def refused(_: Session) -> None:
        raise Refused("the rules say no")

    async def write() -> list[Any]:
        works = [noted, noted, refused]
        asked = [rooms.run(name, work, quickly=True) for name, work in zip(NAMES, works, strict=False)]
        return await asyncio.gather(*asked, return_exceptions=True)

    store.full = True
    told = held(scribe, write)
    assert [type(each) for each in told] == [Full, Full, Refused]
    store.full = False
    after = asyncio.run(in_use(rooms))
    assert [after[name] is before[name] for name in NAMES] == [False, False, False, True]
    assert asyncio.run(rooms.run("S0", noted, quickly=True)) == ("S0", "affray-writer")


def test_an_error_is_told_to_who_asked_and_the_rest_goes_on(scribe: WriterThread, rooms: SessionCache) -> None:
    def fail(_: Session) -> None:
        raise ZeroDivisionError

    async def write() -> list[Any]:
        await in_use(rooms)
        asked = [rooms.run("S0", fail, quickly=True), rooms.run("S1", noted, quickly=True)]
        asked.append(rooms.run("nowhere", noted, quickly=True))
        return await asyncio.gather(*asked, return_exceptions=True)

    failed, done, unknown = held(scribe, write)
    assert isinstance(failed, ZeroDivisionError)
    assert done == ("S1", "affray-writer")
    assert isinstance(unknown, NoSuchSession)


def test_work_that_stops_short_holds_up_nobody(scribe: WriterThread, rooms: SessionCache) -> None:
    async def write() -> list[Any]:
        await in_use(rooms)
        works = [lambda _: next(iter(())), noted]
        asked = [rooms.run(name, work, quickly=True) for name, work in zip(NAMES, works, strict=False)]
        return await asyncio.gather(*asked, return_exceptions=True)

    stopped, done = held(scribe, write)
    assert isinstance(stopped, RuntimeError)
    assert done == ("S1", "affray-writer")


def test_who_waited_while_others_had_the_ledger_is_told_so_with_the_first(
    store: Watched, scribe: WriterThread, rooms: SessionCache
) -> None:
    asked_for = 3 * TOGETHER

    async def write() -> list[Any]:
        asked = [scribe.do(partial(busy, number), lost=lambda: None) for number in range(asked_for)]
        return await asyncio.gather(*asked, return_exceptions=True)

    def busy(number: int) -> None:
        raise Busy(f"others have it, {number}")

    told = held(scribe, write)
    assert [each.message for each in told] == [f"others have it, {number}" for number in range(asked_for)]
    assert len(store.blocks) == 1


def test_a_session_is_not_read_anew_because_others_had_the_ledger(rooms: SessionCache) -> None:
    def busy(_: Session) -> None:
        raise Busy("others have it")

    before = asyncio.run(in_use(rooms))
    with pytest.raises(Busy):
        asyncio.run(rooms.run("S0", busy, quickly=True))
    assert asyncio.run(in_use(rooms)) == before


def test_nothing_begins_once_it_ends(store: Watched) -> None:
    async def ask() -> None:
        scribe = WriterThread(store)
        scribe.close()
        await scribe.do(lambda: None, lost=lambda: None)

    with pytest.raises(Ending):
        asyncio.run(ask())


def test_who_goes_away_has_it_written_all_the_same(store: Watched, scribe: WriterThread, rooms: SessionCache) -> None:
    going = threading.Event()

    async def write() -> None:
        await in_use(rooms)
        work = lambda session: (going.wait(10), noted(session))  # noqa: E731
        given_up = asyncio.ensure_future(rooms.run("S0", work, quickly=True))
        await asyncio.sleep(0.01)
        given_up.cancel()
        going.set()
        await rooms.run("S0", noted, quickly=True)
        assert given_up.cancelled()

    asyncio.run(write())
    assert store.head("S0").seq == 3


def test_what_waits_is_finished_before_the_end(store: Watched) -> None:
    done: list[int] = []

    async def write() -> None:
        scribe, going = WriterThread(store), threading.Event()
        asked = [scribe.do(going.wait, lost=lambda: None)]
        asked += [scribe.do(lambda n=number: done.append(n) or True, lost=lambda: None) for number in range(40)]  # type: ignore[misc]
        threading.Timer(0.05, going.set).start()
        scribe.close()
        await asyncio.gather(*asked)

    asyncio.run(write())
    assert done == list(range(40))
