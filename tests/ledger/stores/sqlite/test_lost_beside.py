"""Files beside a ledger are deleted or replaced while it is in use: no later write is acknowledged."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from ledger_records import fill, record_after
from places import ROOT, TESTS

from ledger.chain import Record, check, genesis
from ledger.errors import Damaged, Refused, StoreRefused, Unsure, Unusable
from ledger.stores.sqlite import SqliteStore

WRITER = """
import os, sys
sys.path[:0] = {paths!r}
from ledger_records import record_after
from ledger.errors import Refused
from ledger.stores.sqlite import SqliteStore

path, beside, moment = sys.argv[1:]
store = SqliteStore(path)
store.create("doors")

def lose(statement):
    if statement == moment and os.path.exists(path + beside):
        os.unlink(path + beside)

written = 0
while True:
    head = store.head("doors")
    if written == 5:
        lose(moment) if moment == "now" else store._writing._connection.set_trace_callback(lose)
    try:
        store.append("doors", [record_after(head)], expected=head.seq)
    except Refused as refusal:
        print(written, refusal.slug, flush=True)
        break
    written += 1
    if written > 20:
        print(written, "acknowledged", flush=True)
        break
if sys.stdin.readline() == "close\\n":
    store.close()
else:
    os.kill(os.getpid(), 9)
"""


def writer(path: Path, beside: str, moment: str) -> "subprocess.Popen[str]":
    """Starts a process that writes five entries and then loses a file: ``now``, or when SQLite runs a statement."""
    code = WRITER.format(paths=[str(TESTS / "support"), str(ROOT)])
    command = [sys.executable, "-c", code, str(path), beside, moment]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def last_words(process: "subprocess.Popen[str]", order: str) -> tuple[int, str]:
    said, _ = process.communicate(order, timeout=60)
    written, slug = said.split()
    return int(written), slug


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a ledger to create."""
    return tmp_path / "fight.db"


def stored(path: Path) -> list[Record]:
    with closing(SqliteStore(str(path))) as store:
        return list(check(store.read("doors"), genesis("doors")))


@pytest.mark.parametrize("end", ["close", "kill"])
@pytest.mark.parametrize(
    ("moment", "slug"), [("now", "store/unusable"), ("BEGIN IMMEDIATE", "store/unusable"), ("COMMIT", "store/unsure")]
)
def test_a_writer_whose_write_ahead_log_is_deleted_stops_and_loses_nothing(
    path: Path, moment: str, slug: str, end: str
) -> None:
    written, told = last_words(writer(path, "-wal", moment), f"{end}\n")

    assert told == slug
    assert written == 5
    Path(f"{path}-shm").unlink(missing_ok=True)
    kept = len(stored(path))
    assert kept == 5 or (kept == 6 and slug == "store/unsure")


@pytest.mark.parametrize("moment", ["now", "COMMIT"])
def test_a_writer_whose_shared_memory_is_deleted_stops(path: Path, moment: str) -> None:
    written, told = last_words(writer(path, "-shm", moment), "close\n")

    assert (written, told) == (5, "store/unusable" if moment == "now" else "store/unsure")
    assert len(stored(path)) in (5, 6)


REPLACEMENTS: dict[str, Callable[[Path], object]] = {
    "deleted": lambda file: file.unlink(),
    "replaced by an empty one": lambda file: (file.unlink(), file.touch()),
    "replaced by a copy of it": lambda file: (shutil.copy(file, f"{file}.new"), os.replace(f"{file}.new", file)),
    "moved away": lambda file: file.rename(f"{file}.away"),
}


@pytest.mark.parametrize("how", REPLACEMENTS)
@pytest.mark.parametrize("use", ["append", "create", "seal", "together"])
def test_nothing_is_acknowledged_that_went_into_a_file_nobody_finds(path: Path, how: str, use: str) -> None:
    store = SqliteStore(str(path))
    records = fill(store, 5)
    record = record_after(store.head("doors"))
    REPLACEMENTS[how](Path(f"{path}-wal"))

    def together() -> None:
        with store.together():
            store.append("doors", [record], expected=5)

    uses: dict[str, Callable[[], object]] = {
        "append": lambda: store.append("doors", [record], expected=5),
        "create": lambda: store.create("windows"),
        "seal": lambda: store.seal("doors", "seed", b"s"),
        "together": together,
    }
    for _ in range(2):
        with pytest.raises(Unusable, match="-wal was removed or replaced"):
            uses[use]()
    assert list(store.read("doors")) == records
    store.close()
    assert stored(path) == records


@pytest.mark.parametrize("error", [errno.EACCES, errno.EIO, errno.ENOTDIR])
@pytest.mark.parametrize("when", ["before it begins", "before the commit", "after the commit"])
@pytest.mark.parametrize("use", ["append", "create", "seal", "together"])
def test_where_nobody_can_look_whether_the_files_are_there_it_is_said_whether_it_may_have_been_written(
    path: Path, monkeypatch: pytest.MonkeyPatch, use: str, when: str, error: int
) -> None:
    is_written, last = (
        when == "after the commit",
        ("before it begins", "before the commit", "after the commit").index(when),
    )
    with closing(SqliteStore(str(path))) as store:
        fill(store, 5)
        record = record_after(store.head("doors"))
        looks = [0]
        look = store._writing._files.lost

        def lost() -> str | None:
            looks[0] += 1
            if looks[0] == last + 1:
                raise OSError(error, os.strerror(error), str(path))
            return look()

        def together() -> None:
            with store.together():
                store.append("doors", [record], expected=5)

        uses: dict[str, Callable[[], object]] = {
            "append": lambda: store.append("doors", [record], expected=5),
            "create": lambda: store.create("windows"),
            "seal": lambda: store.seal("doors", "seed", b"s"),
            "together": together,
        }
        monkeypatch.setattr(store._writing._files, "lost", lost)
        with pytest.raises(StoreRefused) as refused:
            uses[use]()
        monkeypatch.undo()
        assert isinstance(refused.value, Unsure) == is_written
        written = store.head("doors").seq == 6 or "windows" in store.sessions() or bool(store.seals("doors"))
        assert written == is_written


def test_a_file_lost_while_a_group_is_written_leaves_the_group_unsure(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 5)
        store._writing._connection.set_trace_callback(
            lambda statement: Path(f"{path}-wal").unlink(missing_ok=True) if statement == "COMMIT" else None
        )
        with pytest.raises(Unsure), store.together():
            store.append("doors", [record_after(store.head("doors"))], expected=5)
        store._writing._connection.set_trace_callback(None)
        with pytest.raises(Unusable):
            store.append("doors", [record_after(store.head("doors"))], expected=6)


def test_a_ledger_whose_write_ahead_log_is_missing_while_it_is_in_use_is_not_opened_shorter(path: Path) -> None:
    process = writer(path, "-wal", "COMMIT")
    assert process.stdout is not None
    said = process.stdout.readline()
    assert "unsure" in said
    with pytest.raises(Damaged) as refused:
        SqliteStore(str(path))
    assert f"{path}-shm" in refused.value.accepts
    process.communicate("close\n", timeout=60)
    assert len(stored(path)) == 6


def test_a_ledger_that_was_killed_and_lost_its_write_ahead_log_says_how_to_go_on(path: Path) -> None:
    store = SqliteStore(str(path))
    fill(store, 5)
    copy = path.parent / "copy.db"
    for ending in ("", "-shm"):
        shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    store.close()
    with pytest.raises(Damaged, match="-wal is missing") as refused:
        SqliteStore(str(copy))
    assert isinstance(refused.value, Refused)
    Path(f"{copy}-shm").unlink()
    SqliteStore(str(copy)).close()
