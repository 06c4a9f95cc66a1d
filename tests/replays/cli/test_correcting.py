"""`affray amend`, `affray whatif`: a mistake three turns old, shown side by side before anything is written."""

import json
import re
import shlex

import pytest
from places import ROOT

MODIFIERS = 'terms.modifiers=["target has good cover", "attacker firing from cover"]'


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def played(affray):
    affray("play", "street-fight")
    return affray


def test_before_and_after_stand_side_by_side_and_flips_come_last(played):
    said = [" ".join(line.split()) for line in played("amend", "20", "--set", MODIFIERS, "--preview").splitlines()]

    titles = [line for line in said if line.isupper() or line.startswith(("PREVIEW", "FLIPS", "FIGURES", "TESTS"))]
    assert titles[0] == "PREVIEW: nothing is written"
    assert titles[1:] == ["NEEDS A PERSON", "WAITS FOR THESE ANSWERS", "SET ASIDE", "TESTS", "FIGURES", "FLIPS"]
    assert "slim: attack at razor hit miss" in said
    assert "Razor: stun 3 0" in said
    assert "razor: hit with smg: 11d6, of which 5 5 2 3 4 2 3 4 2 3 are known already r1/razor/a3/attack/to-hit" in said
    assert json.loads(played("show", "--json"))["entries"] == 45


def test_amended_the_log_has_the_correction_and_verifies(played):
    assert "AMENDED" in played("amend", "20", "--set", MODIFIERS, "--why", "Razor was behind the dumpster")

    said = played("log")
    assert "Entry 20 is corrected: terms.modifiers = target has good cover and attacker firing from cover." in said
    assert "Entry 22 is performed again." in said
    assert "53 entries, nothing altered" in played("verify")


OF_A_ROLL = [
    ("modify", "slim/to-hit", "-2"),
    ("overrule", "r1/slim/a1/attack/to-hit", "outcome", "failure"),
    ("overrule", "r1/slim/a1/attack", "outcome", "miss"),
]


@pytest.mark.parametrize("arguments", OF_A_ROLL, ids=" ".join)
def test_a_change_of_a_thrown_roll_is_previewed_as_an_amendment_is(played, arguments):
    said = [" ".join(line.split()) for line in played(*arguments, "--preview").splitlines()]
    assert said[0].startswith("PREVIEW: nothing is written · slim's r1/slim/a1/attack")
    assert "entry 2" in said[0]
    assert "FLIPS" in said

    found = json.loads(played(*arguments, "--preview", "--json"))
    assert ("preview", "slim") == (found["kind"], found["by"])
    assert {"flips", "shifts", "needs_a_person", "waits", "set_aside", "key", "purpose"} <= found.keys()
    assert json.loads(played("show", "--json"))["entries"] == 45


@pytest.mark.parametrize("arguments", OF_A_ROLL, ids=" ".join)
def test_without_a_preview_it_is_written_and_says_which_roll_was_meant(played, arguments):
    report = json.loads(played(*arguments, "--preview", "--json"))
    said = played(*arguments, "--why", "a dark alley")

    assert f"slim's {report['key']}: {report['purpose']}" in said.splitlines()
    state = json.loads(played("show", "--json"))
    assert state["entries"] > 45
    assert report["after"]["combatants"] == state["combatants"]


def test_of_a_roll_that_is_still_open_nothing_can_be_previewed(played):
    played("undo", "--to", "12")
    assert "the roll is still open" in played("modify", "dregs/defend", "-2", "--preview")
    assert None is json.loads(played("modify", "dregs/defend", "-2", "--preview", "--json"))
    assert "dregs's r1/razor/a1/attack/defend: defend" in played("modify", "dregs/defend", "-2", "--why", "dark")


def test_what_if_is_marked_in_words_and_in_the_document(played):
    assert "WHAT IF: nothing is written" in played("whatif", "20", "--drop")
    found = json.loads(played("whatif", "20", "--drop", "--json"))
    assert found["kind"] == "what if"
    assert found["before"]["combatants"]["razor"]["wounds"] == 1
    assert json.loads(played("show", "--json"))["entries"] == 45


def test_a_report_as_a_document_has_all_that_the_screen_has(played):
    found = json.loads(played("amend", "20", "--set", MODIFIERS, "--preview", "--json"))

    assert {"flips", "shifts", "needs_a_person", "waits", "set_aside", "reread", "drift"} <= found.keys()
    assert [each["entry"] for each in found["set_aside"]] == [21, 24, 25]


def test_a_misread_die_and_a_reaction_that_was_missed(played):
    assert "hit miss" in " ".join(played("amend", "20", "--dice", "slim/to-hit=2,6", "--preview").split())
    step = 'declare = { kind = "full_defense", by = "razor" }'
    assert "before it: " in played("amend", "21", "--insert", step, "--preview")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["20", "--preview"], "nothing is changed"),
        (["20", "--drop"], "a reason is required"),
        (["20", "--set", "terms.at", "--preview"], "has no name and value"),
        (["20", "--set", "terms.at=the moon", "--preview"], "the moon"),
        (["20", "--insert", "shout", "--preview"], "is not a step"),
        (["21", "--insert", "draw = true", "--preview"], "a preview draws no dice"),
        (["20", "--insert", "shout = 1", "--preview"], "shout"),
        (["20", "--insert", 'declare = {kind = "attack", by = ["stoya"]}', "--preview"], "by is not text"),
        (["20", "--insert", 'declare = {kind = 7, by = "stoya"}', "--preview"], "kind is not text"),
        (["20", "--dice", "slim/to-hit=two", "--preview"], "is not a list of faces"),
        (["20", "--dice", "slim/luck=2", "--preview"], "slim/luck"),
        (["99", "--drop", "--preview"], "99"),
        (["²", "--drop", "--preview"], "²"),
        (["1", "--drop", "--preview"], "OpenSession"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(played, arguments, said):
    assert said in played("amend", *arguments, code=2)
    assert json.loads(played("show", "--json"))["entries"] == 45


@pytest.mark.parametrize(
    "arguments",
    [
        ("amend", "20", "--drop"),
        ("overrule", "slim/resist", "dv", "5"),
        ("modify", "slim/to-hit", "5"),
        ("adjust", "slim", "wounds", "1"),
        ("dispute", "slim/to-hit"),
        ("settle", "d1", "upheld"),
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("why", ["", "  "])
def test_what_goes_into_the_record_needs_a_reason(played, arguments, why):
    assert "why/missing" in played(*arguments, "--why", why, code=2)
    assert json.loads(played("show", "--json"))["entries"] == 45


# ------------------------------------------------------------------------------------------------ the README

README = ROOT / "README.md"
_CHANGING = re.compile(r"^[0-9A-Z]{26}: |head [0-9a-f]{64}$")


def _demonstration() -> list[str]:
    """Returns the lines of the README's demonstration."""
    part = README.read_text("utf-8").split("## A mistake, three turns old")[1].split("\n## ")[0]
    blocks = re.findall(r"```console\n(.*?)```", part, re.DOTALL)
    return "".join(blocks).replace("\\\n", " ").splitlines()


def test_the_demonstration_in_the_readme_is_what_happens(affray, monkeypatch):
    monkeypatch.setenv("COLUMNS", "110")
    said = ""
    shown = _demonstration()
    for line in shown:
        if line.startswith("$ affray "):
            said += affray(*shlex.split(line.removeprefix("$ affray ")), lines=("6", "5", "quit"))

    lines = iter([_told(line) for line in said.splitlines()])
    for expected in shown:
        if not expected.startswith("$ ") and expected != "…":
            assert _told(expected) in lines, expected


def _told(line: str) -> str:
    """Removes what differs in each run; keeps only the prompt of an answered prompt."""
    return _CHANGING.sub("", line).rstrip()


@pytest.mark.parametrize(
    "options",
    [("--set", "faces=[1, 1]", "--set", "faces=[5, 5]"), ("--dice", "to-hit=1,1", "--dice", "to-hit=5,5")],
    ids=["set", "dice"],
)
def test_what_is_given_twice_is_refused(played, options):
    said = played("amend", "21", *options, "--why", "q", code=2)

    assert "contradicts itself" in said
    assert all(said.count(face) for face in ("1, 1", "5, 5"))
    assert json.loads(played("show", "--json"))["entries"] == 45


GIVEN = [
    ("undo",),
    ("undo", "--to", "20"),
    ("redo",),
    ("amend", "20", "--set", MODIFIERS),
    *OF_A_ROLL[:2],
]


@pytest.mark.parametrize("given", GIVEN, ids=" ".join)
def test_a_reason_is_the_gamemasters_alone_or_some_players(played, given):
    if given[0] == "redo":
        played("undo")
    played(*given, "--why", "he was misheard", "--secret")

    assert "he was misheard" in played("log", "--all")
    assert "he was misheard" not in played("--as", "kira:player", "log", "--all")


@pytest.mark.parametrize("given", GIVEN, ids=" ".join)
def test_a_reason_is_told_to_the_player_of_a_combatant(played, given):
    if given[0] == "redo":
        played("undo")
    played(*given, "--why", "he was misheard", "--seen-by", "razor")

    assert "he was misheard" in played("--as", "kira:player", "log", "--all")
    assert "he was misheard" not in played("--as", "ben:player", "log", "--all")
