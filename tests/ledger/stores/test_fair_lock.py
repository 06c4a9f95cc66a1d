"""Fair locks: threads and processes get them in the order in which they asked."""

import time
from pathlib import Path
from threading import Thread

import pytest

from ledger.stores.fair_lock import FairLock, Turnstile, patiently


def wait_for_waiting(line: FairLock, count: int) -> None:
    """Waits until a number of threads wait for the lock."""
    assert patiently(lambda: len(line._waiting) == count, time.monotonic() + 10)


def test_a_line_is_served_in_the_order_in_which_it_formed() -> None:
    line, served = FairLock(), []

    def take(name: int) -> None:
        assert line.acquire(10)
        served.append(name)
        line.release()

    assert line.acquire(0)
    threads = [Thread(target=take, args=(name,)) for name in range(5)]
    for count, thread in enumerate(threads, 1):
        thread.start()
        wait_for_waiting(line, count)
    line.release()
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


def test_who_lets_go_and_asks_again_stands_behind_who_waits() -> None:
    line, served = FairLock(), []

    def take() -> None:
        assert line.acquire(10)
        served.append("who waited")
        line.release()

    assert line.acquire(0)
    thread = Thread(target=take)
    thread.start()
    wait_for_waiting(line, 1)
    line.release()
    assert line.acquire(10)
    served.append("who asked again")
    line.release()
    thread.join()
    assert served == ["who waited", "who asked again"]


def test_who_gives_up_is_not_waited_for() -> None:
    line = FairLock()
    assert line.acquire(0)
    assert not line.acquire(0)
    assert not line.acquire(0.001)
    line.release()
    assert line.acquire(0)
    line.release()


def test_one_passes_a_turnstile_at_a_time(tmp_path: Path) -> None:
    first, second = (Turnstile(str(tmp_path / "turn")) for _ in range(2))
    assert first.enter()
    assert not second.enter()
    first.leave()
    assert second.enter()
    second.close()
    assert first.enter()
    first.close()


def test_where_there_is_no_lock_all_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: int, operation: int) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr("ledger.stores.fair_lock.flock", refuse)
    turnstile = Turnstile(str(tmp_path / "turn"))
    assert turnstile.enter()
    turnstile.leave()
    turnstile.close()


def test_patience_ends_at_the_deadline() -> None:
    tries = iter([False, False, False, True])
    assert not patiently(lambda: next(tries), time.monotonic())
    assert patiently(lambda: next(tries), time.monotonic() + 10)
    assert list(tries) == []
