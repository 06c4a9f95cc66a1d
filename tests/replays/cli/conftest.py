"""Runs the command line in a temporary folder."""

from collections.abc import Callable
from io import StringIO

import pytest

from replays.cli.app import run


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AFFRAY_LEDGER", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def affray(capsys, monkeypatch) -> Callable[..., str]:
    """A call of the command line with typed lines; returns the output, and fails with the error output."""

    def call(*arguments: str, lines: tuple[str, ...] = (), code: int = 0) -> str:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        returned = run(arguments)
        said = capsys.readouterr()

        assert code == returned, said.err
        assert "Traceback" not in said.err
        return said.out + said.err if code else said.out or said.err

    return call
