"""The heads file: what it records, what it detects, and that no error of it harms a commit."""

import errno
import json
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from threading import Barrier, Thread

import pytest
from damaging import rewrite
from ledger_records import fill, record_after, records_after, some_records
from ledger_writers import opened_at_once, shares
from places import TESTS

from ledger.entry import Who
from ledger.errors import Cut, ForeignFile, ReadOnly, SessionDeleted, Stale, Unusable
from ledger.stores import Head, open_store
from ledger.stores.heads import HeadsFile, HeadsReport
from ledger.stores.sqlite import SqliteStore
from ledger.stores.sqlite.schema import SPAN
from ledger.tombstone import Deletion

DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")
KEY, OTHER = b"k" * 40, b"o" * 40
COUNT = 8


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fight.db"


@pytest.fixture
def heads(path: Path) -> Path:
    return path.with_name("fight.db-heads")


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(str(path))) as store:
        yield store


def lines(heads: Path) -> list[dict]:
    return [json.loads(line) for line in heads.read_bytes().split(b"\n") if line]


def told(heads: Path) -> list[tuple[str, int]]:
    return [(line["session"], line["seq"]) for line in lines(heads) if "session" in line]


def examined(path: Path, session: str | None = None, keys: tuple[bytes, ...] = ()) -> HeadsReport:
    with closing(SqliteStore(str(path), keys=keys)) as store:
        report = store.heads.examine(session)
    assert report is not None
    return report


def write(store: SqliteStore, session: str = "doors", text: str = "More.") -> None:
    head = store.head(session)
    store.append(session, [record_after(head, text)], expected=head.seq)


# ------------------------------------------------------------------------------------------------ what it remembers


def test_each_commit_tells_the_head_that_it_has_made(store: SqliteStore, heads: Path) -> None:
    assert not heads.exists()
    store.create("doors")
    records = some_records(3)
    store.append("doors", records[:2], expected=0)
    store.append("doors", records[2:], expected=2, key="k")
    store.append("doors", records[2:], expected=2, key="k")  # which is a repeat
    store.create("Ünïcødé 龍\n", some_records(2, "Ünïcødé 龍\n"))
    store.seal("doors", "seed", b"secret")
    begun, *marks = lines(heads)
    assert begun.keys() == {"heads", "at"}
    # The first two: what the ledger held when the file was created, and the commit that created it.
    assert [(mark["session"], mark["seq"]) for mark in marks] == [
        ("doors", 0), ("doors", 0), ("doors", 2), ("doors", 3), ("Ünïcødé 龍\n", 2)
    ]  # fmt: skip
    assert marks[-2] == {"at": marks[-2]["at"], "session": "doors", "seq": 3, "digest": records[2].digest.hex()}
    assert all(len(mark["at"]) == len("2024-11-03T19:30:00.000Z") for mark in marks)


def test_what_is_written_together_is_told_at_once_and_each_session_once(
    store: SqliteStore, heads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("doors", "windows", "roofs"):
        store.create(name)
    before, writes = told(heads), list[int]()
    real = os.write
    monkeypatch.setattr(
        "ledger.stores.heads.heads_file.os.write", lambda file, data: writes.append(file) or real(file, data)
    )
    with store.together():
        for name in ("doors", "windows", "doors", "doors"):
            write(store, name)
        assert told(heads) == before
    assert len(writes) == 1
    assert told(heads)[len(before) :] == [("doors", 3), ("windows", 1)]


def test_what_was_not_written_is_not_told(store: SqliteStore, heads: Path) -> None:
    fill(store, 2)
    before = heads.read_bytes()
    with pytest.raises(Stale):
        store.append("doors", some_records(1), expected=0)
    with store.together(), pytest.raises(Stale):
        store.append("doors", some_records(1), expected=0, key="k")
    connection = store._writing._connection
    connection.execute("PRAGMA max_page_count=1")
    with pytest.raises(Exception, match="disk"), store.together():
        store.append("doors", records_after(store.head("doors"), ["x" * 50_000]), expected=2)
    assert heads.read_bytes() == before


def test_the_part_that_was_rolled_back_is_not_told_with_the_others(store: SqliteStore, heads: Path) -> None:
    fill(store, 2)
    fill(store, 2, "windows")
    with pytest.raises(ZeroDivisionError), store.together():
        write(store)
        with store._writing as cursor:
            cursor.execute("INSERT INTO sealed VALUES (1, 'x', 'x')")
            store._writing.note(type(store._writing._noted[0])("windows", 99, b"never"))
            _ = 1 / 0
    assert told(heads)[-1] == ("doors", 3)
    assert ("windows", 99) not in told(heads)


def test_deletion_and_import_are_told_too(store: SqliteStore, path: Path, heads: Path) -> None:
    records = fill(store, 3)
    store.create("windows", some_records(5, "windows"))
    store.delete("doors", DELETION)
    stone = store.tombstones()[0]
    last = lines(heads)[-1]
    assert {name: last[name] for name in ("session", "seq", "digest", "deleted")} == {
        "session": "doors", "seq": len(records), "digest": stone.digest.hex(), "deleted": 1
    }  # fmt: skip
    assert examined(path).holds


def test_a_ledger_that_had_none_gets_one_with_all_its_sessions(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        for name in ("doors", "windows", "roofs"):
            fill(store, 3, name)
        store.create("attics")
        store.delete("windows", DELETION)
    heads.unlink()
    with closing(SqliteStore(str(path))) as store:
        store.read("doors")
        assert store.heads.examine() is None
        write(store, "roofs")
        assert told(heads) == [("doors", 3), ("roofs", 4), ("attics", 0), ("windows", 3), ("roofs", 4)]
    assert examined(path).holds


def test_a_file_that_is_removed_while_it_is_in_use_is_made_again(store: SqliteStore, heads: Path) -> None:
    fill(store, 3)
    heads.unlink()
    write(store)
    assert ("doors", 4) in told(heads)
    heads.write_bytes(b"")
    write(store)
    report = store.heads.examine()
    assert report is not None
    assert report.holds
    assert ("doors", 5) in told(heads)


def test_it_has_the_permissions_of_the_ledger(path: Path, heads: Path) -> None:
    SqliteStore(str(path)).close()
    path.chmod(0o640)
    with closing(SqliteStore(str(path))) as store:
        fill(store, 1)
    assert heads.stat().st_mode & 0o777 == 0o640


# ------------------------------------------------------------------------------------------------ what it finds out


@pytest.mark.parametrize("gone", range(1, COUNT + 1))
def test_however_many_entries_are_cut_from_the_end_it_is_told_how_many_and_since_when(path: Path, gone: int) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 0)
        for number in range(COUNT):
            write(store, text=f"{number}")
        windows = fill(store, 3, "windows")
    rewrite(path, f"DELETE FROM entries WHERE id > {SPAN} + {COUNT - gone} AND id < 2 * {SPAN}")
    with closing(SqliteStore(str(path))) as store:
        for call in (
            lambda: store.read("doors"),
            lambda: store.head("doors"),
            lambda: store.append("doors", some_records(1), expected=0),
            lambda: store.seals("doors"),
        ):
            with pytest.raises(Cut) as cut:
                call()
            assert f"{gone} {'entry' if gone == 1 else 'entries'} of 'doors'" in cut.value.message
            assert f"entry {COUNT} was there at 20" in cut.value.message
            assert ("2024-11-03T19:30:00.000Z" in cut.value.message) == (gone < COUNT)
            assert (cut.value.slug, cut.value.seq) == ("log/cut", COUNT)
            assert "affray heads --renew" in cut.value.accepts
        assert list(store.read("windows")) == windows
        write(store, "windows")
        report = store.heads.examine()
    assert report is not None
    assert [str(found) for found in report.breaks] == [str(cut.value).partition(" (accepted")[0]]
    assert not report.holds


@pytest.mark.parametrize("since", range(1, COUNT + 1))
def test_entries_that_were_replaced_from_some_entry_on_are_found_out(path: Path, since: int) -> None:
    with closing(SqliteStore(str(path))) as store:
        records = fill(store, COUNT)
    before = Head(since - 1, records[since - 2].digest) if since > 1 else Head(0, store_genesis())
    others = records_after(before, ["Another word."] * (COUNT - since + 3))
    rewrite(path, f"DELETE FROM entries WHERE id >= {SPAN} + {since}")
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        rows = [(SPAN + record.seq, record.line, record.secret, record.digest) for record in others]
        shell.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
    with closing(SqliteStore(str(path))) as store, pytest.raises(Cut, match="differs from the one that was there"):
        store.read("doors")


def store_genesis() -> bytes:
    from ledger.chain import genesis

    return genesis("doors")


def test_a_write_ahead_log_that_was_lost_is_found_out(path: Path, tmp_path: Path) -> None:
    (tmp_path / "later").mkdir()
    copy = tmp_path / "later" / "fight.db"
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        store._writing._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        write(store)
        write(store)
        fill(store, 2, "windows")
        for ending in ("", "-heads"):
            shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
    with closing(SqliteStore(str(copy))) as store:
        with pytest.raises(Cut, match="2 entries of 'doors' are missing"):
            store.head("doors")
        with pytest.raises(Cut, match="'windows' is missing with all 2 entries"):
            store.head("windows")
        assert {cut.message.split("'")[1] for cut in examined(copy).breaks} == {"doors", "windows"}


def test_a_session_that_was_lost_whole_can_be_brought_back_from_an_export(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        records = fill(store, 5)
    rewrite(path, "DELETE FROM entries", "DELETE FROM sessions")
    with closing(SqliteStore(str(path))) as store:
        with pytest.raises(Cut):
            store.head("doors")
        store.create("doors", records[:3])
        with pytest.raises(Cut, match="2 entries"):
            store.head("doors")
        assert not examined(path).holds
    rewrite(path, "DELETE FROM entries", "DELETE FROM sessions")
    with closing(SqliteStore(str(path))) as store:
        store.create("doors", records)
        assert list(store.read("doors")) == records
    assert examined(path).holds


@pytest.mark.parametrize(
    "statements",
    [
        ["DELETE FROM tombstones WHERE number = 2"],
        ["DELETE FROM tombstones"],
        ["DELETE FROM tombstones", "DELETE FROM sessions"],
        ["UPDATE tombstones SET digest = 'x' WHERE number = 2"],
    ],
)
def test_a_tombstone_that_is_missing_is_found_out(path: Path, statements: list[str]) -> None:
    with closing(SqliteStore(str(path))) as store:
        for name in ("doors", "windows"):
            fill(store, 2, name)
            store.delete(name, DELETION)
    assert examined(path).holds
    rewrite(path, *statements)
    report = examined(path)
    assert any("'windows' was deleted at" in cut.message for cut in report.breaks)
    if "UPDATE" not in statements[0]:
        with closing(SqliteStore(str(path))) as store, pytest.raises(Cut, match="tombstone 2 is missing"):
            store.head("windows")


def test_a_session_that_was_cut_before_it_was_deleted_is_found_out(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 5)
    heads = path.with_name("fight.db-heads")
    kept = heads.read_bytes()
    rewrite(path, f"DELETE FROM entries WHERE id > {SPAN} + 3")
    heads.unlink()
    with closing(SqliteStore(str(path))) as store:
        store.delete("doors", DELETION)
    heads.write_bytes(kept)
    (cut,) = examined(path).breaks
    assert "deleted with only 3 entries" in cut.message


def test_an_older_copy_that_is_put_back_is_found_out_until_it_is_said_that_it_is_right(
    path: Path, heads: Path, tmp_path: Path
) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
    shutil.copyfile(path, tmp_path / "backup.db")
    with closing(SqliteStore(str(path))) as store:
        write(store)
        fill(store, 3, "windows")
    shutil.copyfile(tmp_path / "backup.db", path)
    with closing(SqliteStore(str(path))) as store, closing(SqliteStore(str(path))) as other:
        for each in (store, other):
            with pytest.raises(Cut, match="1 entry of 'doors' is missing"):
                each.head("doors")
        store.heads.renew(Who("Ana"), "The disk was broken.")
        for seq, each in enumerate((store, other), 3):
            assert each.head("doors").seq == seq
            write(each)
        report = store.heads.examine()
        assert report is not None
        assert report.begun is not None
        assert (report.begun.by, report.begun.why) == (Who("Ana"), "The disk was broken.")
        assert report.holds
        assert told(heads) == [("doors", 3), ("doors", 4), ("doors", 5)]


def test_a_session_of_which_no_line_tells_is_reported(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        fill(store, 3, "windows")
    heads.write_bytes(b"\n".join(line for line in heads.read_bytes().split(b"\n") if b"windows" not in line))
    report = examined(path)
    assert (report.holds, report.unmarked) == (True, ("windows",))
    assert examined(path, "doors").unmarked == ()


# ------------------------------------------------------------------------------------------------ damage to itself


@pytest.mark.parametrize("left", [1, 20, 60, 100])
def test_a_line_that_was_torn_by_a_crash_tells_nothing_and_does_no_harm(path: Path, heads: Path, left: int) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        write(store)
    whole = heads.read_bytes()
    start = whole.rindex(b"\n") + 1
    heads.write_bytes(whole[: start + left])
    torn = whole.count(b"\n") + 1
    report = examined(path)
    assert (report.holds, report.torn) == (True, (torn,))
    with closing(SqliteStore(str(path))) as store:
        write(store)
    report = examined(path)
    assert (report.holds, report.torn, report.garbage) == (True, (torn,), ())
    assert json.loads(heads.read_bytes().split(b"\n")[-1])["seq"] == 5


def test_a_block_of_zeros_at_the_end_as_after_a_power_failure_does_no_harm(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
    with heads.open("ab") as file:
        file.write(b"\0" * 4096)
    with closing(SqliteStore(str(path))) as store:
        write(store)
    assert examined(path).holds


GARBAGE = [
    b"garbage",
    b"{}",
    b'{"at":"x","session":"doors","seq":-1,"digest":"x"}',
    b'{"at":"x","session":"doors","seq":99999999999999999999,"digest":"x"}',
    b'{"at":"x","session":"doors","seq":1.5,"digest":"x"}',
    b'{"at": "x","session":"doors","seq":1,"digest":"x"}',
    b'{"at":"x","session":"doors","seq":1,"digest":"x","more":1}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_a_line_that_is_none_is_a_finding_and_does_no_harm(path: Path, heads: Path, garbage: bytes) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
    nothing, begun, *rest = heads.read_bytes().split(b"\n")
    heads.write_bytes(b"\n".join([nothing, begun, garbage, *rest]))
    report = examined(path)
    assert (report.holds, report.garbage, report.breaks) == (False, (3,), ())
    with closing(SqliteStore(str(path))) as store:
        write(store)
        assert store.head("doors").seq == 4


@pytest.mark.parametrize("left", range(1, 40, 3))
def test_a_first_line_that_was_torn_is_no_reason_to_refuse_the_ledger_and_is_made_good(
    path: Path, heads: Path, left: int
) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        fill(store, 2, "windows")
    heads.write_bytes(heads.read_bytes()[:left])
    with closing(SqliteStore(str(path))) as store:
        assert store.head("doors").seq == 3
        write(store)
        report = store.heads.examine()
        assert report is not None
        assert (report.holds, report.unmarked, report.garbage) == (True, (), ())
        assert set(told(heads)) == {("doors", 4), ("windows", 2)}


@pytest.mark.parametrize("room", [0, 1, 20, 60, 150, 300])
def test_a_first_write_for_which_there_was_no_room_leaves_no_session_out_later(
    path: Path, heads: Path, monkeypatch: pytest.MonkeyPatch, room: int, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(SqliteStore(str(path))) as store:
        for name in ("doors", "windows", "roofs"):
            fill(store, 1, name)
    heads.unlink()
    with closing(SqliteStore(str(path))) as store, caplog.at_level(logging.WARNING):
        with monkeypatch.context() as patch:
            full_disk(patch, room)
            write(store, "doors")
        assert "cannot be written" in caplog.text
        write(store, "doors")
        report = store.heads.examine()
        assert report is not None
        assert (report.holds, report.unmarked) == (True, ())
        assert {("doors", 3), ("windows", 1), ("roofs", 1)} <= set(told(heads))
    assert examined(path).holds
    assert sorted(file.name for file in path.parent.iterdir()) == ["fight.db", "fight.db-heads", "fight.db-turn"]


def full_disk(patch: pytest.MonkeyPatch, room: int) -> None:
    """Limits how many bytes can be written, by any means."""
    left = [room]
    real = os.write

    def write(file: int, data: bytes) -> int:
        if data and not left[0]:
            raise OSError(errno.ENOSPC, "no room")
        taken, left[0] = data[: left[0]], max(0, left[0] - len(data))
        return real(file, taken)

    patch.setattr("ledger.stores.heads.heads_file.os.write", write)


@pytest.mark.parametrize("how", ["at once", "without links", "as it is"])
def test_processes_that_make_the_file_at_the_same_time_leave_no_session_out(
    path: Path, heads: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore(str(path))) as store:
        for number in range(20):
            fill(store, 1, f"session {number}")
    if how == "as it is":
        heads.write_bytes(b"\n")
    else:
        heads.unlink()
    if how == "without links":
        monkeypatch.setattr("os.link", no_links)
    start = Barrier(6)

    def work(name: str) -> None:
        with closing(SqliteStore(str(path))) as store:
            start.wait()
            write(store, name)

    threads = [Thread(target=work, args=(f"session {number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = examined(path)
    assert (report.holds, report.unmarked, report.torn) == (True, (), ())
    assert {(f"session {number}", 2) for number in range(6)} <= set(told(heads))


def no_links(*_: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_a_file_that_was_emptied_while_it_is_in_use_is_begun_anew_and_says_so(
    store: SqliteStore, heads: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(store, 2)
    fill(store, 2, "windows")
    os.truncate(heads, 0)
    with caplog.at_level(logging.WARNING):
        write(store)
    report = store.heads.examine()
    assert report is not None
    assert report.begun is not None
    assert (report.holds, report.unmarked, "emptied" in report.begun.why) == (True, (), True)
    assert f"the heads file {heads} was emptied" in caplog.text


def test_a_file_that_has_lost_its_first_line_is_a_finding(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
    heads.write_bytes(heads.read_bytes().replace(b'"at"', b'"AT"', 1))
    assert not examined(path).holds


@pytest.mark.parametrize("content", [b"Dear diary", b"SQLite format 3\0", b'{"session":"x"}'])
def test_another_programs_file_is_refused_and_not_touched(path: Path, heads: Path, content: bytes) -> None:
    heads.write_bytes(content)
    with pytest.raises(ForeignFile, match="not a heads file"):
        SqliteStore(str(path))
    assert heads.read_bytes() == content


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-turn"])
def test_the_ledgers_own_files_are_no_place_for_it(path: Path, ending: str) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
        with pytest.raises(ForeignFile, match="of the ledger itself"):
            SqliteStore(str(path), heads=f"{path}{ending}")
        assert store.head("doors").seq == 3
        write(store)


# ------------------------------------------------------------------------------------------------ places


def test_it_may_lie_elsewhere(path: Path, heads: Path, tmp_path: Path) -> None:
    other = tmp_path / "other disk"
    other.mkdir()
    for place, file in ((str(other / "mine"), other / "mine"), (str(other), other / "fight.db-heads")):
        with closing(open_store(f"sqlite:///{path}", heads=place)) as store:
            store.create(file.name)
        assert (file.name, 0) in told(file)
    assert not heads.exists()


@pytest.mark.parametrize("only_read", [True, False])
def test_a_heads_file_that_may_not_be_read_is_refused_by_its_name(
    path: Path, heads: Path, monkeypatch: pytest.MonkeyPatch, only_read: bool
) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
    with closing(SqliteStore(str(path), only_read=only_read)) as store:
        forbid(monkeypatch, heads)
        for ask in (lambda: store.head("doors"), lambda: store.read("doors"), store.heads.examine):
            with pytest.raises(ReadOnly) as refused:
                ask()
            assert refused.value.where == str(heads)
            assert str(heads) in refused.value.message
    if not only_read:
        with pytest.raises(ReadOnly) as refused:
            SqliteStore(str(path))
        assert refused.value.where == str(heads)


def forbid(patch: pytest.MonkeyPatch, file: Path) -> None:
    """Makes a file inaccessible, even to root."""
    real_open, real_os_open = open, os.open

    def check(path: object) -> None:
        if path == str(file):
            raise PermissionError(errno.EACCES, "Permission denied", path)

    patch.setattr("builtins.open", lambda path, *rest, **more: (check(path), real_open(path, *rest, **more))[1])
    patch.setattr("os.open", lambda path, *rest, **more: (check(path), real_os_open(path, *rest, **more))[1])


def test_a_folder_that_is_not_there_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="there is no folder"):
        SqliteStore(str(path), heads=str(tmp_path / "nowhere" / "heads"))


def test_where_it_cannot_be_written_the_commit_stands_and_it_is_logged_once(
    store: SqliteStore, heads: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(store, 1)
    kept = heads.read_bytes()
    heads.unlink()
    heads.mkdir()
    with caplog.at_level(logging.WARNING):
        write(store)
        write(store)
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        f"the heads file {heads} cannot be written"
    ]
    heads.rmdir()
    heads.write_bytes(kept)
    write(store)
    assert told(heads)[-1] == ("doors", 4)


def test_where_the_disk_is_full_it_is_written_as_soon_as_there_is_room(
    store: SqliteStore, heads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr("ledger.stores.heads.heads_file.os.write", lambda file, data: real(file, data[:30]))
        write(store)
    write(store)
    report = store.heads.examine()
    assert report is not None
    assert (report.holds, len(report.torn)) == (True, 1)
    assert json.loads(heads.read_bytes().split(b"\n")[-1])["seq"] == 3


# ------------------------------------------------------------------------------------------------ the disk


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch, heads: Path) -> list[tuple[int, int]]:
    """Fills with what was synced: the thread, and the size of the heads file."""
    seen: list[tuple[int, int]] = []
    real = os.fsync

    def fsync(file: int) -> None:
        if heads.exists() and os.path.sameopenfile(file, file) and os.fstat(file).st_ino == heads.stat().st_ino:
            seen.append((threading.get_ident(), os.fstat(file).st_size))
        real(file)

    monkeypatch.setattr("ledger.stores.heads.heads_file.os.fsync", fsync)
    return seen


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_what_was_told_is_on_the_disk_soon_though_nothing_more_is_written(
    path: Path, heads: Path, synced: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.stores.heads.heads_file.SYNC", 0.02)
    with closing(SqliteStore(str(path))) as store:
        for _ in range(3):
            fill(store, 1, f"session {len(synced)} {time.monotonic_ns()}")
            size = heads.stat().st_size
            until(lambda size=size: any(length == size for _, length in synced))
        assert threading.get_ident() not in {thread for thread, _ in synced}  # no commit waits for it


def test_what_was_told_is_on_the_disk_when_the_ledger_is_closed(
    path: Path, heads: Path, synced: list[tuple[int, int]]
) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 1)
        write(store)
        assert synced == []
    assert [size for _, size in synced] == [heads.stat().st_size]


def test_what_was_told_is_on_the_disk_when_a_process_ends_without_a_word(path: Path) -> None:
    program = (
        "import os, sys\n"
        "sys.path[:0] = [sys.argv[2]]\n"
        "from ledger_records import fill\n"
        "from ledger.stores.sqlite import SqliteStore\n"
        "import ledger.stores.heads.heads_file as file\n"
        "real = os.fsync\n"
        "file.os.fsync = lambda number: (print(os.readlink(f'/proc/self/fd/{number}')), real(number))\n"
        "store = SqliteStore(sys.argv[1])\n"
        "fill(store, 3)\n"
    )
    if sys.platform != "linux":
        pytest.skip("there is no /proc here")
    words = [sys.executable, "-c", program, str(path), str(TESTS / "support")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-2] == f"{path}-heads"
    assert done.stderr == ""


# ------------------------------------------------------------------------------------------------ growing, sharing


def test_when_it_has_grown_it_is_cut_to_a_line_a_session_and_still_finds_everything_out(
    path: Path, heads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.stores.heads.heads_file.SMALL", 4_000)
    names = ["doors", "windows", "roofs"]
    for _ in range(4):
        with closing(SqliteStore(str(path))) as store:
            for name in names:
                if name not in store.sessions():
                    store.create(name)
            for _ in range(10):
                for name in names:
                    write(store, name)
    assert heads.stat().st_size < 4_000
    assert set(told(heads)) == {(name, 40) for name in names}
    with closing(SqliteStore(str(path))) as store:
        store.delete("roofs", DELETION)
        for _ in range(30):
            write(store, "doors")
    assert set(told(heads)) == {("doors", 70), ("windows", 40), ("roofs", 40)}
    assert examined(path).holds
    rewrite(path, f"DELETE FROM entries WHERE id = {SPAN} + 70")
    assert [cut.seq for cut in examined(path).breaks] == [70]


def test_evidence_is_kept_when_it_is_cut_to_what_is_needed(
    path: Path, heads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.stores.heads.heads_file.SMALL", 2_000)
    with closing(SqliteStore(str(path))) as store:
        fill(store, 5)
        evidence = b'{"at":"2024-11-03T19:30:00.000Z","session":"doors","seq":3,"digest":"%s"}' % (b"0" * 64)
        with heads.open("ab") as file:
            file.write(b"\ngarbage\n" + evidence + b'\n{"at":"2024-')
        for _ in range(30):
            write(store)
    kept = heads.read_bytes().split(b"\n")
    assert len(kept) < 10
    assert evidence in kept
    assert b"garbage" in kept
    assert b'{"at":"2024-' not in kept
    assert len(examined(path).breaks) == 1


def test_many_who_write_while_it_is_cut_again_and_again_lose_nothing(
    path: Path, heads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.stores.heads.heads_file.SMALL", 1_500)
    monkeypatch.setattr("ledger.stores.heads.heads_file.GROWTH", 1)
    monkeypatch.setattr("ledger.stores.heads.heads_file.SYNC", 0.005)
    cut: list[int] = []
    real = HeadsFile._replace
    monkeypatch.setattr(HeadsFile, "_replace", lambda self, lines: real(self, lines) and not cut.append(1))
    names = [f"session {number}" for number in range(4)]
    start = Barrier(len(names))

    def work(name: str) -> None:
        with closing(SqliteStore(str(path))) as store:
            store.create(name)
            start.wait()
            for _ in range(60):
                write(store, name)

    threads = [Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = examined(path)
    assert (report.holds, report.torn, report.unmarked) == (True, (), ())
    assert {name: max(seq for session, seq in told(heads) if session == name) for name in names} == dict.fromkeys(
        names, 60
    )
    assert len(cut) > 3
    assert sorted(file.name for file in path.parent.iterdir()) == ["fight.db", "fight.db-heads", "fight.db-turn"]


def test_processes_that_write_at_the_same_time_share_it(path: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        for name in ("doors", "windows"):
            store.create(name)
    written = [count for count, _ in shares(path, ["doors", "windows"], 0.5)]
    report = examined(path)
    assert (report.holds, report.torn) == (True, ())
    assert sum(written) > 0
    with closing(SqliteStore(str(path))) as store:  # each line may stand for several commits, the last ones count
        known = dict(told(Path(store.heads.path)))
        assert known == {name: store.head(name).seq for name in ("doors", "windows")}


def test_processes_that_make_it_at_the_same_time_share_it(path: Path) -> None:
    sessions = ["doors", "windows", "roofs", "cellars"]
    opened_at_once(path, sessions)
    report = examined(path)
    assert report.holds
    assert set(report.sessions) == set(sessions)


# ------------------------------------------------------------------------------------------------ signed


def test_where_a_key_is_known_each_line_is_signed(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path), keys=[OTHER, KEY])) as store:
        fill(store, 2)
    assert all(len(line["mac"]) == 64 for line in lines(heads))
    for keys, forged in (((KEY,), 0), ((KEY, OTHER), 0), ((OTHER,), len(lines(heads)))):
        report = examined(path, keys=keys)
        assert len(report.forged or ()) == forged
        assert (report.unsigned, report.signed, report.holds) == ((), len(lines(heads)), not forged)
    assert examined(path).forged is None


def test_another_key_signs_another_way_and_the_key_itself_is_not_used() -> None:
    import hmac

    from ledger.stores.heads import LineSigner
    from ledger.stores.heads.line import read

    plain = b'{"at":"x","session":"doors","seq":1,"digest":"x"}'
    signed = [LineSigner([key]).signed(plain) for key in (KEY, OTHER)]
    assert len(set(signed)) == 2
    assert hmac.digest(KEY, plain, "sha256").hex().encode() not in signed[0]
    (line,) = read(signed[0])
    assert LineSigner([OTHER, KEY]).is_own(line)
    assert not LineSigner([OTHER]).is_own(line)


def test_a_line_that_was_altered_or_made_by_others_is_found_out_and_not_believed(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path), keys=[KEY])) as store:
        fill(store, 3)
    kept = heads.read_bytes()
    last = kept.split(b"\n")[-1]
    forged = last.replace(b'"seq":3', b'"seq":2')
    assert forged != last
    heads.write_bytes(kept.replace(last, forged))
    assert examined(path, keys=(KEY,)).forged == (kept.count(b"\n") + 1,)

    heads.write_bytes(kept + b"\n" + last.replace(b'"seq":3', b'"seq":9'))
    with closing(SqliteStore(str(path), keys=[KEY])) as store:
        assert store.head("doors").seq == 3
    with closing(SqliteStore(str(path))) as store, pytest.raises(Cut):  # who knows no key has to believe it
        store.head("doors")


def test_lines_that_nobody_has_signed_are_counted_until_the_file_is_written_anew(path: Path, heads: Path) -> None:
    with closing(SqliteStore(str(path))) as store:
        fill(store, 3)
    with closing(SqliteStore(str(path), keys=[KEY])) as store:
        write(store)
        report = store.heads.examine()
        assert report is not None
        assert (len(report.unsigned), report.signed, report.forged) == (len(lines(heads)) - 1, 1, ())
        store.heads.renew(Who("Ana"), "From now on they are signed.")
        write(store)
        report = store.heads.examine()
    assert report is not None
    assert (report.unsigned, report.signed, report.holds) == ((), 3, True)


def test_the_last_signed_head_is_kept_when_the_file_is_cut(
    path: Path, heads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.stores.heads.heads_file.SMALL", 1_500)
    with closing(SqliteStore(str(path), keys=[KEY])) as store:
        fill(store, 3)
        write(store)
    with closing(SqliteStore(str(path))) as store:
        for _ in range(20):
            write(store)
    marks = [(line["seq"], "mac" in line) for line in lines(heads)[1:]]
    assert (4, True) in marks
    assert marks[-1] == (24, False)
    assert len(marks) < 5
    assert all(before <= after for before, after in pairwise(seq for seq, _ in marks))


def test_a_deleted_session_is_told_as_such_and_not_as_cut(path: Path) -> None:
    with closing(SqliteStore(str(path))) as one, closing(SqliteStore(str(path))) as other:
        fill(one, 3)
        assert other.head("doors").seq == 3
        one.delete("doors", DELETION)
        with pytest.raises(SessionDeleted):
            other.head("doors")
    with closing(SqliteStore(str(path))) as store, pytest.raises(SessionDeleted):
        store.head("doors")
