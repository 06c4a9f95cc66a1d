"""`affray rules` for people: games with their ready sheets, and the fields of documents, in 80 columns; JSON for programs."""

import json

import pytest

from machines.contract.ruleset import ruleset
from machines.registry import installed


def test_games_are_listed_with_their_ready_sheets(affray) -> None:
    text = affray("rules")

    for game in installed():
        assert f"{game}  {ruleset(game).title}\n" in text
        for name in ruleset(game).sheets:
            assert name in text
    assert list(json.loads(affray("rules", "--json"))) == list(installed())


@pytest.mark.parametrize("game", installed())
def test_ready_sheets_are_described(affray, game: str) -> None:
    lines = affray("rules", game, "sheets").splitlines()

    assert [line for line in lines if line in ruleset(game).sheets] == list(ruleset(game).sheets)
    assert json.loads(affray("rules", game, "sheets", "--json")) == ruleset(game).sheets
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("game", installed())
def test_the_fields_of_documents_are_described(affray, game: str) -> None:
    text = affray("rules", game, "--schema")

    assert text.startswith("sheet: ")
    for kind in ruleset(game).kinds:
        assert kind in text
    assert max(map(len, text.splitlines())) <= 80
    assert "$defs" in json.loads(affray("rules", game, "--schema", "--json"))


def test_fields_have_their_meaning_and_what_they_accept(affray) -> None:
    text = affray("rules", "gurps_3e", "--schema")

    assert "  st: Strength. A whole number from 1 to 200; required.\n" in text
    assert "  iq?: Intelligence. A whole number from 1 to 200; 10 if omitted.\n" in text
