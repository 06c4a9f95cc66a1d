"""Properties of the SQLite store alone: the file stays append-only, and every fault of it is refused in plain words."""

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread
from typing import overload

import pytest
from ledger_records import fill, record_after, records_after, some_records
from ledger_writers import opened_at_once

from ledger.chain import Record, check, genesis
from ledger.errors import (
    Broken,
    Busy,
    Cut,
    Damaged,
    ForeignFile,
    Full,
    Newer,
    NoSuchSession,
    ReadOnly,
    Refused,
    StoreRefused,
    Unusable,
)
from ledger.stores import Head
from ledger.stores.fair_lock import Turnstile
from ledger.stores.sqlite import SqliteStore
from ledger.stores.sqlite.errors import refusal
from ledger.stores.sqlite.file import _make_tables, connect
from ledger.stores.sqlite.schema import APPLICATION, PAGE_SIZE, SCHEMA, SPAN

PAGE = PAGE_SIZE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a ledger to create."""
    return tmp_path / "fight.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An open ledger."""
    with closing(SqliteStore(str(path))) as store:
        yield store


def in_folder(folder: Path) -> dict[str, bytes]:
    """Returns all files in a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


# ------------------------------------------------------------------------------------------------ the file


def test_the_file_says_whose_it_is_and_how_it_is_kept(path: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(path)) as other:
        values = [other.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        assert values == [0x41465259, SCHEMA]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writing._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_after_closing_only_the_ledger_its_lock_file_and_its_heads_remain(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 10)
        list(store.read("doors"))
    assert {file.name: file.stat().st_size > 0 for file in path.parent.iterdir()} == {
        "fight.db": True,
        "fight.db-heads": True,
        "fight.db-turn": False,
    }


def test_people_with_a_shell_can_read_the_log(path: Path, store: SqliteStore) -> None:
    fill(store, 2, "windows")
    records = fill(store, 3, "doors")
    with closing(sqlite3.connect(path)) as shell:
        rows = shell.execute("SELECT seq, line FROM log WHERE session = 'doors'").fetchall()
        assert rows == [(record.seq, record.line.decode()) for record in records]
        texts = shell.execute("SELECT json_extract(line, '$.command.type') FROM log").fetchall()
        assert texts == [("Note",)] * 5


REWRITES = [
    "UPDATE entries SET line = 'x'",
    "UPDATE entries SET id = id + 10",
    "DELETE FROM entries",
    "DELETE FROM entries WHERE id = (SELECT max(id) FROM entries)",
    f"INSERT OR REPLACE INTO entries VALUES ({SPAN} + 2, 'x', 'x', 'x')",
    f"INSERT INTO entries VALUES ({SPAN} + 2, 'x', 'x', 'x') ON CONFLICT DO UPDATE SET line = 'x'",
    f"INSERT INTO entries VALUES ({SPAN} + 5, 'x', 'x', 'x')",
    f"INSERT INTO entries VALUES ({SPAN}, 'x', 'x', 'x')",
    f"INSERT INTO entries VALUES (9 * {SPAN} + 1, 'x', 'x', 'x')",
    "INSERT INTO entries VALUES (-1, 'x', 'x', 'x')",
    "INSERT INTO entries VALUES (NULL, 'x', 'x', 'x')",
    "UPDATE sessions SET id = 'x'",
    "DELETE FROM sessions",
    "INSERT OR REPLACE INTO sessions VALUES (1, 'x')",
    "INSERT OR REPLACE INTO sessions (id) VALUES ('doors')",
    "UPDATE batches SET first = 2",
    "DELETE FROM batches",
    "INSERT OR REPLACE INTO batches VALUES (1, 'k', 2, 2)",
    "UPDATE sealed SET secret = 'x'",
    "INSERT OR REPLACE INTO sealed VALUES (1, 'seed', 'x')",
]


@pytest.mark.parametrize("statement", REWRITES)
def test_the_database_itself_refuses_to_rewrite_history(path: Path, store: SqliteStore, statement: str) -> None:
    store.create("doors")
    records = some_records(3)
    store.append("doors", records, expected=0, key="k")
    store.seal("doors", "seed", b"secret")
    vandal = sqlite3.connect(path, isolation_level=None)
    with closing(vandal), pytest.raises(sqlite3.IntegrityError, match="append-only"):
        vandal.execute(statement)
    assert list(store.read("doors")) == list(store.batch("doors", "k")) == records
    assert store.sessions() == ["doors"]
    assert store.unseal("doors", "seed") == b"secret"


class Interrupted(Sequence[Record]):
    """Records of which the second raises on the second iteration."""

    def __init__(self, records: list[Record]) -> None:
        self._records, self._times = records, 0

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | Sequence[Record]:
        self._times += index == 1
        if self._times > 1:
            raise KeyboardInterrupt
        return self._records[index]


def test_an_interrupted_append_leaves_nothing_behind(store: SqliteStore) -> None:
    store.create("doors")
    records = some_records(3)
    with pytest.raises(KeyboardInterrupt):
        store.append("doors", Interrupted(records), expected=0, key="k")
    assert (store.head("doors").seq, store.batch("doors", "k")) == (0, [])
    assert list(store.append("doors", records, expected=0, key="k")) == records


def test_a_closed_ledger_refuses_plainly(path: Path) -> None:
    store = SqliteStore(str(path))
    fill(store, 1)
    store.close()
    for use in (store.sessions, lambda: store.append("doors", [record_after(genesis_head())], expected=0)):
        with pytest.raises(Unusable):
            use()


def genesis_head() -> Head:
    return Head(0, genesis("doors"))


# ------------------------------------------------------------------------------------------------ other files


def make_database(path: Path, *statements: str) -> None:
    """Creates an SQLite database of another program, or runs statements in one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


FOREIGN = {
    "with tables": ["CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"],
    "with a write-ahead log": ["PRAGMA journal_mode=WAL", "CREATE TABLE t (x)"],
    "with tables like ours": ["CREATE TABLE sessions (x)", "CREATE TABLE entries (x)", "PRAGMA user_version=1"],
    "marked and empty": ["PRAGMA application_id=7"],
    "marked and newer": ["CREATE TABLE t (x)", "PRAGMA application_id=7", "PRAGMA user_version=99"],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN.keys())
def test_another_programs_database_is_refused_and_not_touched(path: Path, statements: list[str]) -> None:
    make_database(path, *statements)
    before = in_folder(path.parent)
    with pytest.raises(ForeignFile):
        SqliteStore(str(path))
    assert in_folder(path.parent) == before


def test_another_programs_database_is_not_touched_while_it_is_in_use(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as owner:
        owner.execute("PRAGMA journal_mode=WAL")
        owner.execute("CREATE TABLE t (x)")
        before = in_folder(path.parent)
        with pytest.raises(ForeignFile):
            SqliteStore(str(path))
        assert in_folder(path.parent) == before
        owner.execute("INSERT INTO t VALUES (1)")


@pytest.mark.parametrize("size", [1, 10, 511, 512, 5000])
@pytest.mark.parametrize("content", [b"A fight, written down. ", b"\x00", b"\x89PNG\r\n\x1a\n"])
def test_a_file_that_is_no_database_is_refused_and_not_touched(path: Path, content: bytes, size: int) -> None:
    path.write_bytes((content * size)[:size])
    before = in_folder(path.parent)
    with pytest.raises(ForeignFile):
        SqliteStore(str(path))
    assert in_folder(path.parent) == before


def test_an_empty_file_becomes_a_ledger(path: Path) -> None:
    path.touch()
    with closing(SqliteStore(str(path))) as store:
        assert len(fill(store, 3)) == store.head("doors").seq


def test_an_empty_database_without_a_mark_becomes_a_ledger(path: Path) -> None:
    make_database(path, "PRAGMA journal_mode=WAL")
    assert path.stat().st_size
    with closing(SqliteStore(str(path))) as store:
        assert len(fill(store, 3)) == store.head("doors").seq


@pytest.mark.parametrize("version", [SCHEMA + 1, 1000])
def test_a_newer_ledger_is_refused_and_not_touched(path: Path, version: int) -> None:
    make_database(path, "CREATE TABLE t (x)", f"PRAGMA application_id={APPLICATION}", f"PRAGMA user_version={version}")
    before = in_folder(path.parent)
    with pytest.raises(Newer):
        SqliteStore(str(path))
    assert in_folder(path.parent) == before


# ------------------------------------------------------------------------------------------------ damage


def make_ledger(path: Path, count: int = 300) -> list[Record]:
    """Creates a ledger and closes it."""
    with closing(SqliteStore(str(path))) as store:
        records = fill(store, count)
    os.remove(f"{path}-turn")
    return records


CUTS = [1, 15, 16, 50, 99, 100, 511, 512, 1000, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE, 6 * PAGE + 7, -PAGE, -PAGE - 1, -1]


@pytest.mark.parametrize("size", CUTS)
def test_a_ledger_that_is_cut_short_is_damaged(path: Path, size: int) -> None:
    make_ledger(path)
    path.write_bytes(path.read_bytes()[:size])
    before = path.read_bytes()
    with pytest.raises(Damaged):
        SqliteStore(str(path))
    assert path.read_bytes() == before


def test_what_was_last_written_is_not_thrown_away_with_a_lost_ledger(path: Path, tmp_path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        copy = tmp_path / "copy.db"
        Path(f"{copy}-wal").write_bytes(Path(f"{path}-wal").read_bytes())
    for _ in range(2):
        before = in_folder(tmp_path)
        with pytest.raises(Damaged):
            SqliteStore(str(copy))
        assert in_folder(tmp_path) == before
        copy.touch()


def test_a_newer_ledger_is_not_touched_though_it_was_left_in_the_middle(path: Path, tmp_path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        store._writing._connection.execute(f"PRAGMA user_version={SCHEMA + 1}")
        store._writing._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.append("doors", [record_after(store.head("doors"))], expected=3)
        (tmp_path / "elsewhere").mkdir()
        copy = tmp_path / "elsewhere" / "copy.db"
        for ending in ("", "-wal"):
            Path(f"{copy}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    before = in_folder(copy.parent)
    with pytest.raises(Newer):
        SqliteStore(str(copy))
    assert in_folder(copy.parent) == before


def test_another_programs_database_is_refused_and_not_touched_when_it_is_cut_short(path: Path) -> None:
    make_database(path, "CREATE TABLE t (x)", "INSERT INTO t VALUES (zeroblob(10000))")
    path.write_bytes(path.read_bytes()[:PAGE])
    before = in_folder(path.parent)
    with pytest.raises(ForeignFile):
        SqliteStore(str(path))
    assert in_folder(path.parent) == before


@pytest.mark.parametrize("gone", [1, 2, 700, 1_100])
def test_an_entry_that_somebody_took_out_is_missed(path: Path, gone: int) -> None:
    make_ledger(path, 1_100)
    make_database(path, "DROP TRIGGER entries_no_DELETE", f"DELETE FROM entries WHERE id = {SPAN + gone}")
    missed = Cut if gone == 1_100 else Damaged  # the last entry: only the heads file shows that it is missing
    with closing(SqliteStore(str(path))) as store, pytest.raises(missed):
        list(store.read("doors"))


def survivors(path: Path) -> list[Record] | None:
    """Returns what can be read and verified of a damaged ledger; None if it is refused."""
    try:
        with closing(SqliteStore(str(path))) as store:
            return list(check(store.read("doors"), genesis("doors")))
    except (Damaged, Broken, NoSuchSession):
        return None


def test_whatever_page_is_overwritten_nothing_wrong_is_verified(path: Path) -> None:
    records = make_ledger(path, 60)
    whole = path.read_bytes()
    for start in range(0, len(whole), PAGE):
        for part in (0, PAGE // 2, PAGE - 300):
            for filling in (b"\x00", b"\xff", b"\x05\x01"):
                garbage = (filling * PAGE)[: PAGE - part - (100 if start == part == 0 else 0)]
                path.write_bytes(whole[: start + PAGE - len(garbage)] + garbage + whole[start + PAGE :])
                assert survivors(path) in (None, records)
                for name in ("-wal", "-shm"):
                    Path(f"{path}{name}").unlink(missing_ok=True)


@pytest.mark.parametrize("gone", [1, 2, 3, 4, 9, 10])
def test_a_gap_between_long_entries_is_no_end_of_a_page(path: Path, gone: int) -> None:
    with closing(SqliteStore(str(path))) as store:
        store.create("doors", records_after(Head(0, genesis("doors")), ["x" * 300_000] * 10))
    make_database(path, "DROP TRIGGER entries_no_DELETE", f"DELETE FROM entries WHERE id = {SPAN + gone}")
    missed = Cut if gone == 10 else Damaged  # only the heads file shows that there was more
    with closing(SqliteStore(str(path))) as store, pytest.raises(missed):
        list(store.read("doors"))


def test_a_write_ahead_log_that_is_cut_short_leaves_a_beginning(path: Path, tmp_path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        records = fill(store, 1)
        for number in range(20):
            records.append(record_after(store.head("doors"), f"{number} " * 300))
            store.append("doors", records[-1:], expected=number + 1)
        main, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    copy = tmp_path / "copy.db"
    lengths = set()
    for size in range(len(log) // 4, len(log), 7_001):
        copy.write_bytes(main)
        Path(f"{copy}-wal").write_bytes(log[:size])
        found = survivors(copy)
        assert found is not None
        assert found == records[: len(found)]
        lengths.add(len(found))
    assert len(lengths) > 5


def test_a_ledger_that_is_cut_short_beside_its_write_ahead_log_verifies_to_nothing_wrong(
    path: Path, tmp_path: Path
) -> None:
    with closing(SqliteStore(str(path))) as store:
        records = fill(store, 100)
        store._writing._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        records.append(record_after(store.head("doors")))
        store.append("doors", records[-1:], expected=100)
        main, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    copy = tmp_path / "copy.db"
    for size in range(1, len(main), 1_733):
        copy.write_bytes(main[:size])
        Path(f"{copy}-wal").write_bytes(log)
        assert survivors(copy) in (None, records)


# ------------------------------------------------------------------------------------------------ places


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="there is no folder"):
        SqliteStore(str(tmp_path / "fights" / "fight.db"))
    assert in_folder(tmp_path) == {}


def test_a_file_in_the_place_of_the_folder_is_refused(path: Path) -> None:
    path.touch()
    with pytest.raises(Unusable):
        SqliteStore(str(path / "fight.db"))


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="not a file"):
        SqliteStore(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_no_ledger(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(Unusable, match="not a file"):
        SqliteStore(str(path))


@pytest.mark.parametrize("name", [":memory:", "a b?mode=ro&x#y%20z.db", "kämpfe 龍.db", "file:x.db"])
def test_no_name_is_special(tmp_path: Path, name: str) -> None:
    with closing(SqliteStore(str(tmp_path / name))) as store:
        fill(store, 1)
    assert name in in_folder(tmp_path)


def test_a_ledger_may_be_opened_by_another_name(path: Path, tmp_path: Path) -> None:
    records = make_ledger(path)
    (tmp_path / "elsewhere").mkdir()
    alias = tmp_path / "elsewhere" / "alias.db"
    alias.symlink_to(path)
    with closing(SqliteStore(str(alias))) as store:
        assert list(store.read("doors")) == records
    assert list(in_folder(alias.parent)) == ["alias.db"]


def _is_permitted(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def immutable(tmp_path: Path) -> Iterator["Immutable"]:
    """Makes files unchangeable, even for root, while a test runs."""
    changed = Immutable()
    yield changed
    changed.undo()


class Immutable:
    """Files that cannot be changed during a block."""

    def __init__(self) -> None:
        self._places: list[Path] = []

    def __call__(self, place: Path) -> None:
        if not _is_permitted("chattr", "+i", str(place)):
            pytest.skip("chattr is not permitted here")
        self._places.append(place)

    def undo(self) -> None:
        for place in self._places:
            subprocess.run(["chattr", "-i", str(place)], check=True)


def test_a_file_that_cannot_be_written_is_read_and_not_written(path: Path, immutable: Immutable) -> None:
    records = make_ledger(path)
    immutable(path)
    with closing(SqliteStore(str(path))) as store:
        assert list(store.read("doors")) == records
        with pytest.raises(ReadOnly):
            store.create("windows")
    assert sorted(in_folder(path.parent)) == ["fight.db", "fight.db-heads"]


@pytest.mark.parametrize("is_there", [True, False])
def test_in_a_folder_that_cannot_be_written_no_ledger_is_made(
    tmp_path: Path, immutable: Immutable, is_there: bool
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if is_there:
        make_ledger(folder / "fight.db")
    immutable(folder)
    before = in_folder(folder)
    with pytest.raises(ReadOnly), closing(SqliteStore(str(folder / "fight.db"))) as store:
        store.create("windows")
    assert in_folder(folder) == before


def test_a_ledger_that_can_no_longer_be_written_is_refused_and_still_read(store: SqliteStore) -> None:
    records = fill(store, 3)
    store._writing._connection.execute("PRAGMA query_only=ON")
    with pytest.raises(ReadOnly):
        store.append("doors", [record_after(store.head("doors"))], expected=3)
    assert list(store.read("doors")) == records


# ------------------------------------------------------------------------------------------------ room


def test_a_full_disk_refuses_the_whole_batch_and_does_not_spoil_the_ledger(store: SqliteStore) -> None:
    records = fill(store, 10)
    big = records_after(store.head("doors"), ["The ork kicks the door in. " * 100] * 200)
    connection = store._writing._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages + 20}")
    with pytest.raises(Full) as refused:
        store.append("doors", big, expected=10, key="k")
    assert isinstance(refused.value.__cause__, sqlite3.Error)
    assert list(store.read("doors")) == records
    assert list(store.batch("doors", "k")) == []

    connection.execute("PRAGMA max_page_count=1000000")
    assert list(store.append("doors", big, expected=10, key="k")) == big
    assert len(list(check(store.read("doors"), genesis("doors")))) == 210


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mounts a file system of 400 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if sys.platform != "linux" or not _is_permitted("mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(folder)):
        pytest.skip("mount is not permitted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_really_is_full_does_no_harm_either(small_disk: Path) -> None:
    with closing(SqliteStore(str(small_disk / "fight.db"))) as store:
        records = fill(store, 10)
        ballast = small_disk / "ballast"
        ballast.write_bytes(b"\x00" * (200 * 1024))
        with pytest.raises(Full):
            _append_until_refused(store, records)
        assert list(store.read("doors")) == records
        ballast.unlink()
        records.append(record_after(store.head("doors")))
        store.append("doors", records[-1:], expected=len(records) - 1)
    with closing(SqliteStore(str(small_disk / "fight.db"))) as store:
        assert list(check(store.read("doors"), genesis("doors"))) == records


def _append_until_refused(store: SqliteStore, records: list[Record]) -> None:
    while True:
        record = record_after(store.head("doors"), "The ork kicks the door in. " * 30)
        store.append("doors", [record], expected=len(records))
        records.append(record)


@pytest.mark.parametrize("room", range(0, 120, 12))
def test_a_disk_without_room_for_a_new_ledger_refuses_plainly(small_disk: Path, room: int) -> None:
    with pytest.raises(OSError, match="No space"):
        (small_disk / "ballast").write_bytes(b"\x00" * (500 * 1024))
    with open(small_disk / "ballast", "r+b") as ballast:
        ballast.truncate((400 - 4 - room) * 1024)
    try:
        with closing(SqliteStore(str(small_disk / "fight.db"))) as store:
            fill(store, 10)
    except Full:
        pass
    (small_disk / "ballast").unlink()
    with closing(SqliteStore(str(small_disk / "fight.db"))) as store:
        assert store.sessions() in ([], ["doors"])


# ------------------------------------------------------------------------------------------------ turns


def test_who_holds_the_file_too_long_is_told_of_and_reading_goes_on(path: Path) -> None:
    records = make_ledger(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        with closing(SqliteStore(str(path), patience=0.05)) as store:
            assert list(store.read("doors")) == records
            more = [record_after(store.head("doors"))]
            with pytest.raises(Busy):
                store.append("doors", more, expected=300)
            shell.execute("ROLLBACK")
            assert list(store.append("doors", more, expected=300)) == more


def test_who_stands_in_the_turnstile_without_moving_is_passed_by(path: Path) -> None:
    stopped = Turnstile(f"{path}-turn")
    assert stopped.enter()
    with closing(SqliteStore(str(path), patience=0.2)) as store:
        fill(store, 1)
    stopped.close()


def test_a_new_ledger_that_somebody_else_holds_is_busy(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        shell.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Busy):
            SqliteStore(str(path), patience=0.05)


@pytest.mark.parametrize("lock_files", ["with lock files", "without"])
def test_several_stores_on_one_file_in_several_threads_lose_nothing(
    path: Path, lock_files: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lock_files == "without":
        monkeypatch.setattr("ledger.stores.fair_lock.flock", lambda file, operation: None)
    start = Barrier(3)
    written: dict[str, list[Record]] = {}

    def write(session: str) -> None:
        start.wait()
        with closing(SqliteStore(str(path))) as store:
            store.create(session)
            for _ in range(40):
                head = store.head(session)
                store.append(session, [record_after(head)], expected=head.seq, key=str(head.seq))
            written[session] = list(store.read(session))

    threads = [Thread(target=write, args=(session,)) for session in ("doors", "windows", "roofs")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with closing(SqliteStore(str(path))) as store:
        assert sorted(store.sessions()) == ["doors", "roofs", "windows"]
        for session, records in written.items():
            assert len(records) == 40
            assert list(check(store.read(session), genesis(session))) == records


def test_who_comes_second_to_make_the_tables_finds_them(path: Path, store: SqliteStore) -> None:
    records = fill(store, 2)
    with closing(connect(str(path), timeout=1)) as second:
        _make_tables(second, str(path))
    assert list(store.read("doors")) == records


def test_processes_that_make_one_ledger_at_the_same_time_share_it(path: Path) -> None:
    sessions = ["doors", "windows", "roofs", "cellars"]
    opened_at_once(path, sessions)
    with closing(SqliteStore(str(path))) as store:
        assert sorted(store.sessions()) == sorted(sessions)


# ------------------------------------------------------------------------------------------------ words

MEANINGS: list[tuple[int, type[StoreRefused]]] = [
    (sqlite3.SQLITE_READONLY, ReadOnly),
    (sqlite3.SQLITE_READONLY_DBMOVED, ReadOnly),
    (sqlite3.SQLITE_CANTOPEN, Unusable),
    (sqlite3.SQLITE_FULL, Full),
    (sqlite3.SQLITE_IOERR, Unusable),
    (sqlite3.SQLITE_IOERR_FSYNC, Unusable),
    (sqlite3.SQLITE_IOERR_SHMSIZE, Full),
    (sqlite3.SQLITE_CORRUPT, Damaged),
    (sqlite3.SQLITE_CORRUPT_INDEX, Damaged),
    (sqlite3.SQLITE_NOTADB, ForeignFile),
    (sqlite3.SQLITE_BUSY, Busy),
    (sqlite3.SQLITE_BUSY_SNAPSHOT, Busy),
    (sqlite3.SQLITE_BUSY_RECOVERY, Busy),
    (sqlite3.SQLITE_PROTOCOL, Busy),
    (sqlite3.SQLITE_TOOBIG, Unusable),
]


@pytest.mark.parametrize(("code", "kind"), MEANINGS)
def test_errors_of_sqlite_mean_something(code: int, kind: type[StoreRefused]) -> None:
    error = sqlite3.OperationalError("at {this} point")
    error.sqlite_errorcode = code
    refused = refusal(error, "fight.db")
    assert type(refused) is kind
    assert "fight.db" in refused.message


@pytest.mark.parametrize(
    ("code", "kind"),
    [(errno.EROFS, ReadOnly), (errno.EACCES, ReadOnly), (errno.ENOSPC, Full), (errno.EMFILE, Unusable)],
)
def test_errors_of_the_system_mean_something(code: int, kind: type[StoreRefused]) -> None:
    assert type(refusal(OSError(code, os.strerror(code)), "fight.db")) is kind


def test_every_refusal_names_the_file_and_its_cause(path: Path) -> None:
    make_ledger(path)
    path.write_bytes(path.read_bytes()[: 3 * PAGE])
    with pytest.raises(Refused) as refused:
        SqliteStore(str(path))
    assert refused.value.where == str(path)
    assert str(path) in refused.value.message
    assert isinstance(refused.value.__cause__, sqlite3.Error)


@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
def test_nothing_is_written_into_a_file_that_is_gone(path: Path, replaced: bool) -> None:
    with closing(SqliteStore(str(path))) as store:
        store.create("ONE")
        for file in path.parent.glob(path.name + "*"):
            file.unlink()
        if replaced:
            SqliteStore(str(path)).close()

        with pytest.raises(Unusable, match="was removed or replaced"):
            store.append("ONE", some_records(1, "ONE"), expected=0)
