"""`affray odds` and `affray luck`, as people and programs use them."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console
from shipped_attacks import shipped_attack

from replays.cli.views import odds_view
from replays.cli.views.odds_view import percent
from replays.odds.odds import odds
from replays.scripts.format import examples


@pytest.fixture
def open_rolls(affray):
    """Sets up Stoya's fight at the second burst: to hit and to defend are open."""
    text = examples()["stoya"].read_text()
    Path("half.toml").write_text(text[: text.index('[[play]]\ndice = { "assassin/to-hit" = 20')])
    affray("play", "half.toml")
    return affray


def entries(affray) -> int:
    return json.loads(affray("show", "--json"))["entries"]


def test_odds_tell_what_may_come_of_what_the_table_waits_for_and_write_nothing(open_rolls):
    before = entries(open_rolls)
    said = open_rolls("odds")

    assert said.startswith(" WHAT IF: nothing is written ")
    assert re.search(r"exact: all faces, \d+ walks of the rules", said)
    assert "hit  69.8%" in said
    assert "█" in said
    assert entries(open_rolls) == before


def test_sampled_odds_that_are_shown_first_fit_one_line():
    game, combat, command = shipped_attack("eclipse_phase_1e", "soldier", "knife")
    found = odds(game, combat, command, budget=0, samples=40)
    console = Console(file=io.StringIO(), width=200)
    odds_view.first(console, found)
    [line] = console.file.getvalue().splitlines()

    assert re.fullmatch(
        r"40 fights sampled: (\w[\w ]* [\d.]+% ±[\d.]+, )*\w[\w ]* [\d.]+% ±[\d.]+; still computing", line
    )


def test_odds_for_programs_have_exact_fractions_beside_the_numbers(open_rolls):
    said = json.loads(open_rolls("odds", "stoya/defend", "--json"))

    assert said["what_if"]
    assert said["key"] == "r1/assassin/a2/attack/defend"
    assert said["outcome"][0] == {"what": "hit", "chance": 0.6981, "error": 0, "exact": "6981/10000"}
    assert {"who", "what", "counted", "mean", "amounts"} == set(said["harm"][0])
    assert abs(sum(one["chance"] for one in said["harm"][0]["amounts"]) - 1) < 1e-6


def test_odds_of_a_declaration_are_those_of_what_would_follow(affray):
    affray("play", "stoya")
    declaration = '{kind = "attack", by = "stoya", at = "assassin", using = "stunner"}'
    before = entries(affray)
    said = json.loads(affray("odds", "--declare", declaration, "--json"))

    assert said["key"] == "r1/stoya/a2/attack"
    assert {one["what"] for one in said["outcome"]} == {"hit", "hit without damage", "miss"}
    assert {one["who"] for one in said["harm"]} == {"assassin"}
    assert "WHAT IF" in affray("odds", "--declare", declaration)
    assert entries(affray) == before


def test_a_choice_on_the_way_is_taken_as_it_is_given(affray):
    text = examples()["stoya"].read_text()
    Path("early.toml").write_text(text[: text.index("[[play]]\ndeclare")])
    affray("play", "early.toml")
    declaration = (
        '{kind = "attack", by = "assassin", at = "stoya", using = "shredder", mode = "burst", range = "short"}'
    )
    said = json.loads(affray("odds", "--declare", declaration, "--choose", "stoya/defense=fray", "--json"))

    assert {"key": "r1/assassin/a1/attack/defense", "option": "fray", "how": "given"}.items() <= said["assumed"][
        0
    ].items()
    assert said["outcome"][0]["what"] == "hit"


def test_what_cannot_be_asked_is_refused_with_what_can(open_rolls):
    assert open_rolls("odds", "nobody", code=2).startswith("odds/unknown-key: ")
    assert "r1/assassin/a2/attack/to-hit" in open_rolls("odds", "nobody", code=2)
    assert open_rolls("odds", "--declare", "kind = ", code=2).startswith("odds/declaration: ")
    assert open_rolls("odds", "--declare", '{kind = "attack"}', code=2).startswith("odds/declaration: ")
    assert open_rolls("odds", "--choose", "stoya", code=2).startswith("odds/choice: ")
    error = json.loads(open_rolls("odds", "nobody", "--json", code=2))["error"]
    assert (error["slug"], error["where"]) == ("odds/unknown-key", "key")


def test_where_the_table_waits_for_a_choice_there_are_no_odds(affray):
    affray("play", "stoya")

    assert affray("odds", code=2).startswith("odds/no-open-roll: ")


def test_luck_is_told_with_its_sample_sizes_and_no_verdict_on_small_ones(affray):
    affray("play", "stoya")
    said = affray("luck")

    assert "too few to tell" in said
    assert "unusual" not in said.replace("Unusual: one time in twenty", "")
    assert "Groups of fewer than 30 dice" in said


def test_luck_for_programs(affray):
    affray("play", "last-stand")
    said = json.loads(affray("luck", "--json"))

    assert said["dice"] == sum(one["dice"] for one in said["faces"] if one["by"] == "die")
    assert {"who", "tests", "successes", "expected", "p", "unusual"} == set(said["successes"][0])


def test_the_session_is_named_by_place_or_by_option(affray):
    affray("play", "stoya")
    session = json.loads(affray("show", "--json"))["session"]
    affray("play", "last-stand")

    assert json.loads(affray("luck", session, "--json")) == json.loads(affray("luck", "--session", session, "--json"))
    assert json.loads(affray("luck", "--json")) != json.loads(affray("luck", session, "--json"))


def test_percents_never_call_the_possible_impossible():
    assert [percent(chance) for chance in (0, 1)] == ["0.0%", "100.0%"]
    assert percent(1 / 10**6) == "<0.1%"


def test_chances_are_told_with_their_intervals_and_how_they_were_found(affray):
    affray("play", "counter")
    said = affray("chances", "--at", "10")

    assert "standing at the end, as of entry 10" in said
    assert "Kade" in said
    assert "seed 1" in said
    assert " to " in said
    assert "chosen at random" in said


def test_chances_for_programs_and_of_a_fight_that_is_over(affray):
    affray("play", "stoya")
    said = json.loads(affray("chances", "--json"))

    assert said["samples"] == 0
    assert {each["who"]: each["chance"] for each in said["combatants"]} == {"assassin": 0, "stoya": 1}
    assert "nothing is left to chance" in affray("chances")
    assert affray("chances", "--at", "999", code=2).startswith("entry/unknown: ")
