"""A file of an older Affray is upgraded when it is opened: atomically, once, and without loss."""

import gzip
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from ledger_records import record_after, some_records
from ledger_writers import opened_at_once

from ledger.chain import check, genesis
from ledger.entry import Who
from ledger.errors import Busy
from ledger.stores.sqlite import SqliteStore
from ledger.stores.sqlite.file import connect, stand_in
from ledger.stores.sqlite.schema import SCHEMA, STEPS
from ledger.tombstone import Deletion

DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")
MADE_BY_SCHEMA_1 = gzip.decompress((Path(__file__).parent / "files" / "schema-1.db.gz").read_bytes())
"""A file with the first version of the tables: "doors" with a key and a seed, "windows", and "roofs" without entries."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of schema 1."""
    path = tmp_path / "fight.db"
    path.write_bytes(MADE_BY_SCHEMA_1)
    return path


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as shell:
        return int(shell.execute("PRAGMA user_version").fetchone()[0])


def check_whole(store: SqliteStore) -> None:
    assert store.sessions() == ["doors", "windows", "roofs"]
    assert list(check(store.read("doors"), genesis("doors"))) == some_records(3)
    assert list(store.batch("doors", "k")) == some_records(3)
    assert store.unseal("doors", "seed") == b"secret"
    assert list(check(store.read("windows"), genesis("windows"))) == some_records(40, "windows")
    assert store.head("roofs").seq == 0
    assert store.tombstones() == []


def test_an_older_file_is_brought_up_to_date_and_nothing_is_lost(path: Path) -> None:
    assert version(path) == 1
    with closing(SqliteStore(str(path))) as store:
        assert version(path) == SCHEMA
        check_whole(store)
        store.append("doors", [record_after(store.head("doors"))], expected=3, key="l")
        store.keep_checkpoint("doors", b"fold")
        store.delete("windows", DELETION)
    with closing(SqliteStore(str(path))) as store:
        assert store.sessions() == ["doors", "roofs"]
        assert store.checkpoint("doors") == b"fold"
        assert store.head("doors").seq == 4


def test_it_has_the_same_tables_and_triggers_as_a_new_file(path: Path, tmp_path: Path) -> None:
    SqliteStore(str(path)).close()
    SqliteStore(str(tmp_path / "new.db")).close()
    schemas = []
    for file in (path, tmp_path / "new.db"):
        with closing(sqlite3.connect(file)) as shell:
            schemas.append(
                shell.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
            )
    assert schemas[0] == schemas[1]
    assert len(schemas[0]) > 15


def test_the_first_step_is_what_was_released(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "first.db")) as made, closing(sqlite3.connect(path)) as released:
        for statement in STEPS[0]:
            made.execute(statement)
        query = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
        assert made.execute(query).fetchall() == released.execute(query).fetchall()


def test_a_file_of_an_older_version_is_read_as_it_is_where_it_may_not_be_changed(path: Path) -> None:
    with closing(connect(str(path), timeout=1, options="?mode=ro&immutable=1")) as reader:
        stand_in(reader)
        reader.execute("PRAGMA query_only=ON")
        query = "SELECT id FROM sessions WHERE number NOT IN (SELECT session FROM tombstones) ORDER BY number"
        assert reader.execute(query).fetchall() == [("doors",), ("windows",), ("roofs",)]
    assert path.read_bytes() == MADE_BY_SCHEMA_1


def test_of_an_older_file_only_the_missing_tables_are_replaced(path: Path) -> None:
    with closing(sqlite3.connect(path)) as shell:
        for statement in STEPS[1]:
            shell.execute(statement)
        shell.execute("INSERT INTO tombstones VALUES (1, 3, 0, x'00', x'00', x'00')")
        shell.execute("PRAGMA user_version=2")
        shell.commit()
    with closing(connect(str(path), timeout=1, options="?mode=ro&immutable=1")) as reader:
        stand_in(reader)
        assert reader.execute("SELECT session FROM tombstones").fetchall() == [(3,)]
        assert reader.execute("SELECT * FROM checkpoints").fetchall() == []


def test_triggers_that_somebody_has_dropped_are_no_obstacle(path: Path) -> None:
    with closing(sqlite3.connect(path)) as shell:
        shell.execute("DROP TRIGGER entries_no_DELETE")
        shell.execute("DROP TRIGGER sealed_only_new")
    with closing(SqliteStore(str(path))) as store:
        check_whole(store)


KILLED = """
import os, shutil, signal, sys
from ledger.stores.sqlite import file

def upgrade(path, moment):
    connection = file.connect(path, timeout=1)
    seen = 0
    def traced(statement):
        nonlocal seen
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(traced)
    file._make_tables(connection, path)
    os._exit(0)

moment, killed = 1, True
while killed:
    path = f"{sys.argv[1]}-{moment}"
    shutil.copyfile(sys.argv[1], path)
    child = os.fork()
    if not child:
        upgrade(path, moment)
    status = os.waitpid(child, 0)[1]
    killed = os.WIFSIGNALED(status)
    assert killed or os.waitstatus_to_exitcode(status) == 0
    moment += 1
print(moment - 1)
"""


def test_an_upgrade_that_is_killed_in_the_midst_has_happened_whole_or_not_at_all(path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", KILLED, str(path)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    moments = int(done.stdout or 0)
    assert moments > 15, done.stderr
    for moment in range(1, moments + 1):
        killed = Path(f"{path}-{moment}")
        assert version(killed) == (1 if moment < moments else SCHEMA)
        with closing(SqliteStore(str(killed))) as store:
            check_whole(store)
        assert version(killed) == SCHEMA


def test_processes_that_open_an_older_file_at_the_same_time_share_it(path: Path) -> None:
    sessions = ["attics", "stairs", "cellars", "gardens"]
    opened_at_once(path, sessions)
    with closing(SqliteStore(str(path))) as store:
        assert sorted(store.sessions()) == sorted(["doors", "windows", "roofs", *sessions])


def test_who_writes_into_an_older_file_is_waited_for(path: Path) -> None:
    SqliteStore(str(path)).close()
    path.write_bytes(MADE_BY_SCHEMA_1)
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            SqliteStore(str(path), patience=0.05)
        shell.execute("ROLLBACK")
    with closing(SqliteStore(str(path))) as store:
        check_whole(store)
