"""Empty names, closed pipes, special files, unknown ids: each is refused with a reason, and nothing hangs."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

AFFRAY = (sys.executable, "-c", "import sys; from replays.cli import main; sys.argv[0] = 'affray'; main()")


@pytest.fixture
def played(affray):
    """Sets up a ledger with a session."""
    affray("play", "stoya")
    return affray


@pytest.mark.parametrize(
    "verb", [("verify", "--head", ""), ("verify", "--all", "--head", ""), ("verify", "stoya.jsonl", "--head", "")]
)
def test_an_empty_head_is_no_head(played, verb: tuple[str, ...]) -> None:
    Path("stoya.jsonl").write_text(played("export"))
    assert "--head" in played(*verb, code=2)


@pytest.mark.parametrize("verb", ["show", "export", "verify", "log"])
def test_an_empty_name_is_no_session(played, verb: str) -> None:
    assert played(verb, "", code=2).startswith("session/unknown: the session's id is empty")


def test_whoever_reads_no_further_is_no_failure(played) -> None:
    for verb in ("log", "verify", "sessions"):
        read, write = os.pipe()
        os.close(read)
        called = subprocess.run([*AFFRAY, verb], stdout=write, stderr=subprocess.PIPE, check=False, timeout=60)
        os.close(write)
        assert (called.returncode, called.stderr) == (0, b""), verb


def test_a_heads_file_that_is_no_file_is_refused(played) -> None:
    heads = Path("affray.db-heads")
    heads.unlink()
    os.mkfifo(heads)
    for verb in ("sessions", "show", "undo"):
        called = subprocess.run([*AFFRAY, verb], capture_output=True, check=False, timeout=60)
        assert called.returncode == 2
        assert called.stderr.endswith(b"is not a file (accepted: a file for the heads)\n")


def test_a_script_without_an_end_is_refused(affray) -> None:
    assert affray("play", "/dev/zero", code=2).startswith("script/")


def test_an_id_that_is_none_is_told_and_the_other_sessions_are_verified(played) -> None:
    with closing(sqlite3.connect("affray.db")) as ledger, ledger:
        ledger.execute("INSERT INTO sessions (id) VALUES (x'ff')")

    said = played("verify", "--all", code=1)
    assert "nothing altered" in said
    assert "2 sessions, 0 deleted; problems: 1" in said
    assert "store/damaged: the id of a session is not readable" in said
    played("heads")


@pytest.mark.parametrize(
    "odd", ["[" * 5000, "[" * 900 + "]" * 900, "9" * 5000, "{a=" * 900, "1e999999", "nan", "\\u0000"]
)
@pytest.mark.parametrize(
    "verb",
    [
        ("amend", "11", "--why", "x", "--set", "kind={odd}"),
        ("amend", "11", "--why", "x", "--insert", "{odd}"),
        ("amend", "11", "--why", "x", "--insert", "note = {odd}"),
        ("amend", "11", "--why", "x", "--dice", "to-hit={odd}"),
        ("whatif", "11", "--set", "kind={odd}"),
        ("declare", "ann", "attack", "at={odd}"),
    ],
    ids=" ".join,
)
def test_a_value_without_end_or_bottom_is_refused(played, verb: tuple[str, ...], odd: str) -> None:
    told = played(*(word.replace("{odd}", odd) for word in verb), code=2)
    assert "internal" not in told
    assert "Traceback" not in told


@pytest.mark.parametrize("odd", ["[" * 3500, "[" * 900 + "]" * 900, "9" * 3900, "{a=" * 900])
def test_a_claim_without_end_or_bottom_is_kept_as_it_was_said(played, odd: str) -> None:
    played("dispute", "11", "--why", "x", "--claim", f"kind = {odd}")
    assert "d1" in played("disputes")
