"""Deletion in the SQLite store: only one way through the triggers, whole or not at all, and the bytes are erased."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import pytest
from ledger_records import fill, record_after, some_records
from patience import AN_HOUR
from places import TESTS

from ledger.chain import check, genesis
from ledger.entry import Who
from ledger.errors import SessionDeleted, Stale, TombstoneBroken
from ledger.stores.sqlite import SqliteStore, writing
from ledger.stores.sqlite import file as sqlite_file
from ledger.stores.sqlite.file import connect
from ledger.stores.sqlite.leftovers import Leftovers
from ledger.stores.sqlite.schema import SPAN
from ledger.tombstone import Deletion
from ledger.tombstone import check as check_tombstones

DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fight.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(str(path))) as store:
        store.create("doors", sealed={"seed": b"secret"})
        store.append("doors", some_records(3), expected=0, key="k")
        store.create("windows", sealed={"seed": b"secret"})
        store.append("windows", some_records(3, "windows"), expected=0, key="k")
        yield store


def last(session: str, count: int = 3) -> str:
    return f"x'{some_records(count, session)[-1].digest.hex()}'"


# "doors" has number 1 and no tombstone, "windows" has number 2 and the first tombstone.
REWRITES = [
    "DELETE FROM entries",
    f"DELETE FROM entries WHERE id = {SPAN} + 3",
    "DELETE FROM batches",
    "DELETE FROM sealed",
    "DELETE FROM sealed WHERE session = 1",
    "DELETE FROM sessions",
    "DELETE FROM sessions WHERE number = 2",
    "UPDATE sessions SET id = 'x' WHERE number = 2",
    "INSERT OR REPLACE INTO sessions VALUES (2, 'windows')",
    "UPDATE entries SET id = id + 10",
    "DELETE FROM tombstones",
    "UPDATE tombstones SET line = 'x'",
    "UPDATE tombstones SET session = 1",
    f"INSERT OR REPLACE INTO tombstones VALUES (1, 2, 3, {last('windows')}, 'x', 'x')",
    f"INSERT OR REPLACE INTO tombstones VALUES (1, 1, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO tombstones VALUES (3, 1, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO tombstones VALUES (NULL, 1, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO tombstones VALUES (2, 9, 3, {last('doors')}, 'x', 'x')",
    f"INSERT INTO tombstones VALUES (2, 1, 2, {last('doors', 2)}, 'x', 'x')",
    f"INSERT INTO tombstones VALUES (2, 1, 3, {last('windows')}, 'x', 'x')",
    "INSERT INTO tombstones VALUES (2, 1, 0, 'x', 'x', 'x')",
    f"INSERT INTO entries VALUES (2 * {SPAN} + 1, 'x', 'x', 'x')",
    f"INSERT INTO entries VALUES (2 * {SPAN} + 4, 'x', 'x', 'x')",
    "INSERT INTO batches VALUES (2, 'new', 1, 1)",
    "INSERT INTO sealed VALUES (2, 'new', 'x')",
]


@pytest.mark.parametrize("statement", REWRITES)
def test_the_database_itself_deletes_in_one_way_only(path: Path, store: SqliteStore, statement: str) -> None:
    store.delete("windows", DELETION)
    with closing(sqlite3.connect(path)) as shell:
        before = list(shell.iterdump())
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            shell.execute(statement)
        shell.rollback()
        assert list(shell.iterdump()) == before
    assert list(store.read("doors")) == list(store.batch("doors", "k")) == some_records(3)
    assert store.unseal("doors", "seed") == b"secret"
    assert [stone.session for stone in check_tombstones(store.tombstones())] == ["windows"]


def test_a_tombstone_that_somebody_inserts_by_hand_deletes_one_session_and_fails_verification(
    path: Path, store: SqliteStore
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        shell.execute(f"INSERT INTO tombstones VALUES (1, 1, 3, {last('doors')}, 'no words', 'x')")
        for table, left in (("entries", 3), ("batches", 1), ("sealed", 1), ("sessions", 2)):
            assert shell.execute(f"SELECT count(*) FROM {table}").fetchone() == (left,)
    assert list(store.read("windows")) == some_records(3, "windows")
    with pytest.raises(TombstoneBroken):
        list(check_tombstones(store.tombstones()))


def test_nothing_of_a_deleted_session_can_be_found_in_the_files(path: Path) -> None:
    secret_words = b"Nobody may ever read this."
    with closing(SqliteStore(str(path))) as store:
        fill(store, 50, "before")
        store.create("doors", sealed={"seed": b"A sealed seed" * 9})
        for number in range(60):
            head = store.head("doors")
            text = f"{secret_words.decode()} " * (1 + number * 7)  # from small cells to chains of overflow pages
            store.append("doors", [record_after(head, text)], expected=number, key=f"a key of one's own {number}")
        behind = fill(store, 50, "behind")
        reader = SqliteStore(str(path))  # another process has the ledger open
        store.delete("doors", DELETION)
        found = [file.name for file in path.parent.iterdir() if secret_words in file.read_bytes()]
        assert found == []
        with closing(reader), pytest.raises(SessionDeleted):
            reader.head("doors")
    for file in path.parent.iterdir():
        raw = file.read_bytes()
        assert not any(words in raw for words in (secret_words, b"A sealed seed", b"a key of one's own"))
    with closing(SqliteStore(str(path))) as store, closing(sqlite3.connect(path)) as shell:
        assert list(check(store.read("behind"), genesis("behind"))) == behind
        assert shell.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def left(path: Path) -> dict[str, int]:
    """Returns how often the text or a key of the deleted session occurs in the files of a ledger."""
    words = (b"secret of doors", b"key of doors", b"seed of doors")
    found = {}
    for file in path.parent.iterdir():
        with suppress(FileNotFoundError):  # the heads file is just being cut
            found[file.name] = sum(map(file.read_bytes().count, words))
    return {name: count for name, count in found.items() if count}


def interleave(store: SqliteStore, seed: int) -> None:
    """Writes to several sessions in turn, so that rows are moved between pages."""
    random, names = Random(seed), ["walls", "doors", "windows", "roofs"]
    with store.together():
        for name in names:
            store.create(name, sealed={"seed": f"seed of {name}".encode()})
        for number in range(500):
            name = random.choice(names)
            head = store.head(name)
            text = f"secret of {name} " * random.choice([1, 2, 10, 40, 400])
            store.append(name, [record_after(head, text)], expected=head.seq, key=f"key of {name} {number}")


def check_others(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store, closing(sqlite3.connect(path)) as shell:
        assert "doors" not in store.sessions()
        for name in store.sessions():
            assert len(list(check(store.read(name), genesis(name)))) == len(store.keys(name)) > 50
            assert store.unseal(name, "seed") == f"seed of {name}".encode()
        assert shell.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> None:
    """An SQLite that does not overwrite deleted data by default, which is the usual build."""

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.execute("PRAGMA secure_delete=OFF").fetchall()
        return connection

    monkeypatch.setattr(sqlite_file, "connect", connected)


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("writer", ["this", "an older"])
def test_nothing_of_it_is_left_among_other_sessions_whichever_affray_has_written_them(
    path: Path, writer: str, seed: int
) -> None:
    with closing(SqliteStore(str(path))) as store:
        if writer == "an older":
            store._writing._connection.execute("PRAGMA secure_delete=OFF").fetchall()
        interleave(store, seed)
    assert left(path)
    with closing(SqliteStore(str(path))) as store, closing(SqliteStore(str(path))):
        store.delete("doors", DELETION)
        assert left(path) == {}
        write_on(store)
    assert left(path) == {}
    check_others(path)


@pytest.mark.usefixtures("careless")
def test_what_is_moved_or_deleted_is_overwritten_at_once(path: Path) -> None:
    """Without rebuilding the file, at least pages of other sessions have no trace."""
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        store._writing._connection.set_authorizer(lambda action, *_: int(action == sqlite3.SQLITE_ATTACH))  # no VACUUM
        store.delete("doors", DELETION)
        assert left(path) == {}
    check_others(path)


def test_where_the_file_cannot_be_written_anew_the_deletion_stands_and_it_is_said(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        store._writing._connection.set_authorizer(lambda action, *_: int(action == sqlite3.SQLITE_ATTACH))
        store.delete("doors", DELETION)
        assert "doors" not in store.sessions()
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert f"may still be in unused parts of {path}" in caplog.text


def test_it_is_overwritten_in_the_file_before_the_file_is_written_anew_and_shorter(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would remain on the disk, in blocks that the file no longer has."""
    seen: list[tuple[dict[str, int], int]] = []
    write_anew = Leftovers._rebuild

    def watched(leftovers: Leftovers, cursor: sqlite3.Cursor) -> bool:
        seen.append((left(path), path.stat().st_size))
        return write_anew(leftovers, cursor)

    monkeypatch.setattr(Leftovers, "_rebuild", watched)
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        store.delete("doors", DELETION)
    ((found, size),) = seen
    assert found == {}
    assert size > path.stat().st_size


def test_nothing_of_it_is_left_when_it_was_deleted_together_with_other_writing(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store, closing(SqliteStore(str(path))):
        interleave(store, 1)
        with store.together():
            store.create("gates")
            store.delete("doors", DELETION)
            fill(store, 3, "hinges")
        assert left(path) == {}
        assert store.head("hinges").seq == 3


def test_a_deletion_that_is_taken_back_clears_nothing_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        monkeypatch.setattr(Leftovers, "clear", lambda *_: pytest.fail("there is nothing to be cleared away"))
        with store.together(), suppress(Stale):
            store.delete("doors", DELETION, expected=1)
        assert "doors" in store.sessions()


# ------------------------------------------------------------------------------------------------ while others read


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Starts another process that is reading a ledger."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as shell:
        read(shell)
        yield shell


def read(shell: sqlite3.Connection) -> None:
    """Begins to read until `COMMIT` is sent; then the ledger is only open."""
    shell.execute("BEGIN")
    shell.execute("SELECT count(*) FROM entries").fetchall()


def write_on(store: SqliteStore) -> None:
    head = store.head("walls")
    store.append("walls", [record_after(head)], expected=head.seq, key=f"a word more {head.seq}")


@pytest.mark.parametrize("then", [write_on, SqliteStore.close])
def test_what_somebody_still_reads_is_cleared_away_with_the_next_write_or_at_the_end(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, then: Callable[[SqliteStore], None]
) -> None:
    monkeypatch.setattr(writing, "CLEARING", 0.02)
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        with reading(path) as shell:
            store.delete("doors", DELETION)
            assert left(path)
            assert f"deleted data is still in the write-ahead log {path}-wal" in caplog.text
            write_on(store)  # and no writer is refused because of it
            assert left(path)
            shell.execute("COMMIT")
            time.sleep(0.05)
            then(store)
            assert left(path) == {}
            assert len(caplog.records) == 1
    check_others(path)


def test_what_somebody_still_reads_at_the_end_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(writing, "CLEARING", 0.02)
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        with reading(path):
            store.delete("doors", DELETION)
            caplog.clear()
            store.close()
            assert "the last process that closes the ledger" in caplog.text


def test_a_deletion_waits_for_those_who_read_just_then(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "CLEARING", AN_HOUR)
    with closing(SqliteStore(str(path))) as store:
        interleave(store, 1)
        with reading(path) as shell:
            ending = Timer(0.2, shell.execute, ("COMMIT",))
            ending.start()
            store.delete("doors", DELETION)
            assert left(path) == {}
            ending.join()


def test_what_was_deleted_is_gone_for_people_with_a_shell_too(path: Path, store: SqliteStore) -> None:
    store.delete("doors", DELETION)
    with closing(sqlite3.connect(path)) as shell:
        assert shell.execute("SELECT DISTINCT session FROM log").fetchall() == [("windows",)]


KILLED = """
import os, signal, sqlite3, sys
sys.path[:0] = [{tests!r}]
from test_deletion import DELETION
from ledger.stores.sqlite import SqliteStore

path, moment = sys.argv[1], int(sys.argv[2])
store = SqliteStore(path)
connection = store._writing._connection
steps = 0

def step(*_):
    global steps
    steps += 1
    if steps == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0

connection.set_progress_handler(step, 20)
store.delete("doors", DELETION)
connection.set_progress_handler(None, 0)
print(steps)
"""


def test_a_deletion_that_is_killed_in_the_midst_has_happened_whole_or_not_at_all(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        store.create("doors", sealed={"seed": b"secret"})
        records = some_records(300)
        store.append("doors", records, expected=0, key="k")
    program = KILLED.format(tests=str(Path(__file__).parent))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}

    def run(moment: int) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", program, str(path), str(moment)]
        return subprocess.run(words, env=environment, capture_output=True, text=True)

    for moment in (1, 9, 60, 300):  # of some hundred
        assert run(moment).returncode == -signal.SIGKILL
        with closing(SqliteStore(str(path))) as store:
            assert list(check(store.read("doors"), genesis("doors"))) == records
            assert list(store.batch("doors", "k")) == records
            assert store.unseal("doors", "seed") == b"secret"
            assert list(store.tombstones()) == []
    done = run(0)
    assert int(done.stdout) > 300, done.stderr
    with closing(SqliteStore(str(path))) as store:
        assert store.sessions() == []
        assert [stone.entries for stone in check_tombstones(store.tombstones())] == [300]
