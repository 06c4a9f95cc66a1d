"""The threads of a server stay on one core, that which others use least; its worker processes may be on any."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.faults_processes import descendants, until, workers
from server.processes import PATIENCE, Table, served

from replays.server.runtime import one_core
from replays.server.runtime.one_core import OneCore, better_core

ALL = os.sched_getaffinity(0) if sys.platform == "linux" else set[int]()
several = pytest.mark.skipif(len(ALL) < 2, reason="only Linux with several cores keeps threads on one of them")
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
def test_it_never_moves_to_a_core_that_others_use_as_much(
    used: dict[int, float], own: float, data: st.DataObject
) -> None:
    core = data.draw(st.sampled_from(sorted(used)))
    found = better_core(core, used, own)
    assert found == core or used[found] < used[core] - own
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
            os.sched_setaffinity(int(each), ALL)


@several
def test_each_thread_moves_when_others_use_its_core(waiting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    times = dict.fromkeys(ALL, 100.0)
    monkeypatch.setattr(one_core, "_core_times", lambda: dict(times))
    kept = OneCore(ALL)
    first = _core_of(waiting)
    assert _core_of(0) == first
    kept.look()
    assert _core_of(waiting) == first
    times[first] += 1_000.0

    kept.look()

    assert _core_of(waiting) == _core_of(0) != first


@several
def test_a_block_may_be_on_any_core(waiting: int) -> None:
    kept = OneCore(ALL)
    with kept.left():
        assert os.sched_getaffinity(0) == ALL
        assert len(os.sched_getaffinity(waiting)) == 1
    assert _core_of(0) == _core_of(waiting)


@several
def test_the_times_of_all_cores_are_read() -> None:
    times = one_core._core_times()
    assert times.keys() >= ALL
    assert min(times.values()) > 0


@several
def test_the_threads_of_a_server_are_on_one_core_and_its_workers_on_any(tmp_path: Path) -> None:
    with served(tmp_path, "--one-core", "--workers", "2") as server, server.client() as client:
        table = Table(client, server.host)
        until(lambda: len(workers(server)) == 2)
        for number in range(20):  # both have answered by then, or one has
            client.get("/health", headers={"Connection": "close"})
            client.post(f"{table.path}/odds", headers=table.as_("gm"), json={"seed": number})
        started = [each for pid in workers(server) for each in descendants(pid) if each not in workers(server)]

        cores = {pid: {frozenset(os.sched_getaffinity(each)) for each in _threads(pid)} for pid in workers(server)}

        assert [len(found) for found in cores.values()] == [1, 1]
        assert [len(core) for found in cores.values() for core in found] == [1, 1]
        assert started
        assert {frozenset(os.sched_getaffinity(each)) for each in started} == {frozenset(ALL)}


@several
@pytest.mark.parametrize(
    ("options", "cores"), [((), 1), (("--any-core",), len(ALL)), (("--workers", "2"), len(ALL))], ids=str
)
def test_a_process_that_is_the_only_one_stays_on_one_core(tmp_path: Path, options: tuple[str, ...], cores: int) -> None:
    with served(tmp_path, *options) as server, server.client() as client:
        assert client.get("/health").status_code == 200
        found = {len(os.sched_getaffinity(each)) for pid in workers(server) for each in _threads(pid)}
        assert found == {cores}


def _threads(pid: int) -> list[int]:
    return [int(each) for each in os.listdir(f"/proc/{pid}/task")]


def _core_of(thread: int) -> int:
    (core,) = os.sched_getaffinity(thread)
    return core
