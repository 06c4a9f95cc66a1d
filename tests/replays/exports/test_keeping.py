"""Backing up, restoring and copying: whole, verified, and nothing overwritten; or nothing at all."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from damaging import SESSION, cut, damages, play, put, recorded, rewrite, unprotected
from ledger_records import fill, record_after
from places import TESTS
from postgres_server import Server

from ledger.chain import check, genesis
from ledger.commands import DrawDice, Reveal
from ledger.errors import (
    AlreadyThere,
    Broken,
    Cut,
    Damaged,
    ForeignFile,
    Full,
    NoFile,
    NoSuchSession,
    Oversized,
    Unusable,
)
from ledger.stores import open_store
from ledger.stores.sqlite import SqliteStore
from ledger.stores.sqlite.backup import copied
from ledger.stores.sqlite.schema import SPAN
from replays.api.session import Session
from replays.exports import jsonl
from replays.exports.backup import backup, restore
from replays.exports.copying.ledger_copy import copy_sessions
from replays.exports.copying.session_copier import Copied
from replays.exports.session_problems import SessionProblem
from replays.server.callers.tokens import Scope, Signer, Tokens
from replays.sessions.log import Log
from replays.sessions.record.verify import verify

PAGE = 8192


def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with a fight in it, with keys and seals, and with a session of many pages."""
    path = tmp_path / "fight.db"
    with closing(open_store(url(path))) as store:
        play(store)
        Tokens(Signer(["a key"]), store).issue(SESSION, Scope.GM, "ann")
        Session.create(store, ruleset="gurps_3e", session="OTHER")
    return path


def everything(address: str, names: tuple[str, ...] = ()) -> dict[str, object]:
    """All that a ledger has."""
    with closing(open_store(address, create=False)) as store:
        return {
            session: (
                list(store.read(session)), dict(store.keys(session)),
                {name: store.unseal(session, name) for name in store.seals(session)},
                list(jsonl.export(Log(store, session))), verify(store, session),
            )
            for session in names or store.sessions()
        }  # fmt: skip


def litter(folder: Path) -> list[str]:
    """Returns the names of leftover temporary and journal files in a folder."""
    return sorted(file.name for file in folder.iterdir() if file.name.endswith((".part", "-wal", "-shm", "-journal")))


# ------------------------------------------------------------------------------------------------ backup


def test_a_backup_is_one_file_that_has_everything(ledger: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "copy.db"
    copy.parent.mkdir()
    kept = backup(url(ledger), copy)

    assert (kept.sessions, kept.entries, kept.problems) == (2, 18, ())
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert everything(url(copy)) == everything(url(ledger))
    with closing(sqlite3.connect(copy)) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM entries")


def test_a_backup_of_a_ledger_in_use_has_all_that_was_acknowledged_before(tmp_path: Path) -> None:
    """A plain copy of the file has not: it is shorter or has no session at all, and nothing in it shows that."""
    path = tmp_path / "fight.db"
    with closing(open_store(url(path))) as store:
        store.create("doors")
    writer = subprocess.Popen(
        [sys.executable, TESTS / "support" / "ledger_writers.py", "on", url(path), "doors", "key"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert writer.stdout is not None
    shorter = 0
    try:
        for number in range(8):
            for _ in range(30):
                said = writer.stdout.readline()
                assert said, "the writer has ended"
            acknowledged = int(said.split()[0])
            alone, copy = tmp_path / f"alone-{number}.db", tmp_path / f"copy-{number}.db"
            shutil.copy(path, alone)
            assert backup(url(path), copy).problems == ()
            with closing(open_store(url(copy))) as store:
                records = list(check(store.read("doors"), genesis("doors")))
            assert len(records) >= acknowledged
            shorter += seen(alone) < acknowledged
    finally:
        writer.kill()
        writer.communicate()
    assert shorter


def seen(path: Path) -> int:
    """How many entries a copied file has."""
    try:
        with closing(open_store(url(path))) as store:
            return store.head("doors").seq
    except (NoSuchSession, Damaged):
        return 0


@pytest.mark.parametrize("ending", ["", "-wal", "-journal", "-shm"])
def test_nothing_is_overwritten(ledger: Path, tmp_path: Path, ending: str) -> None:
    there = Path(f"{tmp_path / 'copy.db'}{ending}")
    there.write_bytes(b"a letter")
    with pytest.raises(AlreadyThere):
        backup(url(ledger), tmp_path / "copy.db")
    assert there.read_bytes() == b"a letter"
    assert litter(tmp_path) == ([there.name] if ending else [])


def test_a_file_that_comes_while_it_is_copied_is_not_overwritten_either(ledger: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with pytest.raises(AlreadyThere), copied(str(ledger), str(target)):
        target.write_bytes(b"a letter")
    assert target.read_bytes() == b"a letter"
    assert litter(tmp_path) == []


def test_two_who_back_up_into_one_file_make_one_backup(ledger: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with pytest.raises(AlreadyThere), copied(str(ledger), str(target)):
        backup(url(ledger), target)
    assert everything(url(target)) == everything(url(ledger))


def test_what_interrupts_a_backup_leaves_nothing(ledger: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), copied(str(ledger), str(tmp_path / "copy.db")):
        raise KeyboardInterrupt
    assert {file.name for file in tmp_path.iterdir()} == {"fight.db", "fight.db-turn", "fight.db-heads"}


def test_a_damaged_file_has_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    with closing(open_store(url(path))) as store:
        fill(store, 100)
    whole = path.read_bytes()
    refused = 0
    for start in range(PAGE, len(whole) - PAGE, 3 * PAGE):
        path.write_bytes(whole[:start] + b"\x05\x01" * (PAGE // 2) + whole[start + PAGE :])
        try:
            found = backup(url(path), tmp_path / "copy.db")
        except (Damaged, Unusable, NoSuchSession):
            assert not (tmp_path / "copy.db").exists()
            refused += 1
        else:
            assert found.problems or found.sessions == 0
            (tmp_path / "copy.db").unlink()
    assert refused > 2
    assert litter(tmp_path) == []


def test_a_damaged_session_is_named_and_the_others_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    unprotected(path)
    put(path, next(rows for name, rows in damages(recorded()) if name == "5 line of another row"))
    kept = backup(url(path), tmp_path / "copy.db")

    assert [(problem.session, problem.is_damage) for problem in kept.problems] == [(SESSION, True)]
    assert (tmp_path / "copy.db").exists()
    with pytest.raises(Damaged, match="nothing was restored"):
        restore(tmp_path / "copy.db", url(tmp_path / "again.db"))
    assert not (tmp_path / "again.db").exists()


def lose_entries(ledger: Path) -> str:
    cut(ledger, 3)
    return SESSION


def lose_a_session(ledger: Path) -> str:
    rewrite(ledger, f"DELETE FROM entries WHERE id > {2 * SPAN}", "DELETE FROM sessions WHERE number = 2")
    return "OTHER"


@pytest.fixture(params=[lose_entries, lose_a_session])
def lost(request: pytest.FixtureRequest, ledger: Path) -> str:
    """The session of which the ledger lacks something that its heads file knows of."""
    return request.param(ledger)


@pytest.fixture(params=["beside", "elsewhere"])
def heads(request: pytest.FixtureRequest, ledger: Path, tmp_path: Path) -> str | None:
    """The folder of the ledger's heads file; None where it is beside the ledger."""
    if request.param == "beside":
        return None
    (tmp_path / "elsewhere").mkdir()
    os.rename(f"{ledger}-heads", tmp_path / "elsewhere" / "fight.db-heads")
    return str(tmp_path / "elsewhere")


def test_what_a_ledger_lacks_is_told_when_it_is_backed_up(
    ledger: Path, lost: str, heads: str | None, tmp_path: Path
) -> None:
    kept = backup(url(ledger), tmp_path / "copy.db", heads=heads)
    assert [(problem.session, type(problem.refusal)) for problem in kept.problems] == [(lost, Cut)]
    assert kept.problems[0].is_damage
    assert (tmp_path / "copy.db").exists()


@pytest.mark.parametrize("address", ["memory://", "postgresql://ann:secret@127.0.0.1:1/x"])
def test_what_is_not_a_file_is_told_how_it_is_backed_up(tmp_path: Path, address: str) -> None:
    for do in (lambda: backup(address, tmp_path / "copy.db"), lambda: restore(tmp_path / "copy.db", address)):
        with pytest.raises(NoFile) as refused:
            do()
        assert "secret" not in str(refused.value)
        assert ("pg_dump" in str(refused.value)) == address.startswith("postgresql")


def test_there_has_to_be_a_ledger(tmp_path: Path) -> None:
    with pytest.raises(NoSuchSession):
        backup(url(tmp_path / "none.db"), tmp_path / "copy.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(NoSuchSession):
        backup(url(tmp_path / "empty.db"), tmp_path / "copy.db")
    (tmp_path / "letter.db").write_text("Dear Ann, " * 100)
    with pytest.raises(ForeignFile):
        backup(url(tmp_path / "letter.db"), tmp_path / "copy.db")
    with pytest.raises(ForeignFile):
        restore(tmp_path / "letter.db", url(tmp_path / "copy.db"))
    with pytest.raises(Unusable, match="there is no file"):
        restore(tmp_path / "none.db", url(tmp_path / "copy.db"))
    assert not (tmp_path / "copy.db").exists()


LIMITED = """
import resource, sys
from ledger.errors import Refused
from replays.exports.backup import backup
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    backup(sys.argv[1], sys.argv[2])
except Refused as refusal:
    print(refusal.slug)
"""


@pytest.mark.parametrize("size", [1, 10_000, 60_000])
def test_a_backup_for_which_no_room_is_left_is_refused_and_leaves_nothing(ledger: Path, size: int) -> None:
    folder = ledger.parent
    before = sorted(folder.iterdir())
    command = [sys.executable, "-c", LIMITED, url(ledger), str(folder / "copy.db"), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert done.stdout == f"{Full.slug}\n", done.stderr
    assert sorted(folder.iterdir()) == before


# ------------------------------------------------------------------------------------------------ restore


def test_what_is_restored_is_what_was_backed_up_and_goes_on(ledger: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.db", tmp_path / "again.db"
    backup(url(ledger), copy)
    before = copy.read_bytes()
    assert restore(copy, url(again)).entries == 18
    assert copy.read_bytes() == before
    assert everything(url(again)) == everything(url(ledger))
    with closing(open_store(url(again))) as store:
        session = Session(store, SESSION)
        first = session.perform(session.log.entry(9).command, batch="first blow")
        assert first.seq == 9
        session.undo("round", why="once more")
        for rest in session.rests:
            session.perform(DrawDice(rest.key))
        session.perform(Reveal())
        verify(store, SESSION)
        assert session.audit().is_sound


def test_a_ledger_that_is_there_is_not_overwritten(ledger: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup(url(ledger), copy)
    before = everything(url(ledger))
    with pytest.raises(AlreadyThere):
        restore(copy, url(ledger))
    assert everything(url(ledger)) == before


def copied_by_hand(path: Path, folder: Path, endings: tuple[str, ...]) -> Path:
    """A copy of a ledger in use, of those of its files that are named."""
    for ending in endings:
        shutil.copy(f"{path}{ending}", f"{folder / 'by-hand.db'}{ending}")
    return folder / "by-hand.db"


@pytest.mark.parametrize("endings", [("", "-wal"), ("", "-wal", "-shm")])
def test_a_copy_by_hand_with_its_write_ahead_log_is_restored_whole(tmp_path: Path, endings: tuple[str, ...]) -> None:
    path = tmp_path / "fight.db"
    with closing(open_store(url(path))) as store:
        play(store)
        by_hand = copied_by_hand(path, tmp_path, endings)
        before = {file.name: file.read_bytes() for file in tmp_path.glob("by-hand.db*") if file.suffix != ".db-shm"}
        restore(by_hand, url(tmp_path / "again.db"))
    assert everything(url(tmp_path / "again.db")) == everything(url(path))
    assert {file.name: file.read_bytes() for file in tmp_path.glob("by-hand.db*") if file.suffix != ".db-shm"} == before


def test_a_copy_by_hand_with_an_index_and_no_write_ahead_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    with closing(open_store(url(path))) as store:
        play(store)
        by_hand = copied_by_hand(path, tmp_path, ("", "-shm"))
    with pytest.raises(Damaged, match="-wal is missing"):
        restore(by_hand, url(tmp_path / "again.db"))
    assert not (tmp_path / "again.db").exists()


def test_any_byte_of_a_backup_that_is_changed_is_found_or_does_not_matter(ledger: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.db", tmp_path / "again.db"
    backup(url(ledger), copy)
    whole, sound = copy.read_bytes(), everything(url(ledger))
    refused = 0
    for place in range(50, len(whole), len(whole) // 60):
        copy.write_bytes(whole[:place] + bytes([whole[place] ^ 0x15]) + whole[place + 1 :])
        try:
            restore(copy, url(again))
        except (Damaged, Unusable, NoSuchSession, ForeignFile):
            refused += 1
        else:
            found = everything(url(again))
            assert all(found[session] == sound[session] for session in found)
        assert litter(tmp_path) == []
        again.unlink(missing_ok=True)
    assert refused > 5


# ------------------------------------------------------------------------------------------------ copy


@pytest.fixture(params=["sqlite", "postgres"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of another ledger, which is empty."""
    if request.param == "sqlite":
        return url(tmp_path / "other.db")
    server: Server = request.getfixturevalue("postgres")
    return server.database()


def test_sessions_go_from_store_to_store_and_back_with_all_that_belongs_to_them(
    ledger: Path, other: str, tmp_path: Path
) -> None:
    back = url(tmp_path / "back.db")
    before = everything(url(ledger))
    for source, target in ((url(ledger), other), (other, back)):
        done = list(copy_sessions(source, target))
        assert [(one.session, type(one)) for one in done] == [(SESSION, Copied), ("OTHER", Copied)]
        assert everything(target) == before
    with closing(open_store(other)) as store:
        session = Session(store, SESSION)
        assert session.perform(session.log.entry(9).command, batch="first blow").seq == 9
        session.undo(why="on its own")
    assert len(everything(other)[SESSION][0]) == 18  # type: ignore[index]
    assert everything(url(ledger)) == before


def test_a_session_that_is_there_is_skipped_and_the_others_are_copied(ledger: Path, other: str) -> None:
    assert [one.session for one in copy_sessions(url(ledger), other, ["OTH"])] == ["OTHER"]
    done = list(copy_sessions(url(ledger), other))
    assert [(one.session, isinstance(one, Copied) and one.how) for one in done] == [
        (SESSION, "new"), ("OTHER", "unchanged")
    ]  # fmt: skip
    assert everything(other) == {name: everything(url(ledger))[name] for name in ("OTHER", SESSION)}


def test_a_damaged_session_is_not_copied(tmp_path: Path, other: str) -> None:
    path = tmp_path / "fight.db"
    unprotected(path)
    with closing(open_store(url(path))) as store:
        Session.create(store, ruleset="gurps_3e", session="OTHER")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET digest = zeroblob(32) WHERE id = (SELECT min(id) + 3 FROM entries)")
    done = list(copy_sessions(url(path), other))
    assert [(one.session, type(one)) for one in done] == [(SESSION, SessionProblem), ("OTHER", Copied)]
    assert isinstance(done[0], SessionProblem)
    assert isinstance(done[0].refusal, Broken)
    with closing(open_store(other)) as store:
        assert list(store.sessions()) == ["OTHER"]


def test_a_session_that_lacks_something_is_not_copied_and_the_others_are(
    ledger: Path, lost: str, heads: str | None, tmp_path: Path
) -> None:
    other = url(tmp_path / "other.db")
    done = {one.session: one for one in copy_sessions(url(ledger), other, heads=heads)}
    problem = done.pop(lost)
    assert isinstance(problem, SessionProblem)
    assert isinstance(problem.refusal, Cut)
    assert [type(one) for one in done.values()] == [Copied]
    with closing(open_store(other)) as store:
        assert list(store.sessions()) == list(done)


def test_a_ledger_that_lacks_all_its_sessions_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    with closing(open_store(url(path))) as store:
        Session.create(store, ruleset="gurps_3e", session="ONLY")
    rewrite(path, "DELETE FROM entries", "DELETE FROM sessions")
    (problem,) = copy_sessions(url(path), url(tmp_path / "other.db"))
    assert isinstance(problem, SessionProblem)
    assert (problem.session, type(problem.refusal)) == ("ONLY", Cut)


def test_the_target_is_told_where_its_heads_file_is(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = url(tmp_path / "other.db")
    list(copy_sessions(url(ledger), target, target_heads=str(tmp_path / "elsewhere"), keys=[b"k" * 40]))
    assert not (tmp_path / "other.db-heads").exists()
    with closing(open_store(target, heads=str(tmp_path / "elsewhere"), keys=[b"k" * 40])) as store:
        report = store.heads and store.heads.examine()
    assert report is not None
    assert (report.holds, set(report.sessions), report.unsigned) == (True, {SESSION, "OTHER"}, ())


def test_what_a_ledger_holds_is_not_listed_again_for_each_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[int] = []
    sessions = SqliteStore.sessions

    def counted(store: SqliteStore) -> Sequence[str]:
        found = sessions(store)
        listed.append(len(found))
        return found

    monkeypatch.setattr(SqliteStore, "sessions", counted)
    for many in (2, 12):
        path = tmp_path / f"{many}.db"
        with closing(open_store(url(path))) as store:
            for number in range(many):
                Session.create(store, ruleset="gurps_3e", session=f"S{number}")
        listed.clear()
        assert len(list(copy_sessions(url(path), url(tmp_path / f"copy-{many}.db")))) == many
        assert len(listed) <= 2


@pytest.mark.parametrize("what", ["key", "name", "id"])
def test_a_session_that_the_other_store_cannot_hold_is_a_problem_of_its_own(
    tmp_path: Path, other: str, what: str
) -> None:
    path, long = tmp_path / "fight.db", random.Random(1).randbytes(3_000).hex()
    with closing(open_store(url(path))) as store:
        fill(store, 3, "FIRST")
        odd = long if what == "id" else "ODD"
        fill(store, 2, odd)
        store.append(odd, [record_after(store.head(odd))], expected=2, key=long if what == "key" else "k")
        store.seal(odd, long if what == "name" else "token", b"s")
        fill(store, 3, "LAST")
    done = list(copy_sessions(url(path), other))
    fits = other.startswith("sqlite")
    assert [(one.session, type(one)) for one in done] == [
        ("FIRST", Copied), (odd, Copied if fits else SessionProblem), ("LAST", Copied)
    ]  # fmt: skip
    assert everything(other) == everything(url(path), () if fits else ("FIRST", "LAST"))
    if not fits:
        assert isinstance(done[1], SessionProblem)
        assert isinstance(done[1].refusal, Oversized)
        assert not done[1].is_damage


def test_there_have_to_be_two_ledgers_and_sessions(ledger: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.db"
    for source, names in ((url(none), ()), (url(ledger), ("XYZ",))):
        with pytest.raises(NoSuchSession):
            list(copy_sessions(source, url(tmp_path / "other.db"), names))
    assert not none.exists()
    assert not (tmp_path / "other.db").exists()


COPYING = """
import resource, sys
from ledger.errors import Refused
from replays.exports.copying.ledger_copy import copy_sessions
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    for one in copy_sessions(sys.argv[1], sys.argv[2]):
        print(one.session)
except Refused as refusal:
    print(refusal.slug)
"""


def test_a_session_for_which_no_room_is_left_is_not_copied_in_part(tmp_path: Path) -> None:
    path, target = tmp_path / "fight.db", tmp_path / "other.db"
    with closing(open_store(url(path))) as store:
        Session.create(store, ruleset="gurps_3e", session="SMALL")
        fill(store, 1_500, "LARGE")
    SqliteStore(str(target)).close()
    command = [sys.executable, "-c", COPYING, url(path), url(target), "250000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert done.stdout == f"SMALL\n{Full.slug}\n", done.stderr
    with closing(open_store(url(target))) as store:
        assert list(store.sessions()) == ["SMALL"]
        verify(store, "SMALL")
