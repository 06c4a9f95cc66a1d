"""An address with several hosts, servers that become standbys, and answers that do not come."""

import time
from contextlib import closing
from threading import Thread

import pytest
from ledger_records import fill, record_after
from postgres_server import Server, free_port

from ledger.errors import ReadOnly, UnknownStore, Unusable
from ledger.stores import Head
from ledger.stores.postgres import PostgresStore
from ledger.stores.postgres.address import parse


@pytest.fixture(scope="module")
def postgres(fragile_postgres: Server) -> Server:
    """A server that the tests of this module may change."""
    return fragile_postgres


def test_an_address_with_several_hosts_is_for_the_one_that_accepts_writes() -> None:
    address = parse("postgresql://ana:hush@one,two:5433,three/affray")
    assert address.has_several
    assert address.name == "postgresql://ana@one,two:5433,three/affray"
    assert address.options["target_session_attrs"] == "read-write"
    assert parse("postgresql://one,two/affray?target_session_attrs=any").options["target_session_attrs"] == "any"
    assert parse("postgresql://one,two:5433/affray?connect_timeout=9").options["connect_timeout"] == "9"
    alone = parse("postgresql://ana:hush@one:5433/affray")
    assert alone.name == "postgresql://ana@one:5433/affray"
    assert "target_session_attrs" not in alone.options
    with pytest.raises(UnknownStore):
        parse("postgresql://one:5432,two:five/affray")


def test_hosts_that_are_away_or_read_only_are_passed_over(postgres: Server, url: str) -> None:
    name = url.rpartition("/")[2]
    both = f"postgresql://postgres@127.0.0.1:{free_port()},127.0.0.1:{postgres.port}/{name}"
    with closing(PostgresStore(both)) as store:
        assert len(fill(store, 3)) == 3
        postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with pytest.raises(Unusable, match="read-only"):
            PostgresStore(both)
        postgres.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        PostgresStore(both).close()


def test_a_connection_whose_server_became_a_standby_is_replaced(url: str, store: PostgresStore) -> None:
    records = fill(store, 1)
    with store._connections._pool.connection() as connection:
        connection.execute("SET default_transaction_read_only = on")
    more = record_after(Head(1, records[-1].digest))
    store.append("doors", [more], expected=1)
    with store._connections._pool.connection() as connection:
        connection.execute("SET default_transaction_read_only = on")
    store.create("windows")
    assert list(store.read("doors")) == [*records, more]


def test_a_ledger_that_stays_read_only_is_refused_as_such(postgres: Server, url: str) -> None:
    name = url.rpartition("/")[2]
    with closing(PostgresStore(url)) as store:
        records = fill(store, 1)
        postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        store._connections._pool.drain()
        with pytest.raises(ReadOnly):
            store.append("doors", [record_after(Head(1, records[-1].digest))], expected=1)
        assert list(store.read("doors")) == records


def test_a_repeated_request_is_acknowledged_only_when_a_standby_has_it(postgres: Server, url: str) -> None:
    with closing(PostgresStore(url)) as store:
        records = fill(store, 1)
        more = record_after(Head(1, records[-1].digest))
        store.append("doors", [more], expected=1, key="k")
        repeats = [
            Thread(target=store.append, args=("doors", [more]), kwargs={"expected": 1, "key": "k"}),
            Thread(target=store.batch, args=("doors", "k")),
        ]
        set_standby(postgres, "absent")
        try:
            for repeat in repeats:
                repeat.start()
            waiting = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{url.rpartition('/')[2]}' "
            until(postgres, waiting + "AND wait_event = 'SyncRep'", len(repeats))
            assert store.head("doors").seq == 2  # reading does not wait
        finally:
            set_standby(postgres, "")
        for repeat in repeats:
            repeat.join(30.0)
            assert not repeat.is_alive()


def set_standby(postgres: Server, name: str) -> None:
    """Makes commits wait for a standby of that name."""
    postgres.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'", "SELECT pg_reload_conf()")
    until(postgres, "SHOW synchronous_standby_names", name)


def until(postgres: Server, query: str, value: object) -> None:
    """Waits until a query returns a value."""
    deadline = time.monotonic() + 30.0
    while postgres.execute(query) != [(value,)]:
        assert time.monotonic() < deadline, query
        time.sleep(0.02)
