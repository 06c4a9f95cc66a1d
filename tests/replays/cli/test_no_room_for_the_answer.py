"""The output or the file of a verb cannot be written: a plain refusal, and the entries are kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; sys.argv[0] = 'affray'; from replays.cli import main; main()"
FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


def full(*verb: str, errors: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a verb whose output goes to a full device."""
    with FULL.open("w") as out, (errors or Path("errors")).open("w+") as err:
        run = subprocess.run([sys.executable, "-c", PROGRAM, *verb], stdout=out, stderr=err, timeout=60, text=True)
    run.stderr = "" if errors else Path("errors").read_text()
    return run


VERBS = [("show",), ("export",), ("report",), ("rules",)]


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_full_device_is_told_in_plain_words(affray, verb) -> None:
    affray("play", "stoya")
    ended = full(*verb)

    assert (2, 1) == (ended.returncode, ended.stderr.count("\n"))
    assert ended.stderr.startswith("system/refused: the output cannot be written: no space left on device")
    assert "Errno" not in ended.stderr


def test_a_renewal_that_could_not_be_told_of_is_done_and_its_refusal_says_so(affray) -> None:
    affray("play", "stoya")
    ended = full("heads", "--renew", "--why", "moved")

    assert "entries that were written before are kept" in ended.stderr
    assert "moved" in affray("heads")


def test_where_not_even_the_refusal_has_a_place_the_exit_code_tells(affray) -> None:
    affray("play", "stoya")

    assert 2 == full("show", errors=FULL).returncode


@pytest.mark.parametrize("place", ["/proc/heads", "/dev/full"])
def test_a_heads_file_that_has_no_place_is_refused_in_plain_words(affray, place: str) -> None:
    affray("play", "stoya")
    refused = affray("--heads", place, "heads", "--renew", "--why", "moved", code=2)

    assert refused.startswith("store/")
    assert place in refused
    assert "Errno" not in refused


@pytest.mark.parametrize(
    "verb", [("backup", "/proc/copy.db"), ("export", "-o", "/proc/fight"), ("export", "-o", "pipe")]
)
def test_a_file_that_cannot_be_made_is_refused_in_plain_words_and_nothing_is_replaced(affray, verb) -> None:
    affray("play", "stoya")
    os.mkfifo("pipe")
    refused = affray(*verb, code=2)

    assert refused.startswith("store/")
    assert "Errno" not in refused
    assert Path("pipe").is_fifo()
