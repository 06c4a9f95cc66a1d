"""backup, restore and copy on the command line: their output and exit codes."""

import io
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from damaging import SESSION, cut, damages, play, put, recorded, unprotected
from other_user import as_other_user

from ledger.stores import open_store
from replays.cli.app import run


@pytest.fixture
def played(affray):
    """Sets up a ledger with two sessions."""
    affray("play", "stoya")
    affray("play", "stoya")
    return affray


def spoiled() -> None:
    """Sets up a ledger with a damaged session."""
    unprotected(Path("affray.db").absolute())
    put(Path("affray.db"), next(rows for name, rows in damages(recorded()) if name == "5 line of another row"))


def others() -> list[Path]:
    """Returns the files beside the ledger, some of which an earlier call may just be closing."""
    return sorted(set(Path().iterdir()) - set(Path().glob("affray.db*")))


def test_a_ledger_is_backed_up_and_restored(played) -> None:
    assert "2 sessions, 60 entries in copy.db, verified" in played("backup", "copy.db")
    again = ("--ledger", "sqlite:///again.db")
    said = json.loads(played(*again, "restore", "copy.db", "--json"))

    assert {"file": str(Path("again.db").absolute()), "sessions": 2, "entries": 60, "damaged": []} == said
    assert played(*again, "export") == played("export")
    assert "nothing altered" in played(*again, "verify")
    played(*again, "undo", "--why", "it goes on")


def test_a_call_leaves_nothing_beside_the_ledger_that_would_have_to_be_copied_with_it() -> None:
    program = "import sys; from replays.cli.app import run; sys.exit(run(sys.argv[1:]))"
    for verb in (("play", "stoya"), ("undo", "--why", "no"), ("show",), ("why", "nothing"), ("backup", "copy.db")):
        subprocess.run([sys.executable, "-c", program, *verb], capture_output=True, check=False, timeout=60)
        assert not list(Path().glob("*-wal")), verb
        assert not list(Path().glob("*-shm")), verb
    shutil.copy("affray.db", "alone.db")
    assert 31 == json.loads(_said("--ledger", "sqlite:///alone.db", "show", "--json"))["entries"]


def _said(*verb: str) -> str:
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(said):
        assert 0 == run(verb)
    said.seek(0)
    return said.read()


def test_nothing_is_overwritten(played) -> None:
    played("backup", "copy.db")
    before = Path("copy.db").read_bytes()

    assert played("backup", "copy.db", code=2).startswith("store/exists: ")
    assert played("restore", "copy.db", code=2).startswith("store/exists: ")
    assert played("backup", "affray.db", code=2).startswith("store/exists: ")
    refused = json.loads(played("restore", "copy.db", "--json", code=2))
    assert "store/exists" == refused["error"]["slug"]
    assert before == Path("copy.db").read_bytes()


def test_a_damaged_session_is_told_of_but_not_in_the_way_of_a_backup(affray) -> None:
    spoiled()
    said = affray("backup", "copy.db", code=1)

    assert "1 session, 0 entries in copy.db" in said
    assert (
        f"store/damaged: the copy is complete, but {SESSION} is damaged in the copy and in the ledger: entry 5" in said
    )
    assert Path("copy.db").exists()
    said = affray("--ledger", "sqlite:///again.db", "restore", "copy.db", code=1)
    assert said.startswith(f"store/damaged: {SESSION} in copy.db is damaged, and nothing was restored: entry 5")
    assert not Path("again.db").exists()


@pytest.mark.parametrize("elsewhere", [(), ("--heads", "elsewhere")], ids=["beside", "elsewhere"])
def test_a_ledger_that_was_cut_is_not_called_verified_when_it_is_backed_up_or_copied(affray, elsewhere) -> None:
    Path("elsewhere").mkdir()
    affray(*elsewhere, "play", "stoya")
    (session,) = (each["session"] for each in json.loads(affray(*elsewhere, "sessions", "--json")))
    cut(Path("affray.db"))
    said = affray(*elsewhere, "backup", "copy.db", code=1)

    assert "1 session, 29 entries in copy.db\n" in said
    assert "verified" not in said
    assert (
        f"store/damaged: the copy is complete, but {session} is damaged in the copy and in the ledger: 1 entry" in said
    )
    assert Path("copy.db").exists()
    there = ("sqlite:///affray.db", "sqlite:///other.db")
    assert f"{session}: not copied: log/cut: 1 entry" in affray(*elsewhere, "copy", *there, code=1)


def test_the_heads_file_of_a_call_is_that_of_its_ledger_and_of_no_other_that_it_copies(
    affray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older backup lacks entries of the heads file, and is copied all the same."""
    Path("elsewhere").mkdir()
    monkeypatch.setenv("AFFRAY_HEADS", "elsewhere/heads")
    affray("play", "stoya")
    affray("backup", "copy.db")
    affray("undo", "--why", "no")

    assert "30 entries, copied and verified" in affray("copy", "sqlite:///copy.db", "sqlite:///other.db")
    assert Path("other.db-heads").exists()
    monkeypatch.setenv("AFFRAY_HEADS", "elsewhere")
    affray("--ledger", "sqlite:///again.db", "copy", "sqlite:///copy.db", f"sqlite:///{Path('again.db').absolute()}")
    assert Path("elsewhere/again.db-heads").exists()
    assert not Path("again.db-heads").exists()


def test_entries_that_a_backup_lacks_are_told_of_after_it_is_restored(played) -> None:
    played("backup", "copy.db")
    played("undo", "--why", "no")
    Path("affray.db").unlink()

    assert "affray.db-heads belongs to the former ledger" in played("restore", "copy.db")
    assert played("show", code=2).startswith("log/cut: 1 entry of")
    played("heads", "--renew", "--why", "the disk is gone")
    assert "entry 30 of 30" in played("show")
    assert "problems: 0" in played("verify", "--all")


def test_deleted_sessions_stay_deleted_in_a_backup(played) -> None:
    first = json.loads(played("sessions", "--json"))[0]["session"]
    played("delete", first, "--why", "asked for by kira", "--yes")
    played("backup", "copy.db")
    again = ("--ledger", "sqlite:///again.db")
    played(*again, "restore", "copy.db")

    assert played(*again, "show", first, code=2).startswith("session/deleted: ")
    assert f"{first}: not copied: session/deleted" not in played("copy", "sqlite:///again.db", "sqlite:///c.db")
    with sqlite3.connect("copy.db") as ledger:
        for (name,) in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            ledger.execute(f"DROP TRIGGER {name}")
        ledger.execute("UPDATE tombstones SET digest = zeroblob(32)")
    ledger.close()
    said = played("--ledger", "sqlite:///more.db", "restore", "copy.db", code=1)
    assert "the list of deleted sessions in copy.db is damaged, and nothing was restored: tombstone 1" in said


def test_sessions_are_copied_once(played) -> None:
    first, second = (each["session"] for each in json.loads(played("sessions", "--json")))
    there = ("sqlite:///affray.db", "sqlite:///other.db")

    said = json.loads(played("copy", *there, first, "--json"))
    assert ([first], [], []) == ([one["session"] for one in said["copied"]], said["unchanged"], said["refused"])
    assert {"session", "entries", "digest", "keys", "sealed", "added", "how"} == set(said["copied"][0])
    said = played("copy", *there)
    assert f"{first}: 30 entries, all there" in said
    assert f"{second}: 30 entries, copied and verified" in said
    assert json.loads(played("sessions", "--json")) == json.loads(
        played("--ledger", "sqlite:///other.db", "sessions", "--json")
    )


def test_sessions_to_be_copied_are_named_by_the_beginnings_of_their_ids(played) -> None:
    first, second = (each["session"] for each in json.loads(played("sessions", "--json")))
    there = ("sqlite:///affray.db", "sqlite:///other.db")

    said = json.loads(played("copy", *there, first, second, "--json"))
    assert [first, second] == [one["session"] for one in said["copied"]]
    assert played("copy", *there, "XYZ", code=2).startswith("session/unknown: no session begins with")


def test_a_copied_session_that_was_continued_is_continued_in_the_copy(affray) -> None:
    there = ("sqlite:///affray.db", "sqlite:///other.db")
    affray("play", "stoya")
    affray("copy", *there)
    affray("undo", "--why", "once more")

    assert "31 entries, 1 of them added, copied and verified" in affray("copy", *there)
    assert affray("export") == affray("--ledger", "sqlite:///other.db", "export")


def test_a_session_that_was_continued_in_both_ledgers_is_refused_with_both_heads(played) -> None:
    there = ("sqlite:///affray.db", "sqlite:///other.db")
    played("copy", *there)
    played("undo", "--why", "no")
    played("--ledger", "sqlite:///other.db", "undo", "--why", "another way")
    heads = [json.loads(played("--ledger", ledger, "show", "--json"))["digest"] for ledger in there]
    before = played("--ledger", "sqlite:///other.db", "export")

    said = played("copy", *there, code=2)
    assert "is another one in TO: FROM ends with entry 31, digest" in said
    assert all(head in said for head in heads)
    assert said.splitlines()[-1].startswith("copy/differs: ")
    assert before == played("--ledger", "sqlite:///other.db", "export")


def test_a_session_that_only_the_copy_continued_is_refused(affray) -> None:
    there = ("sqlite:///affray.db", "sqlite:///other.db")
    affray("play", "stoya")
    affray("copy", *there)
    affray("--ledger", "sqlite:///other.db", "undo", "--why", "no")

    assert "was continued in TO: FROM ends with entry 30" in affray("copy", *there, code=2)


def test_a_session_that_was_deleted_after_it_was_copied_is_reported(played) -> None:
    first, second = (each["session"] for each in json.loads(played("sessions", "--json")))
    there = ("sqlite:///affray.db", "sqlite:///other.db")
    played("copy", *there)
    played("delete", first, "--why", "asked for by kira", "--yes")
    said = json.loads(played("copy", *there, "--json", code=2).splitlines()[0])
    assert [first] == [one["session"] for one in said["refused"]]
    assert "TO still has it" in said["refused"][0]["message"]
    played("--ledger", "sqlite:///other.db", "delete", first, "--why", "asked for by kira", "--yes")
    assert f"{second}: 30 entries, all there" in played("copy", *there)
    played("copy", "sqlite:///other.db", "sqlite:///more.db")
    assert f"{first}: not copied" not in played("copy", "sqlite:///other.db", "sqlite:///more.db")


def test_a_session_that_was_deleted_in_the_target_is_not_copied_again(played) -> None:
    first = json.loads(played("sessions", "--json"))[0]["session"]
    there = ("sqlite:///affray.db", "sqlite:///other.db")
    played("copy", *there)
    played("--ledger", "sqlite:///other.db", "delete", first, "--why", "asked for by kira", "--yes")

    assert f"{first}: not copied: session/deleted" in played("copy", *there, code=2)


def test_a_damaged_session_is_not_copied_and_the_exit_code_says_so(affray) -> None:
    affray("play", "stoya")
    affray("copy", "sqlite:///affray.db", "sqlite:///both.db")
    for file in Path().glob("affray.db*"):
        file.unlink()
    spoiled()
    affray("play", "stoya")
    said = affray("copy", "sqlite:///affray.db", "sqlite:///other.db", code=1)

    assert f"{SESSION}: not copied: log/broken: entry 5" in said
    assert "30 entries, copied and verified" in said
    affray("--ledger", "sqlite:///other.db", "undo", "--why", "no")
    said = affray("copy", "sqlite:///affray.db", "sqlite:///other.db", code=1)
    assert "copy/incomplete: 2 of 2 sessions were not copied" in said


@pytest.mark.parametrize("who", ["kira:player", "zoe:spectator"])
@pytest.mark.parametrize(
    "verb", [("backup", "x.db"), ("restore", "x.db"), ("copy", "sqlite:///affray.db", "sqlite:///x.db")]
)
def test_only_the_gamemaster_hands_out_a_whole_ledger(played, who, verb) -> None:
    assert played("--as", who, *verb, code=2).startswith("seat/not-allowed: a whole ledger contains what is hidden")
    assert not Path("x.db").exists()


@pytest.mark.parametrize(
    ("verb", "slug"),
    [
        (("backup", "none/copy.db"), "store/unusable"),
        (("restore", "none.db"), "store/unusable"),
        (("restore", "letter.txt"), "store/foreign"),
        (("copy", "affray.db", "other.db"), "store/unknown"),
        (("copy", "sqlite:///none.db", "sqlite:///other.db"), "session/unknown"),
        (("copy", "memory://", "sqlite:///other.db"), "copy/addresses"),
        (("copy", "sqlite:///affray.db", "memory://"), "copy/addresses"),
        (("copy", "sqlite:///affray.db", "sqlite:///./affray.db"), "copy/addresses"),
        (("copy", "postgresql://ann:secret@127.0.0.1:1/x", "postgres://ann:secret@127.0.0.1:1/x"), "copy/addresses"),
        (("copy", "nats://ann:secret@a,b/x", "nats://ann:secret@b:4222/x?shards=2"), "copy/addresses"),
        (("--ledger", "postgresql://ann:secret@127.0.0.1/x", "backup", "copy.db"), "store/no-file"),
        (("--ledger", "memory://", "backup", "copy.db"), "store/no-file"),
        (("--ledger", "sqlite:///none.db", "backup", "copy.db"), "session/unknown"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_left(affray, verb, slug) -> None:
    Path("letter.txt").write_text("Dear Ann, " * 100)
    if verb[0] == "backup":
        affray("play", "stoya")
    if verb[0] == "restore":
        verb = ("--ledger", "sqlite:///other.db", *verb)
    before = others()
    said = affray(*verb, code=2)

    assert said.startswith(f"{slug}: ")
    assert "secret" not in said
    assert before == others()


def test_help_says_what_a_copy_by_other_means_lacks(affray) -> None:
    said = " ".join(affray("backup", "--help").split())

    assert "Do not copy the ledger's file by other means while it is in use" in said
    assert "pg_dump" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no other users here")
def test_a_folder_that_cannot_be_written_takes_no_backup() -> None:
    folder = Path(tempfile.mkdtemp(prefix="affray-test-"))
    try:
        with_fight = folder / "fight.db"
        store = open_store(f"sqlite:///{with_fight}")
        play(store)
        store.close()
        Path(f"{with_fight}-turn").unlink()
        run(["--ledger", f"sqlite:///{with_fight}", "backup", str(folder / "warm.db")])
        folder.chmod(0o555)
        before = sorted(folder.iterdir())
        code = as_other_user(
            lambda: run(["--ledger", f"sqlite:///{with_fight}", "backup", str(folder / "copy.db"), "--json"])
        )
        assert code == 2
        assert before == sorted(folder.iterdir())
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_an_export_for_which_no_room_is_left_is_refused_and_leaves_nothing(played, capsys) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        code = run(["--ledger", "sqlite:///affray.db", "export", "-o", "out.jsonl"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert code == 2
    assert capsys.readouterr().err.startswith("store/full: ")
    assert not list(Path().glob("out.jsonl*"))
