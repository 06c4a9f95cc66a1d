"""`CONTRIBUTING.md` names files that exist."""

import re

import pytest
from places import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## A game of your own")[0]
NAMED = sorted(set(re.findall(r"(?:`|\()((?:tests|replays|ledger|machines|projections)/[\w/.]*)(?:`|\))", PAGE)))
GAMES = ("eclipse_phase/first", "eclipse_phase/second", "gurps_3e", "shadowrun_4e")


def test_files_are_named() -> None:
    assert len(NAMED) > 20


@pytest.mark.parametrize("path", NAMED)
def test_a_file_that_is_named_exists(path: str) -> None:
    if "GAME" in path and "machines/" in path:
        assert [game for game in GAMES if not (ROOT / path.replace("GAME", game)).exists()] == []
    elif "GAME" not in path:
        assert (ROOT / path).exists()
