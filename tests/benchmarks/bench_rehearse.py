"""Rehearsing many copies of the shipped fights: as `affray rehearse --all`, and redeciding alone."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.peers import poker_hands
from benchmarks.report import Row, at_least
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.stores.sqlite import SqliteStore
from replays.api.run_script import perform
from replays.audit.regression import rehearsed
from replays.cli.every_session import LedgerPlace, on_every_session
from replays.corrections.redecide import rehearse
from replays.scripts.format import examples, read
from replays.sessions.log import Log


@pytest.fixture(scope="module")
def shipped(scale: Scale, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """Returns a store with that many copies of every shipped fight."""
    with closing(SqliteStore(str(tmp_path_factory.mktemp("shipped") / "fights.db"))) as store:
        for name, path in examples().items():
            log = perform(read(path.read_bytes(), name)).log
            records = list(log.store.read(log.session))
            for number in range(scale.copies):
                store.create(f"{name}-{number}".upper(), records)
        yield store


def _events(logs: Sequence[Log]) -> int:
    return sum(len(entry.events) for log in logs for entry in log.entries())


def test_rehearsal_of_the_shipped_fights(benchmark, scale: Scale, shipped: SqliteStore, rows: list[Row]) -> None:
    logs = [Log(shipped, session) for session in shipped.sessions()]
    count, sessions = _events(logs), shipped.sessions()
    hands = poker_hands(scale.hands)
    logged = hands()
    assert [found for log in logs for found in rehearse(log)] == []
    took = interleaved(
        benchmark,
        lambda: [list(rehearse(log)) for log in logs],
        rounds=scale.rounds,
        whole=lambda: [rehearsed(shipped, session) for session in sessions],
        poker=hands,
    )
    what, unit, alone = "rehearsal of the shipped fights", "events/s", count / took["ours"]
    rows += [
        Row(
            what=what, ours=alone, unit=unit,
            beside="pokerkit operations", theirs=logged / took["poker"], goal=at_least(2),
        ),
        Row(
            what=f"{what}, opened, with slips", ours=count / took["whole"], unit=unit,
            beside="deciding alone", theirs=alone, goal=at_least(0.2),
        ),
    ]  # fmt: skip


def test_a_report_of_the_shipped_fights(benchmark, scale: Scale, shipped: SqliteStore, rows: list[Row]) -> None:
    from replays.exports.report import report

    logs = [Log(shipped, f"{name}-0".upper()) for name in examples()]
    count = _events(logs)
    took = interleaved(
        benchmark,
        lambda: [report(log) for log in logs],
        rounds=scale.rounds,
        again=lambda: [list(rehearse(log)) for log in logs],
    )
    assert len(report(logs[0])) > 10_000
    a_second = {name: count / seconds for name, seconds in took.items()}
    rows.append(
        Row(
            what="report", ours=a_second["ours"], unit="events/s",
            beside="rehearsing it", theirs=a_second["again"], goal=at_least(0.02),
        )
    )  # fmt: skip


MORE = 16
"""How many times the copies of the shipped fights are rehearsed by two processes: starting these takes a second."""


def test_all_sessions_by_two_processes(benchmark, scale: Scale, folder: Path, rows: list[Row]) -> None:
    path = folder / "many.db"
    with closing(SqliteStore(str(path))) as store:
        for name, script in examples().items():
            log = perform(read(script.read_bytes(), name)).log
            records = list(log.store.read(log.session))
            for number in range(scale.copies * MORE):
                store.create(f"{name}-{number}".upper(), records)
        place, names = LedgerPlace(f"sqlite:///{path}", None), store.sessions()

        def by(jobs: int) -> None:
            found = on_every_session(store, place, names, rehearsed, doing="rehearsing", jobs=jobs)
            assert len(found) == len(names)

        took = interleaved(benchmark, lambda: by(2), rounds=3, alone=lambda: by(1))
    what, unit = "rehearsal of many sessions by two processes", "sessions/s"
    rows += [
        Row(
            what=what, ours=len(names) / took["ours"], unit=unit,
            beside="by one", theirs=len(names) / took["alone"], goal=at_least(1.8),
        ),
    ]  # fmt: skip
