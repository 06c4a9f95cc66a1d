"""Deletion in the PostgreSQL store: only one way through the triggers; the content of older tables is kept."""

import time
from collections.abc import Iterator
from contextlib import closing
from threading import Thread

import psycopg
import pytest
from ledger_records import fill, record_after, some_records
from postgres_server import Server

from ledger.chain import check, genesis
from ledger.entry import Who
from ledger.errors import NotMigrated, SessionDeleted
from ledger.stores import migrate, open_store
from ledger.stores.postgres import PostgresStore
from ledger.stores.postgres.migrations import migrate as migrate_by
from ledger.stores.postgres.schema import MIGRATIONS, PARTITIONS
from ledger.tombstone import Deletion
from ledger.tombstone import check as check_tombstones

DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    """A ledger with session 1 intact, and session 2 deleted with the first tombstone."""
    with closing(PostgresStore(url)) as store:
        for name in ("doors", "windows"):
            store.create(name, sealed={"seed": b"secret"})
            store.append(name, some_records(3, name), expected=0, key="k")
        store.delete("windows", DELETION)
        yield store


def shell(url: str) -> psycopg.Connection:
    """A connection as with psql."""
    return psycopg.connect(url, autocommit=True)


def last(session: str, count: int = 3) -> str:
    return f"'\\x{some_records(count, session)[-1].digest.hex()}'::bytea"


REWRITES = [
    "DELETE FROM affray.entries",
    "DELETE FROM affray.entries WHERE session = 2",
    *(f"DELETE FROM affray.entries_{number:02}" for number in range(PARTITIONS)),
    "DELETE FROM affray.batches WHERE session = 2",
    "DELETE FROM affray.sealed",
    "DELETE FROM affray.sessions WHERE number = 2",
    "UPDATE affray.tombstones SET line = 'x'",
    "DELETE FROM affray.tombstones",
    "TRUNCATE affray.tombstones",
    f"INSERT INTO affray.tombstones VALUES (1, 1, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO affray.tombstones VALUES (3, 1, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO affray.tombstones VALUES (2, 9, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO affray.tombstones VALUES (2, 1, 2, {last('doors', 2)}, 'x', 'x')",
    f"INSERT INTO affray.tombstones VALUES (2, 1, 3, {last('windows')}, 'x', 'x')",
    "INSERT INTO affray.tombstones VALUES (2, 1, 0, 'x', 'x', 'x')",
    f"INSERT INTO affray.tombstones VALUES (2, 2, 0, {last('windows')}, 'x', 'x')",
    "INSERT INTO affray.entries VALUES (2, 1, 'x', 'x', 'x')",
    "INSERT INTO affray.entries VALUES (2, 4, 'x', 'x', 'x')",
    "INSERT INTO affray.batches VALUES (2, 'new', 1, 1)",
    "INSERT INTO affray.sealed VALUES (2, 'new', 'x')",
]


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_the_database_itself_deletes_in_one_way_only(url: str, store: PostgresStore, role: str) -> None:
    with closing(shell(url)) as vandal:
        vandal.execute(f"SET session_replication_role = {role}".encode())
        for statement in REWRITES:
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                vandal.execute(statement.encode())
    assert list(store.read("doors")) == list(store.batch("doors", "k")) == some_records(3)
    assert store.unseal("doors", "seed") == b"secret"
    assert [stone.session for stone in check_tombstones(store.tombstones())] == ["windows"]


def test_nothing_of_a_deleted_session_is_in_the_tables(postgres: Server, url: str, store: PostgresStore) -> None:
    for table in ("entries", "batches", "sealed"):
        query = f"SELECT DISTINCT session FROM affray.{table}"
        assert postgres.execute(query, url=url) == [(1,)]
    assert len(postgres.execute("SELECT * FROM affray.log", url=url)) == 3


def test_a_ledger_with_tombstones_can_be_dumped_and_restored(postgres: Server, url: str, store: PostgresStore) -> None:
    other = postgres.empty()
    postgres.run("psql", "-q", "-v", "ON_ERROR_STOP=1", other, given=postgres.run("pg_dump", url))
    with closing(PostgresStore(other)) as restored:
        assert list(check(restored.read("doors"), genesis("doors"))) == some_records(3)
        with pytest.raises(SessionDeleted):
            restored.create("windows")
        restored.delete("doors", DELETION)
        assert len(list(check_tombstones(restored.tombstones()))) == 2
    with pytest.raises(psycopg.errors.RestrictViolation):
        postgres.execute("DELETE FROM affray.entries_03", url=other)


def test_older_tables_are_brought_up_to_date_and_nothing_is_lost(postgres: Server) -> None:
    url = postgres.empty()
    migrate_by(url, MIGRATIONS[:1])
    records = some_records(3)
    columns = ([r.line for r in records], [r.secret for r in records], [r.digest for r in records])
    with closing(shell(url)) as older:
        older.execute(
            "SELECT affray.create_session('doors', '{}', '{}', '{}', ARRAY['seed'::bytea], ARRAY['s'::bytea])"
        )
        older.execute("SELECT affray.append('doors', 0, 'k', %b::bytea[], %b::bytea[], %b::bytea[])", columns)
    with pytest.raises(NotMigrated, match="older Affray"):
        open_store(url)
    assert migrate(url) == tuple(migration.name for migration in MIGRATIONS[1:])
    with closing(open_store(url)) as store:
        assert list(store.batch("doors", "k")) == list(store.read("doors")) == records
        assert store.unseal("doors", "seed") == b"s"
        store.append("doors", [record_after(store.head("doors"))], expected=3, key="l")
        store.keep_checkpoint("doors", b"fold")
        assert store.checkpoint("doors") == b"fold"
        assert store.delete("doors", DELETION).entries == 4
        assert store.sessions() == []


@pytest.mark.parametrize("what", ["seal", "append", "delete"])
def test_whoever_waits_for_a_deletion_is_told_of_it(url: str, store: PostgresStore, what: str) -> None:
    found = list[str]()
    calls = {
        "seal": lambda: store.seal("doors", "salt", b"s"),
        "append": lambda: store.append("doors", some_records(4)[3:], expected=3, key="l"),
        "delete": lambda: store.delete("doors", DELETION),
    }

    def wait() -> None:
        try:
            calls[what]()
        except Exception as error:
            found.append(getattr(error, "slug", repr(error)))

    with closing(PostgresStore(url)) as other, closing(psycopg.connect(url)) as holder, closing(shell(url)) as watch:
        holder.execute("SELECT * FROM affray.sessions WHERE id = 'doors' FOR UPDATE")
        deleting = Thread(target=lambda: other.delete("doors", DELETION))
        deleting.start()
        _until_waiting(watch, 1)
        waiting = Thread(target=wait)
        waiting.start()
        _until_waiting(watch, 2)
        holder.rollback()
        deleting.join()
        waiting.join()
    assert found == ["session/deleted"]
    with pytest.raises(SessionDeleted):
        store.seals("doors")
    assert len(store.tombstones()) == 2


def _until_waiting(connection: psycopg.Connection, count: int) -> None:
    """Waits until a number of connections wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    deadline = time.monotonic() + 20
    while connection.execute(query).fetchone() != (count,):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_big_session_is_deleted_in_one_round_trip_after_it_was_looked_at(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        fill(store, 3_000)
        assert store.delete("doors", DELETION).entries == 3_000
        assert store.sessions() == []
