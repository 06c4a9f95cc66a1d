"""Appends to PostgreSQL at 16 sessions at once, beside the function of earlier versions, which sent a NOTIFY within each append."""

import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from statistics import median

import pytest
from benchmarks.appenders import Appenders
from benchmarks.report import Row, at_least
from benchmarks.scale import Scale
from ledger_records import record_after, some_records
from postgres_server import Server, server_or_skip
from slow_route import slowed

from ledger.stores import Head
from ledger.stores.postgres import PostgresStore, bulk
from ledger.stores.postgres.schema import MIGRATIONS

SESSIONS = 16
OLD_ADD = next(each for each in MIGRATIONS[0].statements if each.startswith("CREATE FUNCTION affray.add("))
"""The function of the first migration, which has the NOTIFY."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that writes to the disk as in operation."""
    server = server_or_skip()
    yield server
    server.stop()


def database(server: Server, *, is_old: bool) -> str:
    """Returns the address of a new ledger; an old one has the function of the first migration."""
    url = server.database()
    if is_old:
        server.execute(OLD_ADD.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"), url=url)
    return url


def delay(store: PostgresStore, url: str, count: int) -> float:
    """Returns the median seconds from the end of an append until a listener on another connection reports it."""
    store.create("heard")
    head, took = store.head("heard"), list[float]()
    with closing(PostgresStore(url)) as listener:
        while listener.news(0.2) != set():
            pass
        for _ in range(count):
            record = record_after(head)
            store.append("heard", [record], expected=head.seq)
            head, began = Head(record.seq, record.digest), time.perf_counter()
            assert listener.news(30.0) != set()
            took.append(time.perf_counter() - began)
            time.sleep(0.05)
    return median(took)


def test_appends_at_many_sessions(benchmark, scale: Scale, server: Server, rows: list[Row]) -> None:
    new, old, urls = list[float](), list[float](), [database(server, is_old=is_old) for is_old in (False, True)]
    with (
        closing(PostgresStore(urls[0], connections=SESSIONS)) as store,
        closing(PostgresStore(urls[1], connections=SESSIONS)) as before,
    ):
        ours, theirs = Appenders(store, SESSIONS), Appenders(before, SESSIONS)

        def measure() -> None:
            old.append(theirs.appends(scale.seconds))
            new.append(ours.appends(scale.seconds))

        benchmark.pedantic(measure, rounds=scale.rounds)
        heard = 1000 * delay(store, urls[0], scale.commits)
        heard_before = 1000 * delay(before, urls[1], scale.commits)
    what, beside = f"PostgreSQL: appends at {SESSIONS} sessions", "NOTIFY in each append"
    rows += [
        Row(what=what, ours=median(new), unit="entries/s", beside=beside, theirs=median(old), goal=at_least(1.8)),
        Row(what="PostgreSQL: append to listener", ours=heard, unit="ms", beside=beside, theirs=heard_before),
    ]


def test_imports_through_a_network(
    benchmark, scale: Scale, server: Server, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long session is created 10 ms away from the server, in a pipeline and one message at a time."""
    ours, theirs, numbers = list[float](), list[float](), count(1)
    with slowed(server.database(), 0.01) as (_, url), closing(PostgresStore(url)) as store:

        def imported() -> float:
            session = f"imported {next(numbers)}"
            records = some_records(scale.long, session)
            began = time.perf_counter()
            store.create(session, records)
            return len(records) / (time.perf_counter() - began)

        def measure() -> None:
            ours.append(imported())
            with monkeypatch.context() as waiting:
                waiting.setattr(bulk, "_UNANSWERED", 1)
                theirs.append(imported())

        benchmark.pedantic(measure, rounds=scale.rounds)
    what, beside = (
        f"PostgreSQL: import of {scale.long:,} entries, 20 ms to the server and back",
        "one message at a time",
    )
    rows.append(Row(what=what, ours=median(ours), unit="entries/s", beside=beside, theirs=median(theirs)))
