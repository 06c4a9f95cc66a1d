"""`affray delete` is permanent, asks first, and what remains is shown wherever the session is named."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing

import pytest

from ledger.stores.sqlite import SqliteStore

Affray = Callable[..., str]
REASON = "The player asked for it."


@pytest.fixture
def two(affray: Affray) -> tuple[str, str]:
    """Returns the ids of two sessions."""
    first = json.loads(affray("play", "stoya", "--json"))["session"]
    second = json.loads(affray("play", "jinx", "--json"))["session"]
    return first, second


def test_a_deleted_session_is_gone_and_said_to_be_deleted_wherever_it_is_asked_for(
    affray: Affray, two: tuple[str, str]
) -> None:
    first, second = two
    entries = json.loads(affray("show", first, "--json"))["entries"]
    told = json.loads(affray("--as", "ann", "delete", first, "--why", REASON, "--yes", "--json"))
    assert told == {
        "session": first, "tombstone": 1, "entries": entries, "last": told["last"], "at": told["at"],
        "by": {"name": "ann", "seat": "gm"}, "why": REASON,
    }  # fmt: skip
    assert [each["session"] for each in json.loads(affray("sessions", "--json"))] == [second]
    for verb in ("show", "log", "export", "audit", "rehearse", "undo"):
        for name in (first, first[:-1]):
            said = affray(verb, name, code=2)
            assert said.startswith(
                f"session/deleted: session '{first}' was deleted by ann (gm) at {told['at']}: {REASON}"
            )
    assert affray("delete", first, "--why", REASON, "--yes", code=2).startswith("session/deleted: ")
    assert f"{entries} entries, last digest {told['last']}" in affray("verify", first)


def test_a_deleted_session_is_not_imported_again(affray: Affray, two: tuple[str, str]) -> None:
    affray("export", two[0], "-o", "fight.jsonl")
    affray("delete", two[0], "--why", REASON, "--yes")
    assert affray("import", "fight.jsonl", code=2).startswith("session/deleted: ")
    assert "nothing altered" in affray("verify", "fight.jsonl")


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["--why", REASON], "delete/unconfirmed"),
        (["--yes"], "usage"),
        (["--yes", "--why", "  "], "why/missing"),
    ],
)
def test_without_consent_or_a_reason_nothing_is_deleted(
    affray: Affray, two: tuple[str, str], words: list[str], slug: str
) -> None:
    assert affray("delete", two[0], *words, code=2).startswith(f"{slug}: ")
    assert len(json.loads(affray("sessions", "--json"))) == 2


def test_the_beginning_of_an_id_is_not_enough(affray: Affray, two: tuple[str, str]) -> None:
    said = affray("delete", two[0][:-1], "--why", REASON, "--yes", code=2)
    assert said.startswith("session/unknown: ")
    assert two[0] in said
    assert affray("delete", "nowhere", "--why", REASON, "--yes", code=2).startswith("session/unknown: ")
    assert affray("delete", "--why", REASON, "--yes", code=2).startswith("usage: ")
    assert len(json.loads(affray("sessions", "--json"))) == 2


@pytest.mark.parametrize("seat", ["player", "spectator"])
def test_only_the_gamemaster_deletes(affray: Affray, two: tuple[str, str], seat: str) -> None:
    said = affray("--as", f"ann:{seat}", "delete", two[0], "--why", REASON, "--yes", code=2)
    assert said.startswith("seat/not-allowed: ")
    assert len(json.loads(affray("sessions", "--json"))) == 2


def test_a_damaged_session_can_be_deleted(affray: Affray, two: tuple[str, str]) -> None:
    with closing(SqliteStore("affray.db")) as store:
        connection = store._writing._connection
        connection.execute("DROP TRIGGER entries_no_UPDATE")
        connection.execute("UPDATE entries SET line = 'x' WHERE id = (SELECT min(id) FROM entries)")
    assert "damaged" in affray("sessions")
    affray("delete", two[0], "--why", REASON, "--yes")
    assert "problems: 0" in affray("verify", "--all")


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals here")
@pytest.mark.parametrize(("answer", "code", "left"), [("y", 0, 1), ("n", 1, 2), ("", 1, 2)])
def test_at_a_terminal_it_is_asked_for(affray: Affray, two: tuple[str, str], answer: str, code: int, left: int) -> None:
    import pty

    parent, child = pty.openpty()
    os.write(parent, f"{answer}\n".encode())
    command = [sys.executable, "-c", "from replays.cli import main; main()", "delete", two[0], "--why", REASON]
    done = subprocess.run(command, stdin=child, capture_output=True, text=True)
    os.close(parent)
    os.close(child)
    assert done.returncode == code
    assert "affray export" in done.stdout
    assert two[0] in done.stdout
    assert ("nothing was deleted" in done.stdout) == (code == 1)
    assert len(json.loads(affray("sessions", "--json"))) == left
