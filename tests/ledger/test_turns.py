"""Who writes next."""

import time
from pathlib import Path
from threading import Thread

import pytest

from ledger.stores.turns import Job, Line, Turnstile, patiently


def wait_for_waiting(line: Line[list[int], None], count: int) -> None:
    """Until so many stand in line."""
    assert patiently(lambda: len(line._waiting) == count, time.monotonic() + 10)


def appending(number: int) -> Job[list[int], None]:
    return Job(lambda served: served.append(number))


def led(line: Line[list[int], None], served: list[int], job: Job[list[int], None]) -> None:
    """Stand in line; in one's turn do one's own job and leave."""
    if line.join(job, 10):
        job.attempt(served)
        line.leave()


def test_a_line_is_served_in_the_order_in_which_it_formed() -> None:
    line: Line[list[int], None] = Line()
    served: list[int] = []
    assert line.join(appending(-1), 0)
    threads = [Thread(target=led, args=(line, served, appending(number))) for number in range(5)]
    for count, thread in enumerate(threads, 1):
        thread.start()
        wait_for_waiting(line, count)
    line.leave()
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


def test_who_leaves_and_joins_again_stands_behind_who_waits() -> None:
    line: Line[list[int], None] = Line()
    served: list[int] = []
    assert line.join(appending(0), 0)
    thread = Thread(target=led, args=(line, served, appending(1)))
    thread.start()
    wait_for_waiting(line, 1)
    line.leave()
    led(line, served, appending(2))
    thread.join()
    assert served == [1, 2]


def test_whoever_is_first_does_it_for_all_who_wait() -> None:
    line: Line[list[int], None] = Line()
    served: list[int] = []
    assert line.join(appending(0), 0)
    threads = [Thread(target=led, args=(line, served, appending(number))) for number in (1, 2, 3)]
    for count, thread in enumerate(threads, 1):
        thread.start()
        wait_for_waiting(line, count)
    for job in line.taken():
        job.attempt(served)
        job.done = True
        job.tell()
    for thread in threads:
        thread.join()
    assert served == [1, 2, 3]
    line.leave()
    assert line.join(appending(4), 0)


def test_who_gives_up_is_not_waited_for() -> None:
    line: Line[list[int], None] = Line()
    assert line.join(appending(0), 0)
    for patience in (0, 0.001):
        with pytest.raises(TimeoutError):
            line.join(appending(1), patience)
    assert list(line.taken()) == []
    line.leave()
    assert line.join(appending(2), 0)


def test_what_a_job_raises_is_raised_where_its_result_is_wanted() -> None:
    def fail(_: list[int]) -> None:
        raise KeyError("no")

    job: Job[list[int], None] = Job(fail)
    job.attempt([])
    with pytest.raises(KeyError):
        job.result()


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

    monkeypatch.setattr("ledger.stores.turns.flock", refuse)
    turnstile = Turnstile(str(tmp_path / "turn"))
    assert turnstile.enter()
    turnstile.leave()
    turnstile.close()


def test_patience_ends_at_the_deadline() -> None:
    tries = iter([False, False, False, True])
    assert not patiently(lambda: next(tries), time.monotonic())
    assert patiently(lambda: next(tries), time.monotonic() + 10)
    assert list(tries) == []
