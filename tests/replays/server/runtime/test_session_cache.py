"""The session cache: a limited number in memory, and one piece of work at a time on each."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from patience import AN_HOUR

from ledger.commands import Note
from ledger.entry import Who
from ledger.errors import Busy, Damaged, NoSuchSession, Refused, SessionDeleted, Unsure, Unusable
from ledger.stores.memory import MemoryStore
from ledger.tombstone import Deletion
from replays.api.session import Session
from replays.server.http.pages import LogPage
from replays.server.runtime.feed import Feed
from replays.server.runtime.session_cache import SessionCache
from replays.sessions.ports import now

NAMES = [f"S{number}" for number in range(6)]


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    for name in NAMES:
        session = Session.create(store, ruleset="eclipse_phase_1e", session=name)
        for number in range(9):
            session.perform(Note(f"note {number}"))
    return store


def run(rooms: SessionCache, name: str, work: Callable[[Session], Any] = id) -> Any:
    return asyncio.run(rooms.run(name, work))


def test_a_session_is_kept_from_one_piece_of_work_to_the_next(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms = SessionCache(store, threads, entries=1000)
    assert run(rooms, "S1") == run(rooms, "S1")
    assert len(rooms) == 1


def test_what_was_used_longest_ago_goes_first_when_there_are_too_many(
    store: MemoryStore, threads: ThreadPoolExecutor
) -> None:
    rooms = SessionCache(store, threads, entries=120)  # three of forty each
    kept = {name: run(rooms, name, lambda session: session) for name in NAMES[:3]}
    assert run(rooms, "S0", lambda session: session) is kept["S0"]
    run(rooms, "S3")
    assert len(rooms) == 3
    assert run(rooms, "S0", lambda session: session) is kept["S0"]
    assert run(rooms, "S1", lambda session: session) is not kept["S1"]


def test_with_no_memory_at_all_the_latest_session_is_kept(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms = SessionCache(store, threads, entries=0)
    for name in NAMES:
        assert run(rooms, name, lambda session: session) is run(rooms, name, lambda session: session)
    assert len(rooms) == 1


def test_a_session_that_grows_counts_for_more(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms = SessionCache(store, threads, entries=120)

    def write(session: Session) -> None:
        for number in range(50):
            session.perform(Note(f"more {number}"))

    for name in NAMES[:3]:
        run(rooms, name)
    run(rooms, "S2", write)
    assert len(rooms) == 1


def test_a_session_in_use_stays_however_many_others_are_wanted(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms, done = SessionCache(store, threads, entries=40), threading.Event()

    async def use() -> tuple[int, int]:
        long = asyncio.ensure_future(rooms.run("S0", lambda session: (done.wait(10), id(session))[1]))
        for name in NAMES[1:]:
            await rooms.run(name, id)
        waiting = asyncio.ensure_future(rooms.run("S0", id))
        done.set()
        return await long, await waiting

    first, second = asyncio.run(use())
    assert first == second


def test_an_unknown_session_leaves_nothing_behind(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms = SessionCache(store, threads, entries=1000)
    for _ in range(3):
        with pytest.raises(NoSuchSession):
            run(rooms, "nowhere")
    assert len(rooms) == 0


def test_a_session_that_was_deleted_is_not_held_any_more(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms = SessionCache(store, threads, entries=1000)
    run(rooms, "S1")
    run(rooms, "S2")
    store.delete("S1", Deletion(Who("ana"), now(), "The player asked for it."))
    for _ in range(2):
        with pytest.raises(SessionDeleted):
            run(rooms, "S1")
    assert len(rooms) == 1


def test_nobody_comes_in_while_work_goes_on_that_nobody_waits_for_any_more(
    store: MemoryStore, threads: ThreadPoolExecutor
) -> None:
    rooms, told = SessionCache(store, threads, entries=1000), []

    def slow(session: Session) -> None:
        told.append("begun")
        threading.Event().wait(0.2)
        session.perform(Note("slow"))
        told.append("done")

    async def use() -> None:
        given_up = asyncio.ensure_future(rooms.run("S0", slow))
        await asyncio.sleep(0.05)
        given_up.cancel()
        await rooms.run("S0", lambda _: told.append("next"))
        assert given_up.cancelled()

    asyncio.run(use())
    assert told == ["begun", "done", "next"]


def test_they_come_in_as_they_came(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms, told = SessionCache(store, threads, entries=1000), []

    async def use() -> None:
        await asyncio.gather(*(rooms.run("S0", lambda _, n=number: told.append(n)) for number in range(20)))  # type: ignore[misc]

    asyncio.run(use())
    assert told == list(range(20))


@pytest.mark.parametrize("error", [Damaged("cut short"), RuntimeError("what?")])
def test_a_session_of_which_nobody_knows_what_it_is_in_is_read_anew(
    store: MemoryStore, threads: ThreadPoolExecutor, error: Exception
) -> None:
    rooms = SessionCache(store, threads, entries=1000)
    before = run(rooms, "S0", lambda session: session)

    def fail(_: Session) -> None:
        raise error

    with pytest.raises(type(error)):
        run(rooms, "S0", fail)
    assert run(rooms, "S0", lambda session: session) is not before


def test_a_refusal_of_the_rules_is_no_reason_to_read_a_session_anew(
    store: MemoryStore, threads: ThreadPoolExecutor
) -> None:
    rooms = SessionCache(store, threads, entries=1000)
    before = run(rooms, "S0", lambda session: session)
    with pytest.raises(Refused):
        run(rooms, "S0", lambda session: session.undo("exchange", why="no"))
    assert run(rooms, "S0", lambda session: session) is before


def test_what_somebody_else_has_written_is_there_at_once(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    rooms = SessionCache(store, threads, entries=1000)
    run(rooms, "S0")
    Session(store, "S0").perform(Note("from elsewhere"))
    assert run(rooms, "S0", lambda session: session.log.last) == 11


def test_long_entries_take_the_room_of_several(threads: ThreadPoolExecutor) -> None:
    """The size counts bytes too: a few long notes count as many entries."""
    store = MemoryStore()
    for name in NAMES[:2]:
        session = Session.create(store, ruleset="eclipse_phase_1e", session=name)
        for _ in range(20):
            session.perform(Note("x" * 20_000))
    rooms = SessionCache(store, threads, 500)

    async def use() -> int:
        for name in NAMES[:2]:
            await rooms.run(name, id)
        return len(rooms)

    assert asyncio.run(use()) == 1


def test_what_is_written_is_told_once_it_is_done_and_what_is_only_read_is_not(
    store: MemoryStore, threads: ThreadPoolExecutor
) -> None:
    told: list[tuple[str, ...]] = []
    rooms = SessionCache(store, threads, entries=1000, publish=lambda sessions: told.append(tuple(sessions)))

    run(rooms, "S1", lambda session: session.state())
    assert told == []
    run(rooms, "S1", lambda session: (session.perform(Note("x")), session.perform(Note("y"))))
    assert told == [("S1",)]
    with pytest.raises(Refused):
        run(rooms, "S1", lambda session: session.rewind(900))
    assert told == [("S1",)]


def test_what_may_have_been_written_is_told_as_well(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    told: list[tuple[str, ...]] = []
    rooms = SessionCache(store, threads, entries=1000, publish=lambda sessions: told.append(tuple(sessions)))

    def in_doubt(_: Session) -> None:
        raise Unsure("nobody knows", where="ledger")

    def broken(session: Session) -> None:
        session.perform(Note("x"))
        raise RuntimeError("after it was written")

    with pytest.raises(Unsure):
        run(rooms, "S1", in_doubt)
    with pytest.raises(RuntimeError):
        run(rooms, "S1", broken)

    assert told == [("S1",), ("S1",)]


@pytest.mark.parametrize("refusal", [Unusable, Busy])
def test_live_readers_do_not_ask_again_at_once_when_the_ledger_is_away(
    store: MemoryStore, threads: ThreadPoolExecutor, refusal: type[Refused]
) -> None:
    """A failed read is nothing new: if it woke readers, they would read again at once."""
    feed, reads = Feed(), list[int]()
    rooms = SessionCache(store, threads, entries=1000, publish=feed.ring)

    def away(_: Session) -> LogPage:
        reads.append(1)
        raise refusal("away", where="ledger")

    async def read(after: int) -> LogPage:
        return await rooms.run("S1", away)

    async def follow() -> None:
        coming = [asyncio.ensure_future(anext(feed.follow("S1", 0, "eyes", read, AN_HOUR))) for _ in range(3)]
        assert await asyncio.wait(coming, timeout=0.3) == (set(), set(coming))
        for each in coming:
            each.cancel()

    asyncio.run(follow())
    assert reads == [1]


def test_whoever_cannot_be_told_holds_up_nobody(store: MemoryStore, threads: ThreadPoolExecutor) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("nobody listens")

    rooms = SessionCache(store, threads, entries=1000, publish=fail)
    failed: list[object] = []

    async def twice() -> int:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context["exception"]))
        await rooms.run("S1", lambda session: session.perform(Note("x")))
        return await asyncio.wait_for(rooms.run("S1", lambda session: session.log.last), timeout=30)

    assert asyncio.run(twice()) == 11
    assert [str(each) for each in failed] == ["nobody listens"]
