"""AsyncSession: the same calls with the same answers as Session, and the event loop never waits."""

import asyncio
import inspect
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from async_session import OMITTED, TARGET, written

from ledger.commands import BeginCombat, Join, Note, TypeDice
from ledger.entry import Entry
from ledger.errors import NoSuchSession, Stale, Unusable
from replays.api.asynchronous import AsyncSession
from replays.api.session import Session
from replays.corrections.change import Change
from replays.sessions import ports

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "clubs": 50}}


class SlowClock:
    """A clock that the thread waits for, when it is stopped, until the event loop lets it go on."""

    def __init__(self) -> None:
        self.runs, self.asked = threading.Event(), threading.Event()
        self.runs.set()

    def __call__(self) -> str:
        self.asked.set()
        assert self.runs.wait(10), "the event loop waited for the call"
        return ports.now()


def play(
    body: Callable[[AsyncSession], Awaitable[None]], url: str = "memory://", clock: Callable[[], str] = ports.now
) -> None:
    """Runs a body with a new session of two combatants."""

    async def run() -> None:
        opened = AsyncSession.create(url, ruleset="eclipse_phase_1e", title="A brawl", clock=clock)
        async with await opened as session:
            await session.perform(Join("ann", SHEET))
            await session.perform(Join("bob", SHEET))
            await body(session)

    asyncio.run(run())


def test_the_committed_module_is_what_the_script_writes() -> None:
    assert written() == TARGET.read_text(), "run: python tests/support/async_session.py"


def parameters(member: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Returns the parameters of a method; types that are written as strings are looked up as `AsyncSession` does."""
    known = vars(sys.modules[AsyncSession.__module__])
    return inspect.signature(member, locals=known, eval_str=True).parameters


def test_every_public_method_of_session_is_there_with_its_parameters() -> None:
    for name, member in inspect.getmembers(Session):
        if name.startswith("_") or name in {"keyed", "performed", "seen", "under_key"}:
            continue
        twin = getattr(AsyncSession, name)
        if inspect.isfunction(member):
            assert parameters(member) == parameters(twin), name
            is_same_thread = name == "listen"
            assert (
                is_same_thread
                or inspect.iscoroutinefunction(twin)
                or "AsyncIterator" in str(twin.__annotations__["return"])
            )
    assert OMITTED >= {"keyed", "performed", "seen", "under_key"}


def test_a_fight_is_played_corrected_and_read_as_with_session(tmp_path: Path) -> None:
    async def body(session: AsyncSession) -> None:
        await session.perform(BeginCombat())
        await session.perform_all(TypeDice((await session.rests())[0].key, (4,)))
        noted = await session.perform(Note("steam"))
        amended = await session.amend(noted.seq, Change(set={"text": "smoke"}), why="it was smoke")
        undone = await session.undo(why="no")

        embedded = Session.open(f"sqlite:///{tmp_path}/a.db")
        assert await session.state() == embedded.state()
        assert [entry async for entry in session.entries()] == list(embedded.entries())
        assert [line async for line in session.export()] == list(embedded.export())
        assert undone.seq > amended.entries[0].seq
        assert await session.options() == embedded.options()
        assert (await session.game()).name == "eclipse_phase_1e"
        embedded.close()

    play(body, f"sqlite:///{tmp_path}/a.db")


def test_refusals_are_those_of_session(tmp_path: Path) -> None:
    async def body(session: AsyncSession) -> None:
        with pytest.raises(Stale):
            await session.perform(Note("late"), expected=1)
        with pytest.raises(NoSuchSession):
            await AsyncSession.open(f"sqlite:///{tmp_path}/none.db", "nothing")

    play(body)


def test_the_loop_runs_on_while_a_call_is_made() -> None:
    clock = SlowClock()

    async def body(session: AsyncSession) -> None:
        clock.runs.clear()
        clock.asked.clear()
        call = asyncio.ensure_future(session.perform(Note("slow")))
        while not clock.asked.is_set():
            await asyncio.sleep(0.001)
        clock.runs.set()
        assert (await call).command == Note("slow")

    play(body, clock=clock)


def test_calls_are_made_in_the_order_of_asking() -> None:
    async def body(session: AsyncSession) -> None:
        entries = await asyncio.gather(*(session.perform(Note(str(number))) for number in range(50)))
        assert [entry.seq for entry in entries] == list(range(entries[0].seq, entries[0].seq + 50))
        assert [entry.command.text for entry in entries] == [str(number) for number in range(50)]

    play(body)


def test_a_listener_is_called_in_the_loop() -> None:
    async def body(session: AsyncSession) -> None:
        heard: list[tuple[str, Sequence[Entry]]] = []
        stop = session.listen(lambda entries: heard.append((threading.current_thread().name, entries)))
        entry = await session.perform(Note("hush"))
        await asyncio.sleep(0)
        stop()
        await session.perform(Note("unheard"))
        await asyncio.sleep(0)
        assert [(thread, list(entries)) for thread, entries in heard] == [(threading.current_thread().name, [entry])]

    play(body)


def test_a_first_answer_of_odds_comes_into_the_loop() -> None:
    async def body(session: AsyncSession) -> None:
        await session.perform(BeginCombat())
        threads: list[str] = []
        odds = await session.odds(
            (await session.rests())[0].key, first=lambda _: threads.append(threading.current_thread().name)
        )
        assert odds.exact
        assert set(threads) <= {threading.current_thread().name}

    play(body)


def test_a_call_that_has_begun_ends_though_its_task_is_cancelled() -> None:
    clock = SlowClock()

    async def body(session: AsyncSession) -> None:
        clock.runs.clear()
        clock.asked.clear()
        task = asyncio.ensure_future(session.perform(Note("kept")))
        while not clock.asked.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        clock.runs.set()
        assert [entry.command async for entry in session.entries()][-1] == Note("kept")

    play(body, clock=clock)


def test_a_closed_session_refuses_calls() -> None:
    async def body(session: AsyncSession) -> None:
        await session.close()
        await session.close()
        with pytest.raises(Unusable, match="the session is closed"):
            await session.state()

    play(body)
