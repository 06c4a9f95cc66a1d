"""A game in another distribution: follows the steps of CONTRIBUTING.md from an empty folder, and runs the contract."""

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from extra_rulesets import RULESETS, registered
from places import ROOT

from replays.cli.app import run

PAGE = (ROOT / "CONTRIBUTING.md").read_text().partition("## A game of your own")[2].partition("\n## ")[0]
GAME = (RULESETS / "tiny_d20" / "__init__.py").read_text()


def blocks(language: str) -> list[str]:
    """Returns the blocks of code on the page, without their indentation."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", PAGE, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in found]


def commands(start: str) -> list[str]:
    lines = (line.partition("#")[0].strip() for block in blocks("sh") for line in block.splitlines())
    return [line for line in lines if line.startswith(start)]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder after the commands of the page, with metadata as `pip install` would write them."""
    monkeypatch.chdir(tmp_path)
    for command in commands("mkdir"):
        subprocess.run(command.replace("tests/", f"{ROOT}/tests/"), shell=True, check=True)
    (project,) = blocks("toml")
    (tmp_path / "tiny" / "pyproject.toml").write_text(project)
    games = tomllib.loads(project)["project"]["entry-points"]["affray.rulesets"]
    with registered(tmp_path, games, tmp_path / "tiny"):
        yield tmp_path


def test_the_game_is_played_as_the_page_shows(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (play,) = [block for block in blocks("python") if "Session.create" in block]
    variables: dict[str, object] = {}

    exec(compile(play, "CONTRIBUTING.md", "exec"), variables)

    said = capsys.readouterr().out
    assert "attack: at ogre" in said
    assert "it misses" in said
    assert "a hard blow" in said
    assert variables["session"].state().outcome == "it misses"  # type: ignore[attr-defined]


def test_the_code_on_the_page_is_that_of_the_game() -> None:
    shown = [block for block in blocks("python") if "Session.create" not in block]

    assert len(shown) == 6
    assert [block for block in shown if block.rstrip() not in GAME] == []


def test_the_commands_of_the_page_print_the_game(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = commands("affray")

    assert len(asked) == 3
    for command in asked:
        assert run(command.split()[1:]) == 0, command
        assert capsys.readouterr().out.strip(), command


def pytest_from(folder: Path, *arguments: str) -> str:
    """Runs pytest with the game installed: its metadata and its package are on the path."""
    places = os.pathsep.join([str(folder), str(folder / "tiny")])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        env={**os.environ, "PYTHONPATH": places}, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_command_on_the_page_checks_an_installed_game(empty: Path) -> None:
    (command,) = commands("pytest")

    said = pytest_from(empty, *command.split()[1:3], "TinyD20 and (charts or key)")

    assert "2 passed" in said


def test_a_games_own_tests_inherit_the_contract(empty: Path) -> None:
    test = empty / "test_mine.py"
    test.write_text(
        textwrap.dedent("""
            from contracts.rulesets.ruleset_contract import RulesetContract

            class TestMine(RulesetContract):
                name = "tiny_d20"
                seeds = 12
        """)
    )
    settings = empty / "pytest.ini"
    settings.write_text(f"[pytest]\npythonpath = {ROOT} {ROOT}/tests {ROOT}/tests/support\n")

    said = pytest_from(empty, "-c", str(settings), "-k", "walked or one_roll", str(test))

    assert "2 passed" in said
