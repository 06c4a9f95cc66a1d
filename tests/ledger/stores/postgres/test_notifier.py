"""NOTIFY after the commit: each write reaches listeners, at most one NOTIFY a pause, and a killed writer delays none for long."""

import time
from collections.abc import Iterator
from contextlib import closing
from threading import Event, Thread

import psycopg
import pytest
from ledger_records import fill, record_after, records_after, some_records
from ledger_writers import killed_before_notify
from patience import BOUND, comes_back
from postgres_server import Server

from ledger.stores import Head, migrate
from ledger.stores.postgres import PostgresStore, news, notifier
from ledger.stores.postgres.migrations import migrate as migrate_by
from ledger.stores.postgres.notifier import Notifier
from ledger.stores.postgres.schema import MIGRATIONS


@pytest.fixture
def listening(url: str) -> Iterator[psycopg.Connection]:
    """A connection that listens as a process of any version does."""
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute("LISTEN affray")
        yield connection


def payloads(listening: psycopg.Connection, seconds: float) -> list[str]:
    """Returns the texts of the notifications that arrive within some seconds, or after them if there was none yet."""
    arrived = [each.payload for each in listening.notifies(timeout=seconds)]
    return arrived or [each.payload for each in listening.notifies(timeout=BOUND, stop_after=1)]


def number_of(listening: psycopg.Connection, session: str) -> str:
    ((number,),) = listening.execute("SELECT number::text FROM affray.sessions WHERE id = %b", (session.encode(),))
    return str(number)


def columns(count: int) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Returns the columns of a session's first records, as the functions of the database take them."""
    records = some_records(count)
    return [r.line for r in records], [r.secret for r in records], [r.digest for r in records]


_APPEND = "SELECT affray.append('doors', 0, NULL, %b::bytea[], %b::bytea[], %b::bytea[])"


@pytest.mark.parametrize("older", [True, False], ids=["before the migration", "after it"])
def test_an_append_sends_no_notify_within_its_transaction(postgres: Server, older: bool) -> None:
    url = postgres.empty()
    migrate_by(url, MIGRATIONS[:3])
    if not older:
        assert migrate(url)[0] == "notify after commit"
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute("SELECT affray.create_session('doors', '{}', '{}', '{}', '{}', '{}')")
        connection.execute("LISTEN affray")
        connection.execute(_APPEND, columns(3))
        arrived = [each.payload for each in connection.notifies(timeout=0.2, stop_after=1)]
        assert arrived == ([number_of(connection, "doors")] if older else [])


def test_what_a_process_of_an_older_version_writes_after_the_migration_is_found_by_the_check_of_all_sessions(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "RECHECK", 0.5)
    url = postgres.empty()
    migrate_by(url, MIGRATIONS[:3])
    with closing(psycopg.connect(url, autocommit=True)) as older:
        older.execute("SELECT affray.create_session('doors', '{}', '{}', '{}', '{}', '{}')")
        migrate(url)
        with closing(PostgresStore(url)) as store:
            assert store.news(5.0) is None
            older.execute(_APPEND, columns(3))
            assert store.news(BOUND) is None
            assert store.head("doors").seq == 3


def test_each_session_is_notified_alone_and_by_its_number(store: PostgresStore, listening: psycopg.Connection) -> None:
    for name in ("doors", "windows"):
        fill(store, 2, name)
    arrived = set[str]()
    while len(arrived) < 2:
        arrived.update(payloads(listening, 0.1))
    assert arrived == {number_of(listening, "doors"), number_of(listening, "windows")}


def test_many_appends_are_one_notify_a_pause(
    store: PostgresStore, listening: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "PAUSE", 0.2)
    store.create("doors")
    began = time.monotonic()
    for record in records_after(store.head("doors"), [f"It is {minute} past eight." for minute in range(100)]):
        store.append("doors", [record], expected=record.seq - 1)
    most = (time.monotonic() - began) / 0.2 + 2
    assert 1 <= len(payloads(listening, 0.5)) <= most < 50


def test_a_repeated_request_notifies_once_more(store: PostgresStore, listening: psycopg.Connection) -> None:
    """Its first process may have been killed before it had notified the listeners."""
    record = record_after(fill_and_wait(store, listening))
    for _ in range(2):
        store.append("doors", [record], expected=2, key="k")
        assert payloads(listening, 0.2) == [number_of(listening, "doors")]


def fill_and_wait(store: PostgresStore, listening: psycopg.Connection) -> Head:
    fill(store, 2)
    payloads(listening, 0.2)
    return store.head("doors")


def test_a_connection_that_was_lost_while_it_was_idle_delays_nothing(
    postgres: Server, url: str, store: PostgresStore, listening: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "RETRY", 2 * BOUND)
    head = fill_and_wait(store, listening)
    ended = postgres.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        f"WHERE datname = '{url.rpartition('/')[2]}' AND query LIKE '%pg_notify%'"
    )
    assert ended == [(True,)]
    store.append("doors", [record_after(head)], expected=2)
    assert payloads(listening, 0.2) == [number_of(listening, "doors")]


def test_while_the_server_is_unreachable_sessions_are_kept_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "RETRY", 0.01)
    attempts, is_enough = list[int](), Event()

    def connect() -> psycopg.Connection:
        attempts.append(1)
        if len(attempts) == 3:
            is_enough.set()
        raise psycopg.OperationalError("the server is away")

    waiting = Notifier(connect)
    waiting.add(b"doors")
    assert is_enough.wait(BOUND)
    comes_back(waiting.close)
    comes_back(Notifier(connect).close)  # it has nothing to send


def test_a_write_succeeds_although_no_thread_can_be_started(
    store: PostgresStore, listening: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as limited:
        limited.setattr(Thread, "start", lambda _: _fail())
        fill(store, 2)
        assert store.head("doors").seq == 2
    store.create("windows")
    arrived = set[str]()
    while len(arrived) < 2:
        arrived.update(payloads(listening, 0.1))
    assert arrived == {number_of(listening, "doors"), number_of(listening, "windows")}


def _fail() -> None:
    raise RuntimeError("can't start new thread")


def test_closing_sends_what_is_due(url: str, listening: psycopg.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "PAUSE", 2 * BOUND)
    with closing(PostgresStore(url)) as store:
        store.create("doors")
        payloads(listening, 0.2)
        store.create("windows")
    assert payloads(listening, 0.2) == [number_of(listening, "windows")]


def test_a_write_whose_process_was_killed_before_its_notify_is_found_by_the_check_of_all_sessions(
    url: str, store: PostgresStore, listening: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "RECHECK", 1.0)
    fill_and_wait(store, listening)
    assert store.news(5.0) is None
    killed_before_notify(url, "doors")
    assert store.news(BOUND) is None
    assert store.head("doors").seq == 3
