"""A report and an export never overwrite a ledger, its keys, or any other file that is neither."""

from pathlib import Path

import pytest

from ledger.errors import ReadOnly
from replays.cli.app import run
from replays.cli.output import write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ledger of one fight."""
    monkeypatch.chdir(tmp_path)
    _run("play", "stoya")
    return tmp_path


def _run(*words: str) -> int:
    return run(list(words))


@pytest.mark.parametrize("verb", ["report", "export"])
def test_a_ledger_and_the_files_beside_it_are_not_replaced(
    verb: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "affray.keys").write_text("secret")
    (folder / "me.toml").write_text("init = 60")
    files = {path: path.read_bytes() for path in folder.iterdir() if path.read_bytes()}
    assert len(files) >= 4

    for path in files:
        assert _run(verb, "-o", path.name) == 2
        assert "an earlier export or report" in capsys.readouterr().err

    assert files == {path: path.read_bytes() for path in files}
    assert _run("verify") == 0


@pytest.mark.parametrize("verb", ["report", "export"])
def test_an_earlier_report_or_export_is_replaced(verb: str, folder: Path) -> None:
    for name in ("fight.html", "fight.jsonl"):
        (folder / name).touch()
        assert _run(verb, "-o", name) == 0
        assert _run(verb, "-o", name) == 0
    assert _run("report", "-o", "fight.jsonl") == 0


def test_a_link_to_a_ledger_is_no_new_file(folder: Path) -> None:
    (folder / "link.html").symlink_to(folder / "affray.db")

    with pytest.raises(ReadOnly, match="is not replaced"):
        write(folder / "link.html", [b"<!DOCTYPE html>"])
