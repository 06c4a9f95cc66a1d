"""`CONTRIBUTING.md` names files that exist."""

import re

import pytest
from places import ROOT

from machines.registry import installed

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## A game of your own")[0]
NAMED = sorted(set(re.findall(r"(?:`|\()((?:tests|replays|ledger|machines|projections)/[\w/.]*)(?:`|\))", PAGE)))
FOLDERS = ("eclipse_phase/first", "eclipse_phase/second", "gurps_3e", "shadowrun_4e")
GAMES = sorted(installed())


def test_files_are_named() -> None:
    assert len(NAMED) > 20


@pytest.mark.parametrize("path", NAMED)
def test_a_file_that_is_named_exists(path: str) -> None:
    paths = {path.replace("FOLDER", folder).replace("GAME", game) for folder in FOLDERS for game in GAMES}

    assert [each for each in sorted(paths) if not (ROOT / each).exists()] == []
