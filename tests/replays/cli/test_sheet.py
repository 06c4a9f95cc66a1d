"""`affray sheet`: writes a character to start from, and checks it."""

import json
from pathlib import Path

import pytest

from machines.contract.ruleset import ruleset
from machines.registry import installed

READY = [(game, name) for game in installed() for name in ruleset(game).sheets]
FILE = "me.toml"


def written(affray, *arguments: str) -> str:
    """Writes the output of `affray sheet new` into a file; returns it."""
    text = affray("sheet", "new", *arguments)
    Path(FILE).write_text(text, encoding="utf-8")
    return text


@pytest.mark.parametrize(("game", "name"), READY)
def test_a_new_sheet_is_checked_and_brought_to_a_fight(affray, game: str, name: str) -> None:
    written(affray, game, "--like", name.upper().replace("-", " "), "--name", "Kira")

    assert affray("sheet", "check", FILE).startswith(f"OK: Kira, {ruleset(game).title}\n  ")
    affray("fight", game, "--with", FILE, "--with", next(iter(ruleset(game).sheets)), lines=("quit",))
    assert json.loads(affray("show", "--json"))["combatants"]["kira"]["name"] == "Kira"


def test_every_fault_of_a_sheet_is_named_with_its_place(affray) -> None:
    text = written(affray, "gurps_3e", "--like", "swordsman")
    Path(FILE).write_text(
        text.replace("\nst = 12", '\nst = "lots"')
        .replace('type = "cutting"', 'type = "cuting"')
        .replace("dx = 13", "dex = 13")
    )

    refused = affray("sheet", "check", FILE, code=2)

    assert refused.splitlines() == [
        "sheet/invalid: me.toml: dex: there is no such field; did you mean 'dx'? (accepted: st, dx, iq?, ht, hit_points?, fatigue?, will?, move?, "
        "dodge?, size?, skills?, weapons?, arms?, shield?, armor?, natural_dr?, ambidextrous?, high_pain_threshold?, "
        "vulnerable?)",
        "sheet/invalid: me.toml: st: 'lots' is not accepted (accepted: a whole number from 1 to 200)",
        "sheet/invalid: me.toml: dx: it is missing (accepted: a whole number from 1 to 200)",
        "sheet/invalid: me.toml: weapons.swing.type: 'cuting' is not accepted; did you mean 'cutting'? (accepted: crushing, "
        "cutting, impaling, small bullet, bullet, large bullet, very large bullet, beam, fireball, lightning)",
    ]
    document = json.loads(affray("sheet", "check", FILE, "--json", code=2).splitlines()[0])
    assert [fault["path"] for fault in document["combatants"]["swordsman"]["faults"]] == [
        "dex",
        "st",
        "dx",
        "weapons.swing.type",
    ]
    assert not document["ok"]


def test_programs_get_the_file_and_the_summary(affray) -> None:
    Path(FILE).write_text(json.loads(affray("sheet", "new", "gurps_3e", "--json"))["toml"])

    document = json.loads(affray("sheet", "check", FILE, "--json"))

    assert (document["ruleset"], document["ok"]) == ("gurps_3e", True)
    assert document["combatants"]["swordsman"]["summary"][:2] == [
        "hit points 12, fatigue 12",
        "st 12, dx 13, ht 12, move 6",
    ]


@pytest.mark.parametrize(
    ("arguments", "refused"),
    [
        (
            ("new", "gurps_3e", "--like", "swordsmn"),
            "gurps_3e has no ready sheet 'swordsmn'; did you mean 'swordsman'?",
        ),
        (("new", "gurps"), "ruleset/unknown: no ruleset 'gurps' is installed"),
        (("check", "nowhere.toml"), "sheet/unknown: there is no file 'nowhere.toml'"),
        (
            ("check", "empty.toml"),
            'does not state its ruleset (accepted: ruleset = "NAME" in the file, or --ruleset NAME',
        ),
        (("check", "empty.toml", "--ruleset", "gurps_3e"), "empty.toml: st: it is missing"),
        (("check", "wrong.toml"), "wrong.toml cannot be read as a sheet: Invalid value (at line 1, column 6)"),
    ],
)
def test_wrong_calls_are_refused_with_the_reason(affray, arguments: tuple[str, ...], refused: str) -> None:
    Path("empty.toml").write_text("")
    Path("wrong.toml").write_text("st = lots")

    assert refused in affray("sheet", *arguments, code=2)


def test_a_script_is_checked_with_all_of_its_combatants(affray) -> None:
    Path("two.toml").write_text(
        'ruleset = "gurps_3e"\n[combatants.ann.sheet]\nst = 10\ndx = 10\nht = 10\n[combatants.bob.sheet]\nst = 10\n'
    )

    refused = affray("sheet", "check", "two.toml", code=2)

    assert "OK: ann, GURPS, 3rd edition" in refused
    assert "sheet/invalid: bob: dx: it is missing" in refused
