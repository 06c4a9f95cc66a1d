"""A pooler before PostgreSQL: session mode works; transaction mode is refused at opening, with the reason."""

from contextlib import closing

import psycopg
import pytest
from ledger_records import fill, record_after
from pgbouncer import bouncer
from postgres_server import Server

from ledger.errors import Unusable
from ledger.stores import Head, migrate, open_store
from ledger.stores.postgres import PostgresStore


def address(url: str, port: int) -> str:
    """Returns the address of the same database through a pooler."""
    return f"postgresql://postgres@127.0.0.1:{port}/{url.rpartition('/')[2]}"


@pytest.mark.parametrize("mode", ["transaction", "statement"])
@pytest.mark.parametrize("rotates", [False, True], ids=["last one first", "in turn"])
def test_a_pooler_that_shares_connections_is_refused_and_its_connections_are_not_changed(
    postgres: Server, url: str, mode: str, rotates: bool
) -> None:
    with bouncer(postgres, mode, rotates=rotates) as port:
        pooled = address(url, port)
        with (
            closing(psycopg.connect(pooled, autocommit=True, prepare_threshold=None)) as first,
            closing(psycopg.connect(pooled, autocommit=True, prepare_threshold=None)) as second,
        ):
            for connection in (first, second):
                connection.execute("SELECT 1")
            for call in (open_store, migrate):
                with pytest.raises(Unusable, match=r"transaction or statement mode.*durable.*LISTEN") as refused:
                    call(pooled)
                assert "session mode" in str(refused.value.accepts)
            assert first.execute("SHOW search_path").fetchone() == ('"$user", public',)


def test_a_pooler_in_session_mode_works_with_news(postgres: Server, url: str) -> None:
    with bouncer(postgres, "session") as port, closing(PostgresStore(address(url, port))) as store:
        records = fill(store, 3)
        with closing(PostgresStore(url)) as beside:
            assert store.news(5.0) is None
            more = record_after(Head(3, records[-1].digest))
            beside.append("doors", [more], expected=3, key="k")
            assert store.news(10.0) == {"doors"}
        assert list(store.read("doors")) == [*records, more]


def test_direct_connections_are_never_taken_for_a_pooler(url: str) -> None:
    for _ in range(20):
        PostgresStore(url).close()
