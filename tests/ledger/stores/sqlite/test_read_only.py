"""A ledger that is not writable is read, with any files beside it, and no file is created."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ledger_records import fill, record_after
from other_user import Refusal, as_other_user, other_user

from ledger.chain import Record, check, genesis
from ledger.errors import Refused, StoreRefused
from ledger.stores.sqlite import SqliteStore

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no other users here")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other users may read."""
    folder = Path(tempfile.mkdtemp(prefix="affray-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def in_folder(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def made(path: Path, endings: tuple[str, ...] = ("", "-wal", "-shm")) -> list[Record]:
    """Leaves the named files of a ledger as after the last writer was killed."""
    work = path.parent / "work"
    work.mkdir()
    with closing(SqliteStore(str(work / "fight.db"))) as store:
        fill(store, 300)
        store._writing._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        store.append("doors", [record_after(store.head("doors"))], expected=300, key="last")
        records = list(store.read("doors"))
        for ending in endings:
            shutil.copy(f"{work / 'fight.db'}{ending}", f"{path}{ending}")
    shutil.rmtree(work)
    return records


def closed(path: Path) -> list[Record]:
    records = made(path)
    SqliteStore(str(path)).close()
    assert not Path(f"{path}-wal").exists()
    Path(f"{path}-turn").unlink()
    return records


def in_a_rollback(path: Path) -> list[Record]:
    """Leaves a ledger whose last writer was killed while enabling the write-ahead log, which SQLite has to roll back."""
    records = closed(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA cache_spill=1")
        connection.execute("PRAGMA cache_size=1")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("CREATE TABLE heap (x)")
        connection.executemany("INSERT INTO heap VALUES (zeroblob(9000))", [()] * 20)
        for ending in ("", "-journal"):
            shutil.copy(f"{path}{ending}", f"{path}{ending}.copy")
        connection.execute("ROLLBACK")
    for ending in ("", "-journal"):
        os.replace(f"{path}{ending}.copy", f"{path}{ending}")
    assert Path(f"{path}-journal").stat().st_size
    return records


STATES: dict[str, Callable[[Path], list[Record]]] = {
    "closed": closed,
    "killed": made,
    "copied without its index": lambda path: made(path, ("", "-wal")),
    "in a rollback": in_a_rollback,
}


def close_to(place: Path, bits: str) -> None:
    """The users that the permissions of the files and of the folder prevent from writing."""
    for file in place.iterdir():
        file.chmod(0o666 if bits == "folder" else 0o444)
    place.chmod(0o777 if bits == "file" else 0o555)


def everything(path: Path) -> tuple[list[str], list[Record], int, list[Record], list[str]]:
    """Returns everything that can be read from a ledger."""
    with closing(SqliteStore(str(path))) as store:
        records = list(check(store.read("doors"), genesis("doors")))
        batch = list(store.batch("doors", "last"))
        assert store.news(0.0) is None
        assert store.news(0.0) == ()
        return list(store.sessions()), records, store.head("doors").seq, batch, list(store.seals("doors"))


WRITINGS: dict[str, Callable[[SqliteStore], object]] = {
    "create": lambda store: store.create("windows"),
    "append": lambda store: store.append("doors", [record_after(store.head("doors"))], expected=301),
    "seal": lambda store: store.seal("doors", "seed", b"s"),
}


def refused(path: Path) -> set[str]:
    """Returns the refusals of all writes."""
    slugs = set()
    with closing(SqliteStore(str(path))) as store:
        for writing in WRITINGS.values():
            for together in (False, True):
                try:
                    if together:
                        with store.together():
                            writing(store)
                    else:
                        writing(store)
                except Refused as refusal:
                    slugs.add(refusal.slug)
                else:
                    slugs.add("written")
    return slugs


@pytest.mark.parametrize("bits", ["file", "folder", "file and folder"])
@pytest.mark.parametrize("state", STATES)
def test_who_may_only_read_a_ledger_reads_all_of_it_and_leaves_nothing(place: Path, state: str, bits: str) -> None:
    path = place / "fight.db"
    records = STATES[state](path)
    close_to(place, bits)
    before = in_folder(place)

    assert as_other_user(lambda: everything(path)) == (["doors"], records, 301, records[-1:], [])
    assert as_other_user(lambda: refused(path)) == {"store/read-only"}
    after = in_folder(place)
    if bits == "folder":  # the index may be written, and is brought up to date
        before.pop("fight.db-shm", None)
        after.pop("fight.db-shm", None)
    assert after == before


@pytest.fixture
def disc(place: Path) -> Iterator[Callable[[], Path]]:
    """Mounts a separate file system in `place`, and returns a function that makes it read-only."""
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mount is not permitted here")

    def burn() -> Path:
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        return place

    yield burn
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("state", STATES)
def test_a_ledger_on_a_disc_that_cannot_be_written_is_read(place: Path, disc: Callable[[], Path], state: str) -> None:
    path = place / "fight.db"
    records = STATES[state](path)
    disc()
    before = in_folder(place)

    assert everything(path) == (["doors"], records, 301, records[-1:], [])
    assert refused(path) == {"store/read-only"}
    assert in_folder(place) == before


def test_a_copy_in_a_temporary_folder_goes_with_the_store(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, temporary = place / "fight.db", place / "temporary"
    made(path, ("", "-wal"))
    close_to(place, "file and folder")
    place.chmod(0o755)
    temporary.mkdir()
    temporary.chmod(0o777)
    place.chmod(0o555)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def count() -> tuple[int, int]:
        with closing(SqliteStore(str(path))) as store:
            store.head("doors")
            during = len(list(temporary.iterdir()))
        return during, len(list(temporary.iterdir()))

    assert as_other_user(count) == (1, 0)


# ------------------------------------------------------------------------------------------------ with a writer


def test_who_may_only_read_follows_a_writer_who_comes_and_goes(place: Path) -> None:
    path = place / "fight.db"
    closed(path)
    place.chmod(0o755)
    store: SqliteStore | None = None

    def read(wait: Callable[[], str]) -> Iterator[Any]:
        with closing(SqliteStore(str(path), patience=10)) as reader:
            while wait() == "look":
                records = list(check(reader.read("doors"), genesis("doors")))
                yield len(records), reader.news(0.0) is None

    with other_user(read) as other:
        assert other.ask("look") == (301, True)
        assert other.ask("look") == (301, False)
        last = 301
        for _ in range(3):
            store = SqliteStore(str(path))
            assert other.ask("look")[0] == last
            for _ in range(40):
                store.append("doors", [record_after(store.head("doors"), "x" * 9000)], expected=last)
                last += 1
            assert other.ask("look") == (last, True)
            store._writing._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            assert other.ask("look")[0] == last
            store.append("doors", [record_after(store.head("doors"), "x" * 9000)], expected=last)
            last += 1
            store.close()
            assert other.ask("look") == (last, True)


def test_what_others_do_not_show_to_anybody_is_refused_plainly(place: Path) -> None:
    path = place / "fight.db"
    made(path)
    path.chmod(0o600)
    place.chmod(0o755)
    with pytest.raises(Refusal) as refusal:
        as_other_user(lambda: everything(path))
    assert refusal.value.slug in ("store/unusable", "store/read-only")


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize("content", ["nothing", "an empty file", "an empty database"])
def test_a_place_that_cannot_be_written_and_has_no_ledger_is_refused(place: Path, content: str) -> None:
    path = place / "fight.db"
    if content == "an empty file":
        path.touch()
    elif content == "an empty database":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
    close_to(place, "file and folder")
    with pytest.raises(Refusal) as refusal:
        as_other_user(lambda: everything(path))
    assert refusal.value.slug == "store/read-only"


def test_a_ledger_that_cannot_be_written_is_inspected_like_any_other(place: Path) -> None:
    path = place / "fight.db"
    closed(path)
    whole = path.read_bytes()
    spoiled = {
        "store/damaged": whole[: len(whole) // 2],
        "store/foreign": b"A fight, written down. " * 1000,
        "log/newer": whole[:63] + b"\x09" + whole[64:],
    }
    for slug, content in spoiled.items():
        path.write_bytes(content)
        place.chmod(0o555)
        with pytest.raises(Refusal) as refusal:
            as_other_user(lambda: everything(path))
        assert refusal.value.slug == slug
        place.chmod(0o755)


@pytest.mark.parametrize("state", STATES)
def test_a_ledger_that_was_away_for_a_moment_is_read_again(place: Path, state: str) -> None:
    path = place / "fight.db"
    records = STATES[state](path)
    away = place / "away.db"
    with closing(SqliteStore(str(path), only_read=True, patience=1)) as store:
        for _ in range(2):
            os.rename(path, away)
            for _ in range(2):
                with pytest.raises(StoreRefused):
                    store.head("doors")
            os.rename(away, path)
            assert list(check(store.read("doors"), genesis("doors"))) == records
