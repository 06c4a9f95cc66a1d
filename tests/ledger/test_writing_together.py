"""What several threads want written at once is one transaction, in which each is refused for itself."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest
from ledger_records import record_after, records_after, some_records

from ledger.chain import check, genesis
from ledger.errors import Full, Refused, Stale
from ledger.stores import Head
from ledger.stores.sqlite import SqliteStore
from ledger.stores.turns import patiently

NAMES = ["doors", "windows", "roofs", "cellars"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(str(tmp_path / "fight.db"))) as store:
        for name in NAMES:
            store.create(name)
        yield store


@contextmanager
def others_writing(store: SqliteStore) -> Iterator[None]:
    """As long as another process has the file."""
    with closing(sqlite3.connect(store._path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def at_once(store: SqliteStore, *writers: Callable[[], object]) -> list[object]:
    """Let threads write while nobody can yet, so that they wait for one another; what each returned, or was refused."""
    told: list[object] = [None] * len(writers)

    def write(place: int) -> None:
        try:
            told[place] = writers[place]()
        except Refused as refusal:
            told[place] = refusal

    threads = [Thread(target=write, args=(place,)) for place in range(len(writers))]
    line = store._writing._line
    with others_writing(store):
        for count, thread in enumerate(threads):
            thread.start()
            assert patiently(lambda: line._led and len(line._waiting) == count, time.monotonic() + 10)  # noqa: B023
    for thread in threads:
        thread.join()
    return told


def appending(store: SqliteStore, name: str, expected: int = 0) -> Callable[[], object]:
    records = records_after(Head(expected, genesis(name)), ["one", "two"])
    return lambda: store.append(name, records, expected=expected, key=name)


def commits(store: SqliteStore) -> list[str]:
    """Fills with what the writing connection commits from here on."""
    seen: list[str] = []
    store._writing._connection.set_trace_callback(lambda said: seen.append(said) if said == "COMMIT" else None)
    return seen


def test_what_threads_write_at_once_is_committed_once(store: SqliteStore) -> None:
    seen = commits(store)
    at_once(store, *(appending(store, name) for name in NAMES))
    assert len(seen) == 1
    for name in NAMES:
        assert [record.seq for record in check(store.read(name), genesis(name))] == [1, 2]


def test_who_is_refused_does_not_undo_what_the_others_write(store: SqliteStore) -> None:
    first, stale, last = at_once(
        store, appending(store, "doors"), appending(store, "windows", expected=7), appending(store, "roofs")
    )
    assert isinstance(stale, Stale)
    assert (stale.expected, stale.actual) == (7, 0)
    assert [store.head(name).seq for name in NAMES] == [2, 0, 2, 0]
    assert list(store.batch("windows", "windows")) == []
    assert first is not None
    assert last is not None


def test_who_comes_second_in_the_same_transaction_is_told_the_end_that_the_first_made(store: SqliteStore) -> None:
    late = some_records(3, "doors")
    _, stale = at_once(store, appending(store, "doors"), lambda: store.append("doors", late, expected=0))
    assert isinstance(stale, Stale)
    assert stale.actual == 2
    assert store.head("doors").seq == 2


def test_the_same_key_twice_in_one_transaction_is_written_once(store: SqliteStore) -> None:
    one, other = at_once(store, appending(store, "doors"), appending(store, "doors"))
    assert list(one) == list(other) == list(store.read("doors"))  # type: ignore[call-overload]


def test_a_transaction_that_cannot_be_committed_is_nobodys(store: SqliteStore) -> None:
    writing = store._writing

    class Failing:
        def __init__(self, cursor: sqlite3.Cursor) -> None:
            self._cursor = cursor

        def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
            if statement == "COMMIT":
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return self._cursor.execute(statement, *values)

        def __getattr__(self, name: str) -> object:
            return getattr(self._cursor, name)

    whole, writing._cursor = writing._cursor, Failing(writing._cursor)  # type: ignore[assignment]
    told = at_once(store, *(appending(store, name) for name in NAMES[:3]))
    assert [type(each) for each in told] == [Full] * 3
    writing._cursor = whole
    assert [store.head(name).seq for name in NAMES] == [0] * 4
    store.append("doors", [record_after(store.head("doors"))], expected=0)
    assert store.head("doors").seq == 1
