"""The long tier finds its parts, stops them and their child processes in time, and reports the result of each."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from long.finding import NoSuchPart, all_parts, chosen
from long.part import Option, Part, Task
from server.faults_processes import until

TESTS = Path(__file__).parents[1]
_GOOD = 'return f"{task.seed} is the seed, {task.random(1).random() == task.random(1).random()}"'
_BAD = 'task.say("looking"); (task.kept / "found.txt").write_text("x"); raise Failed("lost: key-7")'
_HANGS = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"], start_new_session=True)
    (task.kept / "child").write_text(str(child.pid))
    while True:
        time.sleep(1)
"""
_LEAVES = """
    import subprocess, sys
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"], start_new_session=True)
    (task.kept / "child").write_text(str(child.pid))
    return "done"
"""
_LIMIT = 0.01 + 0.1
"""Minutes until a part of these tests is stopped; it has started by then even on a busy machine."""


@pytest.fixture
def long_tier(tmp_path: Path):
    """Runs the long tier with additional parts, given as names with bodies of functions."""

    def run(words: str, **parts: str) -> "subprocess.CompletedProcess[str]":
        folder = tmp_path / "more" / "long" / "parts"
        folder.mkdir(parents=True, exist_ok=True)
        for name, body in parts.items():
            part = f"PART = Part(title={name!r}, minutes=0.01, grace=0.1, why='quick')"
            text = f"from long.part import Failed, Part\n{part}\ndef run(task):\n    {body.strip()}\n"
            (folder / f"{name}.py").write_text(text)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(tmp_path / "more")])}
        command = [sys.executable, "-m", "long", "--logs", str(tmp_path / "logs"), *words.split()]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)

    return run


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_each_part_states_its_purpose_its_length_and_the_reason_for_it() -> None:
    parts = all_parts()

    assert {
        "storms_sqlite",
        "storms_servers",
        "faults_postgres",
        "fights",
        "histories",
        "secrets",
        "heap",
        "mutants",
    } <= parts.keys()
    for found in parts.values():
        assert found.part.title
        assert len(found.part.why) > 60
        assert found.part.minutes > 0 < found.part.grace
    names = [option.name for found in parts.values() for option in found.part.options]
    assert len(names) == len({*names})


def test_a_word_selects_the_part_of_that_name_or_all_that_begin_with_it() -> None:
    parts = all_parts()

    assert [each.name for each in chosen(["storms"], parts)] == ["storms_servers", "storms_sqlite"]
    assert [each.name for each in chosen(["heap", "heap", "storms_sqlite"], parts)] == ["heap", "storms_sqlite"]
    assert [each.name for each in chosen([], parts)] == sorted(parts)
    with pytest.raises(NoSuchPart, match="nosuch"):
        chosen(["heap", "nosuch"], parts)


def test_a_new_file_is_a_part_and_its_line_has_seed_and_numbers(long_tier) -> None:
    done = long_tier("good --seed 41", good=_GOOD)

    assert done.returncode == 0, done.stderr
    first, last = done.stdout.splitlines()
    assert first.startswith("ok      good")
    assert first.endswith("41 is the seed, True")
    assert "1 parts" in last
    assert "none failed" in last


def test_a_part_that_finds_a_fault_fails_and_the_others_still_run(long_tier, tmp_path: Path) -> None:
    done = long_tier("bad good", bad=_BAD, good=_GOOD)

    assert done.returncode == 1
    assert "FAILED  bad" in done.stdout
    assert "Failed: lost: key-7" in done.stdout
    assert "ok      good" in done.stdout
    assert "1 FAILED (bad)" in done.stdout
    assert "looking" in (tmp_path / "logs" / "bad.log").read_text()
    assert (tmp_path / "logs" / "bad" / "found.txt").exists()


def test_a_part_that_hangs_is_stopped_with_its_child_processes(long_tier, tmp_path: Path) -> None:
    began = time.monotonic()

    done = long_tier("hangs", hangs=_HANGS)

    assert done.returncode == 1
    assert "stopped at its time limit" in done.stdout
    assert time.monotonic() - began < 60 * _LIMIT + 20
    child = int((tmp_path / "logs" / "hangs" / "child").read_text())
    until(lambda: not is_running(child))  # it is killed, and ends in the course of time
    assert "in run" in (tmp_path / "logs" / "hangs.log").read_text(), "its log tells where it was"


def test_a_part_that_leaves_a_process_behind_fails_and_the_process_is_ended(long_tier, tmp_path: Path) -> None:
    done = long_tier("leaves", leaves=_LEAVES)

    assert done.returncode == 1
    assert "left processes behind" in done.stdout
    child = int((tmp_path / "logs" / "leaves" / "child").read_text())
    until(lambda: not is_running(child))


@pytest.mark.parametrize("words", ["nosuch", "good --minutes 0", "good --mutants 5", "--minutes"])
def test_wrong_arguments_are_refused_before_any_part_runs(long_tier, words: str, tmp_path: Path) -> None:
    done = long_tier(words, good=_GOOD)

    assert done.returncode == 2
    assert "error:" in done.stderr
    assert not (tmp_path / "logs").exists()


def test_listing_needs_no_installed_packages() -> None:
    code = "import runpy, sys; sys.argv = ['long', '--list']; runpy.run_module('long', run_name='__main__')"

    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=TESTS, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert "storms_sqlite" in done.stdout


def test_rounds_continue_until_the_time_limit_and_there_is_at_least_one(tmp_path: Path) -> None:
    task = Task(minutes=0.0, seed=1, folder=tmp_path, kept=tmp_path)
    longer = Task(minutes=1.0, seed=1, folder=tmp_path, kept=tmp_path)

    assert list(task.rounds()) == [0]
    assert list(longer.rounds(most=3)) == [0, 1, 2]


def test_an_option_is_known_by_its_name() -> None:
    option = Option(name="--most-mutants", kind=int, help="so many")

    assert option.field == "most_mutants"
    assert Part(title="t", minutes=1, grace=1, why="w", options=(option,)).options == (option,)
