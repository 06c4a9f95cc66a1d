"""Long questions run in a limited number of other processes, and end when their callers are gone."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from server.faults_processes import is_alive
from server.slow_questions import Ask, BriefWait, Hoard, Refuse, Wait

from ledger.commands import Note
from ledger.errors import Broken, NoSuchSession, Refused, Stale
from ledger.stores import open_store
from ledger.stores.memory import MemoryStore
from ledger.stores.store import Store
from machines.contract.refusals import NotAllowed
from replays.api.session import Session
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import Revoked, Scope, Signer, Token, Tokens
from replays.server.http.problems import Ending, TooMuch, TooSlow
from replays.server.runtime import read_jobs, workers
from replays.server.runtime.one_core import OneCore
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.server.runtime.read_jobs import Fault, ReadJobs
from replays.server.runtime.settings import Settings
from replays.server.runtime.worker import TooLarge
from replays.server.runtime.workers import WorkerDied

NAMES = ["S0", "S1", "S2"]
KEYS = ("k" * 40,)
PATIENCE = 60.0
LONG = 3_600.0


class Used:
    """ReadJobs on a store, with callers."""

    def __init__(self, store: Store, ledger: str, folder: Path, seconds: float) -> None:
        self.store = store
        self.folder = folder
        self.studies = ReadJobs(store, Settings(ledger=ledger, keys=KEYS, studies=2, study_time=seconds))

    def ask(self, session: str, question: SessionQuestion, asker: str = "a") -> "asyncio.Future[bytes]":
        """Starts a question of a caller."""
        caller = Caller(Token(asker, Scope.GM, session, "gm"), session)
        return asyncio.ensure_future(self.studies.run(caller, question))

    def wait(self, session: str, name: str, kind: type[Wait] = Wait) -> "asyncio.Future[bytes]":
        """Starts a question that goes on until `go`."""
        return self.ask(session, kind(str(self.folder), name))

    async def begun(self, name: str) -> int:
        """Returns the id of the process that works on a question."""
        async with asyncio.timeout(PATIENCE):
            while not (found := list(self.folder.glob(f"{name}.*"))):
                await asyncio.sleep(0.005)
        return int(found[-1].suffix[1:])

    def go(self) -> None:
        """Lets the questions finish."""
        (self.folder / "go").touch()


Work = Callable[[Used], Awaitable[None]]
Use = Callable[..., None]


def filled(store: Store) -> Store:
    for name in NAMES:
        Session.create(store, ruleset="eclipse_phase_1e", session=name)
    return store


@pytest.fixture(params=["memory", "sqlite"])
def use(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Use]:
    """Runs a test with ReadJobs on a store."""
    ledger = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/fight.db"
    store = filled(MemoryStore() if request.param == "memory" else open_store(ledger))

    def run(work: Work, seconds: float = LONG) -> None:
        async def using() -> None:
            used = Used(store, ledger, tmp_path, seconds)
            try:
                async with asyncio.timeout(PATIENCE):
                    await work(used)
            finally:
                used.studies.close()

        asyncio.run(using())

    yield run
    store.close()


async def gone(process: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while is_alive(process):
            await asyncio.sleep(0.005)


def test_a_question_is_answered_elsewhere_and_with_all_that_was_written(use: Use) -> None:
    async def work(used: Used) -> None:
        for count in (1, 2, 3):
            session, last, process = json.loads(await used.ask("S1", Ask()))
            assert (session, last) == ("S1", count)
            assert process != os.getpid()
            Session(used.store, "S1").perform(Note("more"))

    use(work)


def test_a_worker_goes_on_to_the_next_question(use: Use) -> None:
    async def work(used: Used) -> None:
        processes = {json.loads(await used.ask(name, Ask()))[2] for name in NAMES * 3}
        assert len(processes) == 1

    use(work)


def test_what_was_begun_for_somebody_who_goes_is_killed_and_its_place_is_free(use: Use) -> None:
    async def work(used: Used) -> None:
        asked = [used.wait(name, name) for name in ("S0", "S1")]
        processes = [await used.begun(name) for name in ("S0", "S1")]
        third = used.ask("S2", Ask())
        await asyncio.sleep(0.05)
        assert not third.done()  # two at once
        asked[0].cancel()
        await gone(processes[0])
        assert json.loads(await third)[0] == "S2"
        assert is_alive(processes[1])
        used.go()
        assert json.loads(await asked[1]) == processes[1]

    use(work)


def test_who_comes_and_goes_by_hundreds_leaves_no_more_workers_than_there_are_places(use: Use) -> None:
    async def work(used: Used) -> None:
        for number in range(300):
            asked = used.ask(NAMES[number % 3], Ask())
            await asyncio.sleep(0.002 * (number % 3))
            asked.cancel()
        processes = {json.loads(each)[2] for each in await asyncio.gather(*(used.ask(name, Ask()) for name in NAMES))}
        assert len(processes) <= 2
        assert len(used.studies._workers._all) <= 3

    use(work)


def test_what_takes_too_long_is_killed(use: Use) -> None:
    async def work(used: Used) -> None:
        assert json.loads(await used.ask("S0", Ask()))[0] == "S0"  # a worker is idle
        asked = used.wait("S0", "slow")
        process = await used.begun("slow")
        with pytest.raises(TooSlow, match=r"3 s"):
            await asked
        await gone(process)
        assert json.loads(await used.ask("S0", Ask()))[0] == "S0"

    use(work, 3)


def test_brief_questions_do_not_wait_behind_long_ones(use: Use) -> None:
    async def work(used: Used) -> None:
        for name in ("S0", "S1"):
            used.wait(name, name)
            await used.begun(name)
        with pytest.raises(Refused, match="no"):
            await used.ask("S2", Refuse("plain"))
        with pytest.raises(Refused, match="no"):
            await used.ask("S0", Refuse("plain"))  # nor behind those of the same session
        used.go()

    use(work)


def test_one_that_is_not_brief_after_all_is_asked_again_among_the_long_ones(
    use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_jobs, "BRIEF", 0.3)

    async def work(used: Used) -> None:
        assert json.loads(await used.ask("S0", Ask()))[0] == "S0"
        asked = used.wait("S0", "not-so-brief", BriefWait)
        await gone(await used.begun("not-so-brief"))
        with pytest.raises(Refused, match="no"):
            await used.ask("S1", Refuse("plain"))  # its slot is free again
        used.go()
        assert json.loads(await asked)

    use(work)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux tells the processor time of a worker")
def test_a_brief_question_that_waits_for_a_busy_machine_goes_on(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_jobs, "BRIEF", 1.0)

    async def work(used: Used) -> None:
        asked = used.wait("S0", "waits", BriefWait)
        begun = await used.begun("waits")
        await asyncio.sleep(1.5)  # by the clock it has had its time; it has used hardly any processor time
        used.go()
        assert json.loads(await asked) == begun

    use(work)


@pytest.mark.parametrize(
    ("how", "kind", "told"),
    [
        ("plain", Refused, {"message": "no", "where": "there", "accepts": "this"}),
        ("stale", Stale, {"expected": 3, "actual": 4}),
        ("broken", Broken, {"seq": 7, "where": "entry 7"}),
        ("memory", TooLarge, {"slug": "server/too-large"}),
    ],
)
def test_a_refusal_comes_back_as_it_was(use: Use, how: str, kind: type[Refused], told: dict[str, Any]) -> None:
    async def work(used: Used) -> None:
        with pytest.raises(kind) as refused:
            await used.ask("S0", Refuse(how))
        assert type(refused.value) is kind
        assert {name: getattr(refused.value, name) for name in told} == told
        assert json.loads(await used.ask("S0", Ask()))[0] == "S0"

    use(work)


def test_a_fault_comes_back_with_its_place_and_the_worker_goes_on(use: Use) -> None:
    async def work(used: Used) -> None:
        process = json.loads(await used.ask("S0", Ask()))[2]
        with pytest.raises(Fault, match="slow_questions"):
            await used.ask("S0", Refuse("fault"))
        assert json.loads(await used.ask("S0", Ask()))[2] == process

    use(work)


def test_a_worker_that_somebody_else_kills_is_replaced(use: Use) -> None:
    async def work(used: Used) -> None:
        asked = used.wait("S0", "killed")
        os.kill(await used.begun("killed"), signal.SIGKILL)
        with pytest.raises(WorkerDied):
            await asked
        process = json.loads(await used.ask("S0", Ask()))[2]
        os.kill(process, signal.SIGKILL)  # while it is idle
        await gone(process)
        assert json.loads(await used.ask("S0", Ask()))[2] != process

    use(work)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux limits it")
def test_what_takes_all_memory_is_refused(use: Use) -> None:
    async def work(used: Used) -> None:
        with pytest.raises(TooLarge):
            await used.ask("S0", Hoard())
        assert json.loads(await used.ask("S0", Ask()))[0] == "S0"

    use(work)


def test_the_end_is_told_to_all_who_wait_and_no_worker_is_left(use: Use) -> None:
    async def work(used: Used) -> None:
        asked = [used.wait(name, name) for name in NAMES * 2]
        processes = [await used.begun(name) for name in ("S0", "S1")]
        used.studies.close()
        found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), PATIENCE)
        assert [type(each) for each in found] == [Ending] * 6
        for process in processes:
            await gone(process)
        with pytest.raises(Ending):
            await used.ask("S0", Ask())

    use(work)


@pytest.mark.parametrize("hangs_up", [False, True], ids=["who waits", "who hangs up"])
def test_a_worker_that_is_being_begun_when_the_server_ends_is_ended_too(
    use: Use, monkeypatch: pytest.MonkeyPatch, hangs_up: bool
) -> None:
    begun = list[int]()
    may_go_on = threading.Event()
    begin = workers._started

    def slowly(core: OneCore | None) -> workers._Worker:
        worker = begin(core)
        begun.append(worker._process.pid or 0)
        assert may_go_on.wait(PATIENCE)
        return worker

    monkeypatch.setattr(workers, "_started", slowly)

    async def work(used: Used) -> None:
        asked = [
            used.ask(name, Ask()) for name in NAMES
        ]  # one worker is being started, another waits for its start, the third waits for both
        while not begun:
            await asyncio.sleep(0.005)
        if hangs_up:
            asked[0].cancel()
            await asyncio.sleep(0)
        used.studies.close()
        may_go_on.set()
        found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), PATIENCE)
        assert [type(each) for each in found] == [asyncio.CancelledError if hangs_up else Ending, Ending, Ending]
        for process in begun:
            await gone(process)
        assert not used.studies._workers._all

    use(work)


def test_whoever_may_not_ask_is_refused_and_frees_the_place(use: Use) -> None:
    async def work(used: Used) -> None:
        tokens = Tokens(Signer(KEYS), used.store)
        revoked = tokens.issue("S0", Scope.SPECTATOR, "eve").id
        tokens.revoke("S0", revoked)
        for _ in range(5):
            with pytest.raises(Revoked):
                await used.ask("S0", Ask(), revoked)
            with pytest.raises(NoSuchSession):
                await used.ask("nowhere", Ask())
            with pytest.raises(NotAllowed):
                await used.studies.run(Caller(Token("h", Scope.HOST), "S0"), Ask())
        assert json.loads(await used.ask("S0", Ask()))[0] == "S0"

    use(work)


def test_too_many_of_one_token_are_sent_away_at_once(use: Use) -> None:
    async def work(used: Used) -> None:
        asked = [used.wait("S0", f"{number}") for number in range(20)]
        found = await asyncio.gather(*asked[9:], return_exceptions=True)
        assert {type(each) for each in found} == {TooMuch}
        assert not any(each.done() for each in asked[:9])
        for each in asked[:9]:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    use(work)
