"""Rehearsing the shipped fights of every game, kept many times over: as `affray rehearse --all` does it, and deciding alone."""

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from benchmarks.report import Row, at_least
from benchmarks.timing import interleaved

from ledger.stores.sqlite import SqliteStore
from replays.log import Log
from replays.player import perform
from replays.rehearsal import rehearsed
from replays.rehearse import rehearse
from replays.script import examples, read

TIMES = 25


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """Every shipped fight, each so many times."""
    with closing(SqliteStore(str(tmp_path_factory.mktemp("shipped") / "fights.db"))) as store:
        for name, path in examples().items():
            log = perform(read(path.read_bytes(), name)).log
            records = list(log.store.read(log.session))
            for number in range(TIMES):
                store.create(f"{name}-{number}".upper(), records)
        yield store


def _events(logs: Sequence[Log]) -> int:
    return sum(len(entry.events) for log in logs for entry in log.entries())


def test_rehearsal_of_the_shipped_fights(benchmark, shipped: SqliteStore, rows: list[Row]) -> None:
    logs = [Log(shipped, session) for session in shipped.sessions()]
    count, sessions = _events(logs), shipped.sessions()
    assert [found for log in logs for found in rehearse(log)] == []
    took = interleaved(
        benchmark,
        lambda: [list(rehearse(log)) for log in logs],
        whole=lambda: [rehearsed(shipped, session) for session in sessions],
    )
    unit = "events/s"
    rows += [
        Row(what="rehearsal of the shipped fights", ours=count / took["ours"], unit=unit, goal=at_least(100_000)),
        Row(what="the same, opened, with slips", ours=count / took["whole"], unit=unit),
    ]


def test_a_report_of_the_shipped_fights(benchmark, shipped: SqliteStore, rows: list[Row]) -> None:
    from replays.report import report

    logs = [Log(shipped, f"{name}-0".upper()) for name in examples()]
    count = _events(logs)
    took = interleaved(benchmark, lambda: [report(log) for log in logs])
    assert len(report(logs[0])) > 10_000
    rows.append(Row(what="report", ours=count / took["ours"], unit="events/s"))
