"""`affray verify` and `affray heads`: one session, all of them, deleted ones, and what the heads file detects."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

Affray = Callable[..., str]
REASON = "The player asked for it."
HEADS = Path("affray.db-heads")


@pytest.fixture
def two(affray: Affray) -> tuple[str, str]:
    """Returns the ids of two sessions."""
    first = json.loads(affray("play", "stoya", "--json"))["session"]
    second = json.loads(affray("play", "jinx", "--json"))["session"]
    return first, second


def rewrite(*statements: str) -> None:
    """Executes statements that the triggers would refuse."""
    with closing(sqlite3.connect("affray.db", isolation_level=None)) as shell:
        for (name,) in shell.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            shell.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            shell.execute(statement)


def cut_first(count: int = 2) -> None:
    """Removes the last entries of the first session."""
    rewrite(
        "DELETE FROM entries WHERE id IN "
        f"(SELECT id FROM entries WHERE id < 2 * 4294967296 ORDER BY id DESC LIMIT {count})"
    )


def test_verifying_a_session_says_which_heads_were_checked(affray: Affray, two: tuple[str, str]) -> None:
    said = affray("verify", two[0])
    assert "heads: 2 heads of 1 session checked, 0 sessions cut" in said
    assert str(HEADS.absolute()) in said
    document = json.loads(affray("verify", two[0], "--json"))
    assert list(document) == ["session", "entries", "digest", "verified", "dice", "heads"]
    assert (document["verified"], document["heads"]["cut"], document["heads"]["sessions"]) == (True, [], 1)


def test_a_missing_heads_file_is_a_note_and_verifying_does_not_make_it(affray: Affray, two: tuple[str, str]) -> None:
    HEADS.unlink()
    for words in (["verify"], ["verify", "--all"], ["heads"]):
        assert "there is no heads file " in affray(*words)
    assert json.loads(affray("verify", "--json"))["heads"] is None
    assert not HEADS.exists()
    affray("undo", two[0], "--to", "5", "--why", REASON)
    assert "2 sessions checked" in affray("verify", "--all")


def test_a_session_that_was_cut_is_refused_by_every_verb_and_reported(affray: Affray, two: tuple[str, str]) -> None:
    first, second = two
    cut_first()
    words = f"log/cut: 2 entries of '{first}' are missing: entry 30 was there at "
    for verb in ("show", "log", "export", "undo", "why"):
        arguments = ["damage"] if verb == "why" else []
        said = affray(verb, *arguments, first, code=2)
        assert said.startswith(words)
        assert "and the log ends with entry 28 of 20" in said
        assert "affray heads --renew" in said
    affray("show", second)
    for verb in ("verify", "audit"):
        assert affray(verb, first, code=1).startswith(words)
    assert "damaged: log/cut" in affray("sessions")
    said = affray("verify", "--all", code=1)
    assert f"{first}: BROKEN: 2 entries" in said
    assert f"{second}: 23 entries, nothing altered" in said
    assert "problems: 2" in said
    document = json.loads(affray("verify", "--all", "--json", code=1).splitlines()[0])
    assert [each["verified"] for each in document["sessions"]] == [False, True]
    assert (document["sessions"][0]["error"]["slug"], document["verified"]) == ("log/cut", False)
    assert len(document["heads"]["cut"]) == 1


def test_a_loss_is_accepted_by_writing_the_heads_anew(affray: Affray, two: tuple[str, str]) -> None:
    cut_first()
    assert affray("heads", code=1).count("2 entries of") == 2  # among the heads, and as the reason
    assert affray("heads", "--renew", code=2).startswith("why/missing: ")
    assert affray("--as", "ann:player", "heads", "--renew", "--why", "x", code=2).startswith("seat/not-allowed: ")
    affray("verify", "--all", code=1)
    assert "by ann: The disk was broken." in affray("--as", "ann", "heads", "--renew", "--why", "The disk was broken.")
    assert "28 entries" in affray("verify", two[0])
    affray("undo", two[0], "--to", "5", "--why", REASON)
    assert "problems: 0" in affray("verify", "--all")


def test_a_session_that_is_missing_whole_is_reported(affray: Affray, two: tuple[str, str]) -> None:
    rewrite("DELETE FROM entries WHERE id < 2 * 4294967296", "DELETE FROM sessions WHERE number = 1")
    affray("verify", two[1])
    for words in (["verify", "--all"], ["heads"]):
        assert f"'{two[0]}' is missing with all 30 entries" in affray(*words, code=1)
    assert affray("show", two[0], code=2).startswith("log/cut: ")
    assert affray("verify", two[0], code=1).startswith("log/cut: ")


def test_deleted_sessions_are_reported_and_their_tombstones_checked(affray: Affray, two: tuple[str, str]) -> None:
    first = two[0]
    affray("--as", "ann", "delete", first, "--why", REASON, "--yes")
    said = affray("verify", "--all")
    assert f"{first}: deleted by ann (gm) at 20" in said
    assert "1 session, 1 deleted; problems: 0" in said
    assert "1 session deleted, no tombstone altered" in affray("verify")
    document = json.loads(affray("verify", first, "--json"))
    assert (document["session"], document["verified"], document["deleted"]["why"]) == (first, True, REASON)
    last = document["deleted"]["last"]
    affray("verify", first, "--head", last)
    assert affray("verify", first, "--head", "0" * 64, code=1).startswith("log/broken: ")

    rewrite("UPDATE tombstones SET line = replace(line, 'ann', 'bob')")
    for words in (["verify", "--all"], ["verify"], ["verify", first]):
        assert "tombstone/broken: tombstone 1 was altered or moved" in affray(*words, code=1)
    rewrite("DELETE FROM tombstones")
    assert "tombstone 1 is missing or different" in affray("verify", "--all", code=1)


def test_a_ledger_whose_last_session_is_deleted_has_none(affray: Affray, two: tuple[str, str]) -> None:
    for session in two:
        affray("delete", session, "--why", REASON, "--yes")
    assert affray("show", code=2).startswith("session/unknown: this ledger has no session yet")
    assert "0 sessions, 2 deleted; problems: 0" in affray("verify", "--all")


def test_a_line_that_is_none_is_a_finding(affray: Affray, two: tuple[str, str]) -> None:
    begun, *rest = HEADS.read_bytes().strip().split(b"\n")
    HEADS.write_bytes(b"\n".join([begun, b"garbage", *rest]))
    said = affray("verify", code=1)
    assert "heads/broken: 1 of the lines in" in said
    affray("show")
    affray("heads", "--renew", "--why", "It was me.")
    affray("verify")


def test_what_it_is_for_is_said_where_it_makes_no_sense(affray: Affray, two: tuple[str, str]) -> None:
    assert "--all" in affray("verify", two[0], "--all", code=2)
    assert "--all" in affray("verify", "--all", "--head", "0" * 64, code=2)
    assert affray("--ledger", "memory://", "heads", code=2).startswith("store/unusable: ")
    assert affray("--ledger", "memory://", "--heads", "x", "sessions", code=2).startswith("store/unusable: ")


# ------------------------------------------------------------------------------------------------ places and keys


def test_the_heads_file_may_lie_elsewhere(affray: Affray, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("disk").mkdir()
    affray("--heads", "disk", "play", "stoya")
    assert Path("disk/affray.db-heads").exists()
    monkeypatch.setenv("AFFRAY_HEADS", "disk/affray.db-heads")
    affray("play", "jinx")
    assert "2 sessions checked" in affray("verify", "--all")
    assert not HEADS.exists()
    affray("--ledger", "memory://", "sessions")  # it keeps none, and needs none
    assert affray("--heads", "nowhere/heads", "sessions", code=2).startswith("store/unusable: there is no folder")
    assert affray("--heads", "affray.db", "sessions", code=2).startswith("store/foreign: ")


def keys(name: str, letter: str) -> Path:
    file = Path(name)
    file.write_text(letter * 40 + "\n")
    file.chmod(0o600)
    return file


def test_where_keys_are_known_the_heads_are_signed(affray: Affray, monkeypatch: pytest.MonkeyPatch) -> None:
    affray("play", "stoya")
    own, other = keys("affray.keys", "k"), keys("other.keys", "o")
    affray("play", "jinx")
    assert "1 of 4 lines signed, 0 by another key" in affray("verify", "--all")
    said = affray("verify", "--all", "--keys", str(own), code=1)
    assert "heads/broken: 3 of the lines in" in said
    assert "carry no signature" in said
    affray("heads", "--renew", "--why", "Signed from now on.")
    assert "3 of 3 lines signed" in affray("verify", "--keys", str(own))
    assert "carry the signature of another key" in affray("verify", "--keys", str(other), code=1)
    monkeypatch.setenv("AFFRAY_KEYS", "o" * 40 + "," + "k" * 40)
    affray("verify", "--all")
    monkeypatch.setenv("AFFRAY_KEYS", "o" * 40)
    assert "another key" in affray("verify", "--all", code=1)


def test_keys_that_cannot_be_used_are_refused_where_they_were_asked_for(
    affray: Affray, monkeypatch: pytest.MonkeyPatch
) -> None:
    affray("play", "stoya")
    keys("affray.keys", "k").chmod(0o644)
    affray("verify")
    assert affray("verify", "--keys", "affray.keys", code=2).startswith("server/keys: ")
    assert affray("verify", "--keys", "nowhere", code=2).startswith("server/keys: ")
    monkeypatch.setenv("AFFRAY_KEYS", "short")
    assert affray("verify", code=2).startswith("server/keys: ")
