"""Any content of a ledger's other tables leads to a result or a refusal on reading."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from damaging import SESSION, bounded, play, unprotected
from ledger_records import fill, record_after
from postgres_server import Server

from ledger.errors import Damaged, Refused, StoreRefused
from ledger.stores import Store, open_store
from replays.api.session import Session
from replays.exports.listing import summaries
from replays.sessions.record.verify import verify

CELLS = [
    ("sessions", "number"), ("sessions", "id"), ("batches", "session"), ("batches", "key"), ("batches", "first"),
    ("batches", "count"), ("sealed", "session"), ("sealed", "name"), ("sealed", "secret"), ("entries", "id"),
]  # fmt: skip
VALUES = [0, -1, 2**31, 2**62, "x", "CAST(x'ff00' AS TEXT)", b"\x00\xff"]

READINGS: list[Callable[[Store], object]] = [
    lambda store: list(store.sessions()),
    lambda store: list(summaries(store)),
    lambda store: store.head(SESSION),
    lambda store: list(store.read(SESSION)),
    lambda store: store.batch(SESSION, "first blow"),
    lambda store: store.seals(SESSION),
    lambda store: store.keys(SESSION),
    lambda store: verify(store, SESSION),
    lambda store: store.unseal(SESSION, "dice"),
    lambda store: Session(store, SESSION).state(),
    lambda store: Session(store, SESSION).audit(),
    lambda store: Session(store, SESSION).undo(batch="first blow"),
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger to damage."""
    path = tmp_path_factory.mktemp("sound") / "fight.db"
    unprotected(path)
    return path


def spoil(path: Path, table: str, column: str, value: object) -> bool:
    """Damages a table. Returns whether the database accepted the change."""
    word, values = (value, ()) if isinstance(value, str) and value.startswith("CAST") else ("?", (value,))
    with closing(sqlite3.connect(path)) as connection, connection:
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {word}", values)
        except (sqlite3.IntegrityError, OverflowError):
            return False
    return True


@pytest.mark.parametrize(("table", "column"), CELLS)
def test_whatever_stands_in_a_column_is_read_or_refused(sound: Path, tmp_path: Path, table: str, column: str) -> None:
    path = tmp_path / "fight.db"
    spoiled = 0
    for value in VALUES:
        shutil.copy(sound, path)
        if not spoil(path, table, column, value):
            continue
        spoiled += 1
        with closing(open_store(f"sqlite:///{path}")) as store:
            for reading in READINGS:
                with bounded(20):
                    try:
                        reading(store)
                    except Refused as refusal:
                        assert refusal.slug != "store/unusable", (value, refusal)
    assert spoiled


def test_a_store_whose_tables_cannot_be_read_is_not_there(sound: Path, tmp_path: Path, postgres: Server) -> None:
    path, url = tmp_path / "fight.db", postgres.database()
    shutil.copy(sound, path)
    with closing(open_store(f"sqlite:///{path}")) as lite, closing(open_store(url)) as large:
        for store in (lite, large):
            store.check_there()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("ALTER TABLE sessions RENAME TO others")
        postgres.execute("ALTER TABLE affray.sessions RENAME TO others", url=url)
        for store in (lite, large):
            with pytest.raises(StoreRefused):
                store.check_there()


@pytest.mark.parametrize(("first", "count"), [(0, 1), (-5, 1), (1, 0), (2, 1_000), (2**40, 1)])
def test_a_key_that_names_no_entries_is_damage(postgres: Server, first: int, count: int) -> None:
    url = postgres.database()
    with closing(open_store(url)) as store:
        fill(store, 3)
        postgres.execute(f"INSERT INTO affray.batches VALUES (1, 'k', {first}, {count})", url=url)
        with pytest.raises(Damaged):
            store.batch("doors", "k")
        with pytest.raises(Refused):
            store.append("doors", [record_after(store.head("doors"))], expected=3, key="k")


def test_entries_that_are_gone_or_renumbered_in_the_database_are_damage(postgres: Server) -> None:
    url = postgres.database()
    with closing(open_store(url)) as store:
        play(store)
        ((table,),) = postgres.execute("SELECT DISTINCT tableoid::regclass::text FROM affray.entries", url=url)
        postgres.execute(
            f"ALTER TABLE {table} DISABLE TRIGGER ALL",
            f"DELETE FROM {table} WHERE seq = 1",
            f"UPDATE {table} SET seq = seq - 1 WHERE seq > 1",
            url=url,
        )
    with closing(open_store(url)) as store, bounded(20), pytest.raises(Damaged) as refused:
        Session(store, SESSION)
    assert refused.value.where == "entry 1"


def test_a_definition_of_a_table_that_is_overwritten_is_damage(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    whole = sound.read_bytes()
    place = whole.index(b"CREATE TABLE sealed") + len(b"CREATE ")
    for content in (b"\xf5", b"X"):
        path.write_bytes(whole[:place] + content + whole[place + 1 :])
        with pytest.raises(Damaged):
            open_store(f"sqlite:///{path}")
