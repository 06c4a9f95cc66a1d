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


@pytest.mark.parametrize("game", installed())
def test_the_rules_of_a_game_are_a_list_of_tables_and_one_by_name(affray, game):
    listed = affray("rules", game)
    assert len(listed.splitlines()) < 20
    assert all(f"{name} {len(rows)}" in " ".join(listed.split()) for name, rows in ruleset(game).tables.items())
    assert f"affray rules {game} TABLE" in listed
    assert "B 203" in affray("rules", "gurps_3e", "Postures")


def test_the_table_lists_tables_and_shows_one_by_name(affray):
    said = affray("fight", "gurps_3e", lines=("rules", "rules postures", "rules posture", "help add", "quit"))
    assert "rules TABLE: one of them" in said
    assert "crouching" in said
    assert "did you mean 'postures'?" in said
    assert "add like swordsman st=13 as kira" in said
    assert 'add 4 thug pistol="ares predator iv"' in said
