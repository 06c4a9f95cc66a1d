"""The writes of a thread in `together` are one transaction, whose parts can be refused separately."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from ledger_records import record_after, some_records

from ledger.chain import check, genesis
from ledger.errors import Busy, Full, KeyReused, NoSuchSession, Stale, Unusable
from ledger.stores.sqlite import SqliteStore

NAMES = ["doors", "windows", "roofs", "cellars"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(str(tmp_path / "fight.db"), patience=0.2)) as store:
        for name in NAMES:
            store.create(name)
        yield store


def write(store: SqliteStore, name: str, expected: int = 0) -> None:
    store.append(name, some_records(expected + 2, name)[expected:], expected=expected, key=name)


def ends(store: SqliteStore) -> list[int]:
    return [store.head(name).seq for name in NAMES]


def commits(store: SqliteStore) -> list[str]:
    """Fills with the commits of the writing connection."""
    seen: list[str] = []
    store._writing._connection.set_trace_callback(lambda said: seen.append(said) if said == "COMMIT" else None)
    return seen


@contextmanager
def others_writing(store: SqliteStore) -> Iterator[None]:
    """Lets another process hold the file during a block."""
    with closing(sqlite3.connect(store._path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def no_room_for(store: SqliteStore, *statements: str) -> Iterator[None]:
    """Lets the disk be full for some statements during a block; like SQLite, it rolls back the whole transaction."""

    class Failing:
        def __init__(self, cursor: sqlite3.Cursor) -> None:
            self._cursor = cursor

        def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
            return self._unless_full(self._cursor.execute, statement, *values)

        def executemany(self, statement: str, *values: object) -> sqlite3.Cursor:
            return self._unless_full(self._cursor.executemany, statement, *values)

        def _unless_full(self, do: object, statement: str, *values: object) -> sqlite3.Cursor:
            if statement.startswith(statements):
                self._cursor.execute("ROLLBACK")
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return do(statement, *values)  # type: ignore[operator, no-any-return]

        def __getattr__(self, name: str) -> object:
            return getattr(self._cursor, name)

    whole = store._writing._cursor
    store._writing._cursor = Failing(whole)  # type: ignore[assignment]
    yield
    store._writing._cursor = whole


def test_it_is_committed_once_and_at_the_end(store: SqliteStore) -> None:
    seen = commits(store)
    with closing(SqliteStore(store._path)) as other:
        with store.together():
            for name in NAMES:
                write(store, name)
            assert ends(store) == [2, 2, 2, 2]
            assert ends(other) == [0, 0, 0, 0]
            assert seen == []
        assert len(seen) == 1
        assert ends(other) == [2, 2, 2, 2]
    for name in NAMES:
        assert [record.seq for record in check(store.read(name), genesis(name))] == [1, 2]


def test_where_nothing_is_written_nothing_is_begun(store: SqliteStore) -> None:
    seen = commits(store)
    with others_writing(store), store.together():
        assert store.head("doors").seq == 0
    assert seen == []


def test_what_is_refused_undoes_nothing_of_the_rest(store: SqliteStore) -> None:
    write(store, "roofs")
    with store.together():
        write(store, "doors")
        with pytest.raises(Stale) as stale:
            write(store, "windows", expected=7)
        with pytest.raises(KeyReused):
            store.append("roofs", some_records(5, "roofs")[2:], expected=2, key="roofs")
        with pytest.raises(Stale):
            store.append("roofs", some_records(5, "roofs")[4:], expected=4, key="another")
        write(store, "cellars")
    assert (stale.value.expected, stale.value.actual) == (7, 0)
    assert ends(store) == [2, 0, 2, 2]
    assert list(store.batch("roofs", "another")) == []


def test_a_refusal_tells_the_end_that_the_same_transaction_made(store: SqliteStore) -> None:
    with store.together():
        write(store, "doors")
        with pytest.raises(Stale) as stale:
            store.append("doors", some_records(3, "doors"), expected=0)
    assert stale.value.actual == 2


def test_however_the_block_ends_what_was_written_is_kept(store: SqliteStore) -> None:
    with pytest.raises(ZeroDivisionError), store.together():
        write(store, "doors")
        _ = 1 / 0
    assert ends(store) == [2, 0, 0, 0]


def test_a_block_in_a_block_is_part_of_it(store: SqliteStore) -> None:
    seen = commits(store)
    with store.together():
        write(store, "doors")
        with store.together():
            write(store, "windows")
        assert seen == []
        write(store, "roofs")
    assert len(seen) == 1
    assert ends(store) == [2, 2, 2, 0]


def test_other_threads_write_before_it_or_after_it(store: SqliteStore) -> None:
    seen, wrote = commits(store), Event()

    def other() -> None:
        write(store, "windows")
        wrote.set()

    thread = Thread(target=other)
    with store.together():
        write(store, "doors")
        thread.start()
        assert not wrote.wait(0.05)
    thread.join()
    assert len(seen) == 2
    assert ends(store) == [2, 2, 0, 0]


def test_where_it_cannot_be_committed_nothing_is_written_and_the_end_says_so(store: SqliteStore) -> None:
    with no_room_for(store, "COMMIT"), pytest.raises(Full), store.together():
        write(store, "doors")
        write(store, "windows")
    assert ends(store) == [0, 0, 0, 0]
    write(store, "doors")
    assert ends(store) == [2, 0, 0, 0]


def test_where_the_disk_is_full_in_the_midst_of_it_nothing_of_it_is_written(store: SqliteStore) -> None:
    with pytest.raises(Full), store.together():
        write(store, "doors")
        with no_room_for(store, "INSERT INTO entries"), pytest.raises(Full):
            write(store, "windows")
        with pytest.raises(Full):
            write(store, "roofs")  # there would be space again, but the earlier writes are lost
    assert ends(store) == [0, 0, 0, 0]
    assert list(store.batch("doors", "doors")) == []
    write(store, "doors")
    assert ends(store) == [2, 0, 0, 0]


def test_where_the_file_is_gone_by_the_end_nothing_of_it_is_said_to_be_written(store: SqliteStore) -> None:
    with pytest.raises(Unusable), store.together():
        write(store, "doors")
        Path(store._path).unlink()
        write(store, "windows")
    with pytest.raises(Unusable):
        write(store, "roofs")


def test_a_session_that_began_in_vain_is_not_taken_for_the_next(store: SqliteStore) -> None:
    with no_room_for(store, "COMMIT"), pytest.raises(Full), store.together():
        store.create("attics", some_records(2, "attics"))
        assert store.head("attics").seq == 2
    with pytest.raises(NoSuchSession):
        store.head("attics")
    store.create("stairs", some_records(1, "stairs"))
    with pytest.raises(NoSuchSession):
        store.append("attics", some_records(3, "attics")[2:], expected=2)
    assert store.head("stairs").seq == 1


def test_who_cannot_begin_waits_once_and_not_again_for_each_part(store: SqliteStore) -> None:
    refused = []
    with others_writing(store), store.together():
        for name in NAMES:
            try:
                write(store, name)
            except Busy as busy:
                refused.append(busy)
    assert len(refused) == 4
    assert len({id(each) for each in refused}) == 4  # each caller gets its exception
    assert ends(store) == [0, 0, 0, 0]
    with store.together(), suppress(Busy):
        store.append("doors", [record_after(store.head("doors"))], expected=0)
    assert ends(store) == [1, 0, 0, 0]
