"""Properties of the PostgreSQL store alone: the database stays append-only, and an append is one round trip."""

import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier, Thread

import psycopg
import pytest
from ledger_records import fill, record_after, records_after, some_records
from patience import AN_HOUR, BOUND, comes_back
from postgres_server import Server

from ledger.chain import Record, check, genesis
from ledger.errors import (
    Busy,
    Damaged,
    ForeignFile,
    Full,
    Newer,
    NotMigrated,
    Oversized,
    ReadOnly,
    Refused,
    StoreRefused,
    UnknownStore,
    Unusable,
)
from ledger.stores import Head, migrate, open_store
from ledger.stores.postgres import PostgresStore
from ledger.stores.postgres.errors import refusal
from ledger.stores.postgres.migrations import migrate as migrate_by
from ledger.stores.postgres.schema import MIGRATIONS, PARTITIONS, Migration

NAMES = tuple(migration.name for migration in MIGRATIONS)
"""The names of all migrations, in order."""


@pytest.fixture(scope="module")
def postgres(fragile_postgres: Server) -> Server:
    """A server that the tests of this module may crash."""
    return fragile_postgres


def shell(url: str) -> psycopg.Connection:
    """A connection as with psql."""
    return psycopg.connect(url, autocommit=True)


# ------------------------------------------------------------------------------------------------ the database


TABLES = ["sessions", "entries", "batches", "sealed", *(f"entries_{number:02}" for number in range(PARTITIONS))]
COLUMN = {"sessions": "id", "batches": "first", "sealed": "secret"}
REWRITES = [
    *(f"UPDATE affray.{table} SET {COLUMN.get(table, 'seq')} = {COLUMN.get(table, 'seq')}" for table in TABLES),
    *(f"DELETE FROM affray.{table}" for table in TABLES),
    *(f"TRUNCATE affray.{table}" for table in TABLES),
    "TRUNCATE affray.sessions CASCADE",
    "UPDATE affray.entries SET session = session + 1",
    "INSERT INTO affray.entries VALUES (1, 2, 'x', 'x', 'x') ON CONFLICT (session, seq) DO UPDATE SET line = 'x'",
    "INSERT INTO affray.sessions (id) VALUES ('doors') ON CONFLICT (id) DO UPDATE SET id = 'x'",
    "MERGE INTO affray.entries e USING (SELECT 1) AS one ON e.session = 1 WHEN MATCHED THEN DELETE",
    "INSERT INTO affray.entries VALUES (1, 5, 'x', 'x', 'x')",
    "INSERT INTO affray.entries VALUES (1, 0, 'x', 'x', 'x')",
    "INSERT INTO affray.entries VALUES (1, -1, 'x', 'x', 'x')",
    "INSERT INTO affray.entries VALUES (9, 1, 'x', 'x', 'x')",
    "INSERT INTO affray.entries SELECT 1, seq, 'x', 'x', 'x' FROM generate_series(5, 9) AS seq",
]


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_the_database_itself_refuses_to_rewrite_history(url: str, store: PostgresStore, role: str) -> None:
    store.create("doors")
    records = some_records(3)
    store.append("doors", records, expected=0, key="k")
    store.seal("doors", "seed", b"secret")
    with closing(shell(url)) as vandal:
        vandal.execute(f"SET session_replication_role = {role}".encode())
        for statement in REWRITES:
            if statement.startswith("MERGE") and vandal.info.server_version < 150000:
                continue
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                vandal.execute(statement.encode())
    assert list(store.read("doors")) == list(store.batch("doors", "k")) == records
    assert store.sessions() == ["doors"]
    assert store.unseal("doors", "seed") == b"secret"


def test_each_partition_refuses_gaps_and_what_is_there_already(url: str, store: PostgresStore) -> None:
    for number in range(40):
        store.create(f"session {number}", some_records(2, f"session {number}"))
    with closing(shell(url)) as vandal:
        rows = vandal.execute("SELECT DISTINCT ON (1) tableoid::regclass::text, session FROM affray.entries").fetchall()
        assert len(rows) > PARTITIONS / 2
        for table, session in rows:
            for seq, refused in ((4, psycopg.errors.RestrictViolation), (2, psycopg.errors.UniqueViolation)):
                with pytest.raises(refused):
                    vandal.execute(f"INSERT INTO {table} VALUES ({session}, {seq}, '', '', '')".encode())


def test_entries_of_many_sessions_lie_in_all_partitions(url: str, store: PostgresStore) -> None:
    names = [f"session {number}" for number in range(150)]
    for name in names:
        store.create(name, some_records(1, name))
    with closing(shell(url)) as other:
        parts = other.execute("SELECT count(DISTINCT tableoid), count(*) FROM affray.entries").fetchone()
        plan = other.execute("EXPLAIN SELECT * FROM affray.entries WHERE session = 1").fetchall()
    assert parts == (PARTITIONS, 150)
    assert sum("entries_" in line for (line,) in plan) <= 3
    assert store.sessions() == names


def test_people_with_psql_can_read_the_log(url: str, store: PostgresStore) -> None:
    records = fill(store, 3, "kämpfe")
    with closing(shell(url)) as other:
        rows = other.execute("SELECT session, seq, line FROM affray.log").fetchall()
        assert rows == [("kämpfe", record.seq, record.line.decode()) for record in records]
        store.create("\x00", [Record(1, b"\xff\x00", b"", b"")])
        assert other.execute("SELECT session, line FROM affray.log WHERE seq = 1").fetchall()[1:] == [
            ("\\000", "\\377\\000")
        ]


def test_any_text_is_a_name(store: PostgresStore) -> None:
    names = ["", "\x00", "a\x00b", "龍", "'; DROP TABLE affray.sessions; --", "%s", "\\x00"]
    for name in names:
        store.create(name, some_records(1, name), sealed=dict.fromkeys(names, name.encode()))
        store.append(name, [record_after(store.head(name))], expected=1, key=name)
    for name in names:
        assert len(store.batch(name, name)) == 1
        assert list(store.seals(name)) == sorted(names)
        assert store.unseal(name, name) == name.encode()
    assert store.sessions() == names


def test_the_servers_defaults_and_search_paths_change_nothing(postgres: Server, url: str) -> None:
    name = url.rpartition("/")[2]
    postgres.execute(
        "CREATE SCHEMA evil",
        "CREATE FUNCTION evil.max(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 99::bigint'",
        "CREATE TABLE evil.pg_class (relname text)",
        f"ALTER DATABASE {name} SET search_path = evil, pg_catalog",
        f"ALTER DATABASE {name} SET synchronous_commit = off",
        f"ALTER DATABASE {name} SET default_transaction_isolation = serializable",
        f"ALTER DATABASE {name} SET bytea_output = 'escape'",
        url=url,
    )
    with closing(PostgresStore(url)) as store:
        records = fill(store, 3)
        assert list(store.read("doors")) == records
        ask = store._connections.ask
        assert [ask(f"SHOW {setting}") for setting in ("synchronous_commit", "transaction_isolation", "search_path")] == [
            [("on",)], [("read committed",)], [("pg_catalog, pg_temp",)]
        ]  # fmt: skip
    postgres.execute(f"ALTER DATABASE {name} SET synchronous_commit = remote_apply")
    with closing(PostgresStore(url)) as store:
        assert store._connections.ask("SHOW synchronous_commit") == [("remote_apply",)]


def test_an_entry_that_somebody_took_out_is_missed(postgres: Server, url: str, store: PostgresStore) -> None:
    fill(store, 1_100)
    ((table,),) = postgres.execute("SELECT DISTINCT tableoid::regclass::text FROM affray.entries", url=url)
    postgres.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL", f"DELETE FROM {table} WHERE seq = 700", url=url)
    with pytest.raises(Damaged):
        list(store.read("doors"))
    assert len(list(store.read("doors", 700))) == 400


def test_a_ledger_can_be_dumped_and_restored(postgres: Server, url: str, store: PostgresStore) -> None:
    store.create("doors")
    records = some_records(30)
    store.append("doors", records, expected=0, key="k")
    other = postgres.empty()
    postgres.run("psql", "-q", "-v", "ON_ERROR_STOP=1", other, given=postgres.run("pg_dump", url))
    with closing(PostgresStore(other)) as restored:
        assert list(restored.append("doors", records, expected=0, key="k")) == records
        assert list(check(restored.read("doors"), genesis("doors"))) == records
        restored.create("windows")
        assert restored.sessions() == ["doors", "windows"]
    with pytest.raises(psycopg.errors.RestrictViolation):
        postgres.execute("DELETE FROM affray.entries_03", url=other)


# ------------------------------------------------------------------------------------------------ round trips


def round_trips(store: PostgresStore, todo: str, *arguments: object, **named: object) -> int:
    """Returns the number of round trips, from libpq's trace."""
    with tempfile.TemporaryFile() as trace:
        with store._connections._pool.connection() as connection:
            connection.pgconn.trace(trace.fileno())
        try:
            getattr(store, todo)(*arguments, **named)
        except Refused:
            pass
        with store._connections._pool.connection() as connection:
            connection.pgconn.untrace()
        trace.seek(0)
        words = [line.decode().split("\t") for line in trace.read().splitlines()]
    asked = sum(line[1] == "F" and line[3] in ("Sync", "Query") for line in words)
    answered = sum(line[1] == "B" and line[3] == "ReadyForQuery" for line in words)
    assert asked == answered
    return asked


@pytest.mark.skipif(sys.platform != "linux", reason="libpq is traced on Linux only")
def test_an_append_is_one_round_trip_whatever_becomes_of_it(url: str) -> None:
    records = some_records(40)
    with closing(PostgresStore(url, connections=1)) as store:
        store.create("doors")
        for number in range(10):  # prepared statements come after the fifth time
            record = records[number : number + 1]
            assert round_trips(store, "append", "doors", record, expected=number, key=f"{number}") == 1
            assert round_trips(store, "append", "doors", record, expected=number, key=f"{number}") == 1
        assert round_trips(store, "append", "doors", records[10:40], expected=10) == 1
        assert round_trips(store, "append", "doors", records[10:40], expected=10) == 1
        assert round_trips(store, "append", "windows", records[:1], expected=0) == 1
        assert round_trips(store, "create", "roofs", some_records(9, "roofs"), sealed={"seed": b""}) == 1
        assert round_trips(store, "read", "doors") == 2  # so it does count
        assert list(store.read("doors")) == records


# ------------------------------------------------------------------------------------------------ migrations


def test_a_database_without_tables_is_refused_until_it_is_migrated(postgres: Server) -> None:
    url = postgres.empty()
    with pytest.raises(NotMigrated, match="run affray migrate"):
        open_store(url)
    assert migrate(url) == NAMES
    assert migrate(url) == ()
    open_store(url).close()


def test_migrations_are_applied_in_their_order_and_each_once(postgres: Server) -> None:
    url = postgres.empty()
    more = (*MIGRATIONS, Migration("notes", ("CREATE TABLE affray.notes (note text)",)))
    assert migrate_by(url, more[:1]) == ("tables",)
    assert migrate_by(url, more) == (*NAMES[1:], "notes")
    assert migrate_by(url, more) == ()
    assert postgres.execute("SELECT number, name FROM affray.migrations ORDER BY number", url=url) == [
        *enumerate((*NAMES, "notes"), 1)
    ]
    for call in (open_store, migrate):
        with pytest.raises(Newer, match="newer Affray"):
            call(url)


def test_a_migration_that_fails_leaves_everything_as_it_was(postgres: Server) -> None:
    url = postgres.empty()
    wrong = Migration("wrong", ("CREATE TABLE affray.notes (note text)", "CREATE TABLE affray.notes (note text)"))
    with pytest.raises(StoreRefused):
        migrate_by(url, (*MIGRATIONS, wrong))
    assert postgres.execute("SELECT to_regnamespace('affray')", url=url) == [(None,)]
    assert migrate(url) == NAMES


def test_two_who_migrate_at_once_do_it_once(postgres: Server) -> None:
    url = postgres.empty()
    start, applied = Barrier(4), list[tuple[str, ...]]()

    def work() -> None:
        start.wait()
        applied.append(migrate(url))

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(applied) == [(), (), (), NAMES]


def test_who_migrates_for_too_long_is_not_waited_for(postgres: Server) -> None:
    url = postgres.empty()
    with closing(shell(url)) as other:
        other.execute("SELECT pg_advisory_lock(1095127641)")
        with pytest.raises(Busy):
            migrate_by(url, patience=0.2)


def test_somebody_elses_schema_is_not_touched(postgres: Server) -> None:
    url = postgres.empty()
    postgres.execute("CREATE SCHEMA affray", "CREATE TABLE affray.quarrels (who text)", url=url)
    with pytest.raises(ForeignFile):
        migrate(url)
    assert postgres.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'affray'", url=url) == [(1,)]


# ------------------------------------------------------------------------------------------------ news


def test_news_reach_another_process(url: str, store: PostgresStore) -> None:
    assert store.news(5.0) is None
    program = (
        "import sys; from ledger.stores import open_store; s = open_store(sys.argv[1]); s.create('doors'); s.close()"
    )
    subprocess.run([sys.executable, "-c", program, url], check=True)
    assert store.news(30.0) == {"doors"}
    assert store.news(0.0) == set()


def test_whoever_says_something_else_on_the_channel_is_not_listened_to(url: str, store: PostgresStore) -> None:
    assert store.news(5.0) is None
    with closing(shell(url)) as other:
        for word in ("", "doors", "-1", "12345", "²"):
            other.execute("SELECT pg_notify('affray', %s)", (word,))
    assert store.news(0.2) == set()


def test_after_the_server_was_away_any_session_may_have_gone_on(postgres: Server, url: str) -> None:
    with closing(PostgresStore(url)) as store:
        with closing(PostgresStore(url)) as other:
            assert store.news(5.0) is None
            postgres.restart()
            other.create("doors")
        assert store.news(5.0) is None
        with closing(PostgresStore(url)) as other:
            other.create("windows")
        assert store.news(5.0) == {"windows"}


def test_while_the_server_is_away_there_are_no_news(postgres: Server, store: PostgresStore) -> None:
    assert store.news(5.0) is None
    postgres.crash()
    assert comes_back(lambda: store.news(0.5)) == set()
    assert comes_back(lambda: store.news(0.0)) == set()
    waiting = Thread(target=lambda: heard.append(store.news(30.0)))
    heard: list[object] = []
    waiting.start()
    postgres.start()
    waiting.join(30.0)
    assert heard == [None]
    assert store.news(0.0) == set()


def test_who_waits_for_news_of_a_store_that_is_closed_is_told(url: str) -> None:
    store, told = PostgresStore(url), list[str]()
    assert store.news(5.0) is None

    def wait() -> None:
        with pytest.raises(Unusable, match="closed") as refused:
            store.news(60.0)
        told.append(refused.value.slug)

    waiting = Thread(target=wait)
    waiting.start()
    time.sleep(0.1)
    store.close()
    waiting.join(BOUND)
    assert told == ["store/unusable"]


# ------------------------------------------------------------------------------------------------ words


def test_a_server_that_is_not_there_is_refused_and_not_waited_for(postgres: Server, url: str) -> None:
    postgres.crash()
    try:
        for call in (open_store, migrate_by):
            with pytest.raises(Unusable, match="onnection refused") as refused:
                comes_back(partial(call, url, patience=AN_HOUR))
            assert isinstance(refused.value.__cause__, psycopg.Error)
            assert "\n" not in refused.value.message
    finally:
        postgres.start()


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://locked:hush1234@127.0.0.1:{port}/{name}",
        "postgresql://locked@127.0.0.1:{port}/{name}?password=hush1234",
        "postgres://locked:hush1234@127.0.0.1:{port}/nowhere",
        "postgresql://locked:hush1234@127.0.0.1:1/{name}",
        "postgresql://locked:hush1234@nobody.invalid/{name}",
        "postgresql://locked:x/hush1234@127.0.0.1:{port}/{name}",
        "postgresql://locked:hush1234/x@127.0.0.1:{port}/{name}",
        "postgresql://locked:1/hush1234@127.0.0.1:{port}/{name}",
        "postgresql://locked:x@hush1234@127.0.0.1:{port}/{name}",
        "postgresql://locked:hush1234%zz@127.0.0.1:{port}/{name}",
        "postgresql://locked:hush1234@127.0.0.1:{port}/{name}?hush1234=1",
        "postgresql://locked:hush1234@[127.0.0.1:{port}/{name}",
        "postgresql://locked:x?hush1234@127.0.0.1:{port}/{name}",
        "postgresql+psycopg://locked:hush1234@127.0.0.1:{port}/{name}",
        "mysql://locked:x@hush1234@127.0.0.1/{name}",
    ],
)
def test_no_refusal_shows_a_password(postgres: Server, url: str, address: str) -> None:
    roles = postgres.execute("SELECT 1 FROM pg_roles WHERE rolname = 'locked'")
    if not roles:
        postgres.execute("CREATE ROLE locked LOGIN PASSWORD 'another'")
    port, _, name = url.rpartition(":")[2].partition("/")
    with pytest.raises((Unusable, UnknownStore)) as refused:
        open_store(address.format(port=port, name=name))
    assert "hush1234" not in f"{refused.value!s} {refused.value.where} {refused.value.__cause__}"


def test_a_password_that_is_right_opens_the_ledger_to_who_may_use_it(postgres: Server, url: str) -> None:
    postgres.execute("DROP ROLE IF EXISTS locked", "CREATE ROLE locked LOGIN PASSWORD 'h/u@s%h'")
    address = url.replace("postgres@", "locked:h%2Fu%40s%25h@")
    with pytest.raises(ReadOnly, match="may not be accessed"):
        open_store(address)
    postgres.execute("GRANT pg_read_all_data TO locked", "ALTER ROLE locked SET default_transaction_read_only = on")
    with closing(open_store(address)) as store:
        assert store.sessions() == []
        with pytest.raises(ReadOnly):
            store.create("doors")
    postgres.execute("DROP ROLE locked")


def test_without_the_library_it_is_said_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from ledger.stores import open_store, migrate\n"
        "for call in (open_store, migrate):\n"
        "    try: call('postgresql://host/x')\n"
        "    except Exception as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.count("store/unusable: ") == said.count("pip install 'affray[postgres]'") == 2


def test_a_file_or_nothing_needs_neither_the_library_nor_a_migration(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from ledger.stores import open_store, migrate\n"
        "print(migrate('memory://'), migrate('sqlite:///' + sys.argv[1]))"
    )
    path = tmp_path / "fight.db"
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert (done.stdout, path.exists()) == ("() ()\n", True)


def test_a_session_that_somebody_holds_too_long_is_busy_and_others_are_not(url: str) -> None:
    with closing(PostgresStore(url, patience=1.0)) as store, closing(shell(url)) as other:
        fill(store, 1, "windows")
        records = fill(store, 1)
        more = [record_after(store.head("doors"))]
        with other.transaction():
            other.execute("SELECT * FROM affray.sessions WHERE id = 'doors' FOR UPDATE")
            with pytest.raises(Busy):
                store.append("doors", more, expected=1)
            assert list(store.read("doors")) == records
            store.append("windows", [record_after(store.head("windows"))], expected=1)
        assert list(store.append("doors", more, expected=1)) == more


def test_when_all_connections_are_in_use_the_store_is_busy(url: str) -> None:
    with closing(PostgresStore(url, patience=1.0, connections=1)) as store:
        with store._connections._pool.connection(), pytest.raises(Busy, match="in use"):
            store.sessions()
        assert store.sessions() == []


def test_a_closed_ledger_refuses_plainly(url: str) -> None:
    store = PostgresStore(url)
    fill(store, 1)
    store.close()
    for call in (store.sessions, lambda: store.head("doors"), lambda: store.create("x"), lambda: store.news(1.0)):
        with pytest.raises(Unusable, match="closed"):
            call()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (psycopg.errors.DiskFull, Full),
        (psycopg.errors.ReadOnlySqlTransaction, ReadOnly),
        (psycopg.errors.InsufficientPrivilege, ReadOnly),
        (psycopg.errors.TooManyConnections, Busy),
        (psycopg.errors.LockNotAvailable, Busy),
        (psycopg.errors.QueryCanceled, Busy),
        (psycopg.errors.SerializationFailure, Busy),
        (psycopg.errors.DeadlockDetected, Busy),
        (psycopg.errors.DataCorrupted, Damaged),
        (psycopg.errors.IndexCorrupted, Damaged),
        (psycopg.errors.UndefinedTable, Damaged),
        (psycopg.errors.UndefinedFunction, Damaged),
        (psycopg.errors.ProgramLimitExceeded, Oversized),
        (psycopg.errors.IoError, Unusable),
        (psycopg.errors.CannotConnectNow, Unusable),
        (psycopg.OperationalError, Unusable),
    ],
)
def test_errors_of_the_server_mean_something(error: type[psycopg.Error], kind: type[StoreRefused]) -> None:
    refused = refusal(error("at {this} point"), "postgresql://host/x")
    assert type(refused) is kind
    assert "postgresql://host/x" in refused.message


def test_tables_that_are_gone_are_damage(postgres: Server, url: str, store: PostgresStore) -> None:
    fill(store, 1)
    postgres.execute("DROP SCHEMA affray CASCADE", url=url)
    with pytest.raises(Damaged):
        store.append("doors", records_after(Head(1, b""), ["x"]), expected=1)
