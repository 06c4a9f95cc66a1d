"""The threads of a server stay on one core, that which others use least; its worker processes may be on any."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Set
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from server.faults_processes import descendants, until, workers
from server.processes import PATIENCE, Table, served

from replays.server.runtime import one_core
from replays.server.runtime.one_core import OneCore, better_core

ALL = os.sched_getaffinity(0) if sys.platform == "linux" else set[int]()
several = pytest.mark.skipif(len(ALL) < 2, reason="only Linux with several cores keeps threads on one of them")
MANY = 30
"""More processes than other tests keep on a core at the same time."""
SHARES = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize(
    ("used", "own", "expected"),
    [
        ({0: 0.9, 1: 0.0}, 0.9, 0),  # it is alone
        ({0: 1.0, 1: 0.0}, 0.5, 1),  # another process has half of the core
        ({0: 1.0, 1: 0.45}, 0.5, 0),  # the other core is hardly better
        ({0: 1.0, 1: 0.6, 2: 0.1}, 0.2, 2),
        ({0: 1.0}, 0.1, 0),  # there is no other one
    ],
)
def test_it_moves_where_clearly_more_time_is_left(used: dict[int, float], own: float, expected: int) -> None:
    assert better_core(0, used, own) == expected


@given(st.dictionaries(st.integers(0, 7), SHARES, min_size=1), SHARES, st.data())
def test_it_moves_only_to_a_core_that_others_use_less_and_stays_there(
    used: dict[int, float], own: float, data: st.DataObject
) -> None:
    core = data.draw(st.sampled_from(sorted(used)))
    found = better_core(core, used, own)
    assume(found != core)
    assert used[found] < used[core] - own
    assert better_core(found, {**used, found: used[found] + own, core: used[core] - own}, own) == found


@pytest.fixture
def waiting() -> Iterator[int]:
    """Another thread of this process; at the end all threads may be on any core again."""
    done, began = threading.Event(), list[int]()

    def begin() -> None:
        began.append(threading.get_native_id())
        done.wait(PATIENCE)

    other = threading.Thread(target=begin)
    other.start()
    until(lambda: bool(began))
    try:
        yield began[0]
    finally:
        done.set()
        other.join()
        for each in os.listdir("/proc/self/task"):
            with suppress(ProcessLookupError):
                os.sched_setaffinity(int(each), ALL)


@several
def test_it_begins_where_fewest_other_processes_stay(waiting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    free, *taken = sorted(ALL)
    monkeypatch.setattr(one_core, "_kept_on", lambda cores: {free: 1} | dict.fromkeys(taken, 2))
    assert {OneCore(ALL).core for _ in range(10)} == {free}


@several
def test_other_processes_that_stay_on_a_core_are_counted(waiting: int) -> None:
    core = min(ALL)
    with ExitStack() as stack:
        for _ in range(MANY):
            other = stack.enter_context(subprocess.Popen(["sleep", str(PATIENCE)]))
            stack.callback(other.terminate)
            os.sched_setaffinity(other.pid, {core})
        assert one_core._kept_on(ALL)[core] >= MANY
    assert one_core._kept_on(ALL)[core] < MANY


@several
def test_each_thread_moves_when_others_use_its_core(waiting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    times = dict.fromkeys(ALL, 100.0)
    monkeypatch.setattr(one_core, "_core_times", lambda: dict(times))
    kept = OneCore(ALL)
    first = kept.core
    assert _cores_of(waiting, 0) == {first}
    kept.look()
    assert _cores_of(waiting, 0) == {first}
    times[first] += 1_000.0

    kept.look()

    assert _cores_of(waiting, 0) == {kept.core} != {first}


@several
def test_a_thread_that_has_strayed_is_taken_back(waiting: int) -> None:
    kept = OneCore(ALL)
    os.sched_setaffinity(waiting, ALL)
    kept.look()
    assert _cores_of(waiting, 0) == {kept.core}


@several
def test_a_block_may_be_on_any_core(waiting: int) -> None:
    kept = OneCore(ALL)
    with kept.on_any_core():
        assert os.sched_getaffinity(0) == ALL
        assert _cores_of(waiting) == {kept.core}
    assert _cores_of(waiting, 0) == {kept.core}


@several
def test_the_times_of_all_cores_are_read() -> None:
    times = one_core._core_times()
    assert times.keys() >= ALL
    assert min(times.values()) > 0


@several
@pytest.mark.parametrize(
    "content",
    ["", "\n", "cpu  1 1\ncpu900 1 2 3 4 5 6 7 8\n", "cpu0 much\n", None],
    ids=["empty", "blank", "others", "odd", "none"],
)
def test_where_the_use_of_the_cores_is_not_known_threads_are_on_any(
    content: str | None, waiting: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "stat"
    if content is not None:
        file.write_text(content)
    monkeypatch.setattr(one_core, "_USED", str(file))

    assert one_core.stay_on_one_core() is None
    assert _cores_of(waiting, 0) == ALL


@several
@pytest.mark.parametrize("number", [1, 2], ids=["the first thread", "the second thread"])
def test_where_a_thread_may_not_stay_on_a_core_all_are_on_any(
    number: int, waiting: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _refuse(monkeypatch, number)

    assert one_core.stay_on_one_core() is None
    assert _cores_of(waiting, 0) == ALL


@several
def test_when_a_core_is_gone_threads_are_on_any_and_workers_still_start(
    waiting: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = OneCore(ALL)
    with monkeypatch.context() as patched:
        _refuse(patched, 1)
        with kept.on_any_core():
            pass
        _refuse(patched, 1)
        kept.look()
    assert _cores_of(waiting, 0) == ALL
    with kept.on_any_core():
        pass
    kept.look()
    assert _cores_of(waiting, 0) == ALL


@several
def test_the_threads_of_a_server_are_on_one_core_and_its_workers_on_any(tmp_path: Path) -> None:
    with served(tmp_path, "--one-core", "--workers", "2") as server, server.client() as client:
        table = Table(client, server.host)
        until(lambda: [_is_on_one_core(pid) for pid in workers(server)] == [True, True])
        asked = client.post(f"{table.path}/odds", headers=table.as_("gm"), json={})
        assert asked.json()["slug"] == "odds/no-open-roll"

        started = [each for pid in workers(server) for each in descendants(pid)]

        assert started
        assert _cores_of(*started) == ALL
        assert [_is_on_one_core(pid) for pid in workers(server)] == [True, True]


@several
@pytest.mark.parametrize(("options", "cores"), [((), 1), (("--any-core",), len(ALL)), (("--workers", "2"), len(ALL))])
def test_a_process_that_is_the_only_one_stays_on_one_core(tmp_path: Path, options: tuple[str, ...], cores: int) -> None:
    with served(tmp_path, *options) as server, server.client() as client:
        until(lambda: [each["event"] for each in server.lines()].count("started") == len(workers(server)))
        assert client.get("/health").status_code == 200
        found = {len(os.sched_getaffinity(each)) for pid in workers(server) for each in _threads(pid)}
        assert found == {cores}


def _is_on_one_core(pid: int) -> bool:
    return len({frozenset(os.sched_getaffinity(each)) for each in _threads(pid)}) == len(_cores_of(*_threads(pid))) == 1


def _refuse(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Has the system refuse once to keep a thread on one core, from the call of that number on."""
    allowed, calls = os.sched_setaffinity, count(1)

    def refuse(thread: int, cores: Set[int]) -> None:
        if len(cores) == 1 and next(calls) == number:
            raise OSError(22, "Invalid argument")
        allowed(thread, cores)

    monkeypatch.setattr(os, "sched_setaffinity", refuse)


def _threads(pid: int) -> list[int]:
    return [int(each) for each in os.listdir(f"/proc/{pid}/task")]


def _cores_of(*threads: int) -> set[int]:
    return {core for each in threads for core in os.sched_getaffinity(each)}
