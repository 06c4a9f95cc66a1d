"""PostgreSQL: lost servers, lost answers, killed writers, and concurrent writers."""

import logging
import time
from collections.abc import Callable
from contextlib import closing
from threading import Barrier, Event, Thread

import psycopg
import pytest
from ledger_records import fill, record_after, records_after, some_records
from ledger_writers import killed_writers, opened_at_once, shares
from patience import comes_back
from postgres_server import Server

from ledger.chain import check, genesis
from ledger.errors import KeyReused, NoSuchSession, Stale, Unsure, Unusable
from ledger.stores import Head
from ledger.stores.postgres import PostgresStore
from ledger.stores.postgres.errors import Lost, is_end

KILLS = 12
SECONDS = 1.5
KEYS = pytest.mark.parametrize("with_key", [True, False], ids=["with a key", "without"])


@pytest.fixture(scope="module")
def postgres(fragile_postgres: Server) -> Server:
    """A server that the tests of this module may crash."""
    return fragile_postgres


# ------------------------------------------------------------------------------------------------ servers that restart


def test_connections_that_died_in_their_sleep_are_not_noticed(
    postgres: Server, store: PostgresStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Each costs a pause of the pool, which doubles every time: so only the first is tested."""
    caplog.set_level(logging.INFO, "psycopg.pool")
    records = fill(store, 600)
    meet = Barrier(4)

    def use_all() -> None:
        with store._connections._pool.connection():
            meet.wait()

    for restarts in range(2):
        threads = [Thread(target=use_all) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        postgres.restart()
        caplog.clear()
        store.create(f"windows {restarts}")  # which is never asked twice
        records.append(record_after(Head(len(records), records[-1].digest)))
        store.append("doors", records[-1:], expected=len(records) - 1)
        assert list(store.read("doors")) == records
        assert sum("failed check" in message for message in caplog.messages) == 1


def test_a_server_that_ends_connections_one_by_one_is_not_noticed_either(postgres: Server, url: str) -> None:
    with closing(PostgresStore(url, connections=2)) as store:
        store.create("doors")
        for number in range(20):
            head = store.head("doors")
            end_connections(postgres, url)
            store.append("doors", [record_after(head)], expected=number)
        assert store.head("doors").seq == 20


def end_connections(postgres: Server, url: str, condition: str = "true") -> int:
    """Lets the server end the connections of one database."""
    ended = postgres.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE backend_type = 'client backend' "
        f"AND datname = '{url.rpartition('/')[2]}' AND {condition}"
    )
    return len(ended)


@KEYS
def test_what_was_acknowledged_while_the_server_crashed_is_there_and_nothing_is_doubled(
    postgres: Server, store: PostgresStore, with_key: bool
) -> None:
    sessions = ["doors", "windows", "roofs"]
    acknowledged = {session: some_records(1, session) for session in sessions}
    for session in sessions:
        store.create(session, acknowledged[session])
    over = Event()

    def write(session: str) -> None:
        log = acknowledged[session]
        while not over.is_set():
            record = record_after(Head(len(log), log[-1].digest), f"entry {len(log) + 1}")
            key = f"key {len(log)}" if with_key else None
            assert list(store.append(session, [record], expected=len(log), key=key)) == [record]
            log.append(record)

    threads = [Thread(target=write, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for restarts in range(4):
        while min(map(len, acknowledged.values())) < 25 * (restarts + 1):
            assert all(thread.is_alive() for thread in threads)
            time.sleep(0.01)
        if restarts < 3:
            postgres.restart()
    over.set()
    for thread in threads:
        thread.join()
    for session, records in acknowledged.items():
        assert list(check(store.read(session), genesis(session))) == records


def test_a_server_that_stays_away_is_told_of_when_patience_ends(postgres: Server, url: str) -> None:
    with closing(PostgresStore(url, patience=1.0)) as store:
        records = fill(store, 3)
        postgres.crash()
        calls: list[Callable[[], object]] = [
            lambda: store.head("doors"),
            lambda: store.append("doors", [record_after(Head(3, b""))], expected=3),
            lambda: store.create("windows"),
        ]
        for call in calls:
            with pytest.raises(Unusable):  # not Unsure, because no query was sent
                comes_back(call)
        postgres.start()
        assert list(store.read("doors")) == records
        assert store.sessions() == ["doors"]


# ------------------------------------------------------------------------------------------------ answers that are lost


class Deaf:
    """Loses the answers to the next few queries after sending them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, then: Callable[[], object] = lambda: None) -> None:
        from ledger.stores.postgres import pool

        self.left = 0
        self._answer, self._then = pool._answer, then
        monkeypatch.setattr(pool, "_answer", self)

    def __call__(self, connection: psycopg.Connection, *asked: object) -> object:
        rows = self._answer(connection, *asked)  # type: ignore[arg-type]
        if self.left:
            self.left -= 1
            connection.close()
            self._then()
            raise Lost(psycopg.OperationalError("server closed the connection unexpectedly"))
        return rows


@pytest.mark.parametrize("times", [1, 3])
@KEYS
def test_an_append_whose_answer_is_lost_is_done_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, with_key: bool, times: int
) -> None:
    fill(store, 2)
    deaf = Deaf(monkeypatch)
    records = records_after(store.head("doors"), ["one", "two"])
    deaf.left = times
    assert list(store.append("doors", records, expected=2, key="k" if with_key else None)) == records
    assert list(store.read("doors", 2)) == records


@KEYS
def test_an_append_whose_answer_is_lost_is_done_once_though_others_go_on(
    url: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch, with_key: bool
) -> None:
    fill(store, 2)
    records = records_after(store.head("doors"), ["one", "two"])
    with closing(PostgresStore(url)) as other:

        def go_on() -> None:
            head = other.head("doors")
            other.append("doors", [record_after(head, "between")], expected=head.seq)

        deaf = Deaf(monkeypatch, then=go_on)
        deaf.left = 1
        assert list(store.append("doors", records, expected=2, key="k" if with_key else None)) == records
        assert [record.seq for record in check(store.read("doors"), genesis("doors"))] == [1, 2, 3, 4, 5]


@KEYS
def test_what_is_refused_is_refused_though_the_first_answer_was_lost(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, with_key: bool
) -> None:
    fill(store, 2)
    key = "k" if with_key else None
    first = [record_after(store.head("doors"), "one")]
    store.append("doors", first, expected=2, key=key)
    deaf = Deaf(monkeypatch)
    deaf.left = 1
    with pytest.raises(KeyReused if with_key else Stale):
        store.append("doors", [record_after(Head(2, b""), "another")], expected=2, key=key)
    deaf.left = 1
    with pytest.raises(NoSuchSession):
        store.append("windows", first, expected=2, key=key)
    assert list(store.read("doors", 2)) == first


def test_the_servers_last_words_are_the_end_of_the_connection() -> None:
    for error in (psycopg.errors.AdminShutdown, psycopg.errors.CrashShutdown, psycopg.errors.ConnectionFailure):
        assert is_end(error("terminating connection"))
    for error in (psycopg.errors.QueryCanceled, psycopg.errors.DiskFull, psycopg.OperationalError):
        assert not is_end(error("something else"))


def test_what_cannot_be_asked_twice_is_not(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    deaf = Deaf(monkeypatch)
    deaf.left = 1
    with pytest.raises(Unsure, match="is not known"):
        store.create("doors")
    assert store.sessions() == ["doors"]
    assert store.unseal("doors", "seed") is None
    deaf.left = 1
    with pytest.raises(Unsure):
        store.seal("doors", "seed", b"secret")
    assert store.unseal("doors", "seed") == b"secret"


@KEYS
def test_when_no_answer_comes_at_all_it_is_said_that_it_is_not_known(
    url: str, monkeypatch: pytest.MonkeyPatch, with_key: bool
) -> None:
    with closing(PostgresStore(url, patience=1.0)) as store:
        records = fill(store, 1)
        deaf = Deaf(monkeypatch)
        deaf.left = 1_000_000
        more = record_after(Head(1, records[-1].digest))
        with pytest.raises(Unsure):
            store.append("doors", [more], expected=1, key="k" if with_key else None)
        with pytest.raises(Unusable):  # reading leaves nothing to be unsure of
            store.head("doors")
        deaf.left = 0
        assert list(store.read("doors")) == [*records, more]


def test_who_cannot_look_whether_it_was_written_is_unsure(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = fill(store, 2)

    def cannot(*asked: object) -> None:
        raise Unusable("the server is away")

    deaf = Deaf(monkeypatch, then=lambda: monkeypatch.setattr(store, "read", cannot))
    deaf.left = 1
    with pytest.raises(Unsure, match="the server is away"):
        store.append("doors", [record_after(Head(2, records[-1].digest))], expected=2)


@KEYS
def test_a_server_that_goes_away_after_it_was_asked_leaves_one_unsure(
    postgres: Server, url: str, monkeypatch: pytest.MonkeyPatch, with_key: bool
) -> None:
    with closing(PostgresStore(url, patience=1.0)) as store:
        records = fill(store, 1)
        deaf = Deaf(monkeypatch, then=postgres.crash)
        deaf.left = 1
        more = record_after(Head(1, records[-1].digest))
        with pytest.raises(Unsure):
            store.append("doors", [more], expected=1, key="k" if with_key else None)
        postgres.start()
        assert list(store.read("doors")) == [*records, more]


@KEYS
def test_an_append_that_is_cut_off_in_the_middle_is_done_after_all(
    postgres: Server, url: str, store: PostgresStore, with_key: bool
) -> None:
    records = fill(store, 1)
    records.append(record_after(Head(1, records[-1].digest)))
    with closing(psycopg.connect(url)) as other:
        other.execute("SELECT * FROM affray.sessions FOR UPDATE")
        key = "k" if with_key else None
        writing = Thread(target=lambda: store.append("doors", records[1:], expected=1, key=key))
        writing.start()
        while not end_connections(postgres, url, "wait_event_type = 'Lock'"):
            time.sleep(0.01)
    writing.join()
    assert list(store.read("doors")) == records


def test_a_beginning_that_is_cut_off_in_the_middle_is_unsure(postgres: Server, url: str, store: PostgresStore) -> None:
    refused: list[str] = []

    def create() -> None:
        with pytest.raises(Unsure) as error:
            store.create("doors")
        refused.append(error.value.slug)

    with closing(psycopg.connect(url)) as other:
        other.execute("INSERT INTO affray.sessions (id) VALUES ('doors')")
        writing = Thread(target=create)
        writing.start()
        while not end_connections(postgres, url, "wait_event_type = 'Lock'"):
            time.sleep(0.01)
        writing.join()
    assert refused == ["store/unsure"]
    assert store.sessions() == []


# ------------------------------------------------------------------------------------------------ processes


@pytest.mark.parametrize("sessions", [("doors", "windows"), ("doors", "doors")], ids=["two sessions", "one session"])
def test_two_processes_write_side_by_side(url: str, store: PostgresStore, sessions: tuple[str, str]) -> None:
    for session in dict.fromkeys(sessions):
        store.create(session)
    written = [count for count, _ in shares(url, sessions, SECONDS)]
    if len(set(sessions)) == 2:  # on one session the first reader wins, in any order of turns
        assert min(written) >= 0.2 * sum(written)
    stored = [len(list(check(store.read(session), genesis(session)))) for session in dict.fromkeys(sessions)]
    assert sum(stored) == sum(written) > 0


def test_processes_that_begin_sessions_at_the_same_time_all_do(url: str, store: PostgresStore) -> None:
    sessions = ["doors", "windows", "roofs"]
    opened_at_once(url, sessions)
    assert sorted(store.sessions()) == sorted(sessions)


def test_nothing_acknowledged_is_lost_and_nothing_is_doubled_when_writers_are_killed(
    postgres: Server, url: str
) -> None:
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
        f"AND datname = '{url.rpartition('/')[2]}'"
    )

    def settled() -> None:
        while postgres.execute(others) != [(0,)]:
            time.sleep(0.005)

    killed_writers(url, KILLS, settled=settled)
