"""A sheet written with comments is the ready sheet that it is like, and each of its examples is accepted."""

import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from machines.contract.ruleset import Ruleset, ruleset
from machines.registry import installed
from replays.scripts.sheet_check import sheet_faults, sheet_summary
from replays.scripts.sheet_files import BadFile, NoSuchSheet, id_of_name, read_combatants, read_file, ruleset_of
from replays.scripts.sheet_template import sheet_template
from replays.scripts.toml_text import toml_text
from tests.contracts.rulesets.tiny_d20 import RULESET as TINY

READY = [(game, name) for game in installed() for name in ruleset(game).sheets]


@pytest.mark.parametrize(("game", "name"), READY)
def test_the_file_is_accepted_as_it_is_and_has_the_ready_sheet(game: str, name: str) -> None:
    rules = ruleset(game)
    text = sheet_template(rules, name, "Kira Voss").encode()

    assert ruleset_of(text, "me.toml") == game
    assert tomllib.loads(text.decode())["sheet"] == rules.sheets[name]
    (who, combatant), *others = read_combatants(rules, text, "me.toml").items()
    assert (who, combatant.name, others) == ("kira-voss", "Kira Voss", [])
    assert not list(sheet_faults(rules, combatant.sheet))
    assert list(sheet_summary(rules, combatant.sheet))


@pytest.mark.parametrize(("game", "name"), READY)
def test_no_line_is_longer_than_eighty_columns_but_long_values(game: str, name: str) -> None:
    lines = sheet_template(ruleset(game), name).split("\n")

    assert not [line for line in lines if len(line) > 80 and line.startswith("#") and " = " not in line]


def variants(text: str) -> Iterator[str]:
    """Yields the file with one more line, or one more table, that is no comment any more."""
    lines = text.split("\n")
    table = ""
    for place, line in enumerate(lines):
        if line.startswith(("[", "# [sheet")) and line.endswith("]"):
            table = line
        if line.startswith("# [sheet") and line.endswith("]"):
            end = next(
                after for after in range(place + 1, len(lines) + 1) if after == len(lines) or "[sheet" in lines[after]
            )
            inside = [each[2:] if " = " in each and "NAME =" not in each else each for each in lines[place:end]]
            yield "\n".join([*lines[:place], table[2:], *inside[1:], *lines[end:]])
        elif line.startswith("# ") and " = " in line and "NAME =" not in line and table.startswith("["):
            yield "\n".join([*lines[:place], line[2:], *lines[place + 1 :]])


@pytest.mark.parametrize("game", installed())
def test_every_example_is_accepted(game: str) -> None:
    rules = ruleset(game)
    name = next(iter(rules.sheets))
    found = list(variants(sheet_template(rules, name)))

    assert len(found) > 10
    for text in found:
        (combatant,) = read_combatants(rules, text.encode(), "me.toml").values()
        assert not list(rules.faults(combatant.sheet, rules.sheet)), text


def test_every_field_is_in_the_file_and_the_required_ones_come_first() -> None:
    text = sheet_template(ruleset("gurps_3e"), "swordsman")

    assert text.index("\nst = 12") < text.index("\ndx = 13") < text.index("\nht = 12") < text.index("\n# iq = 10")
    assert "# Strength. A whole number from 1 to 200; required.\nst = 12\n" in text
    assert "# Intelligence. A whole number from 1 to 200; 10 if omitted.\n# iq = 10\n" in text
    assert "#   acc: The accuracy of a ranged weapon, which aiming adds. A whole number from\n" in text


def test_a_ruleset_without_ready_sheets_has_a_file_with_the_required_fields() -> None:
    alone = msgspec.structs.replace(TINY, sheets={})
    text = sheet_template(alone)
    (combatant,) = read_combatants(TINY, text.encode(), "me.toml").values()

    assert combatant.sheet == {"skill": 1}
    assert "# weapon = " in text
    assert not list(TINY.faults(combatant.sheet, TINY.sheet))


# ------------------------------------------------------------------------------------------------ reading and checking


def faults(game: Ruleset, **changes: Any) -> list[tuple[str, str]]:
    """Returns the places and problems of the first ready sheet with other fields."""
    sheet = {**next(iter(game.sheets.values())), **changes}
    return [(fault.path, fault.problem) for fault in sheet_faults(game, sheet)]


def test_what_only_joining_refuses_is_found_with_its_place() -> None:
    shadowrun, first = ruleset("shadowrun_4e"), ruleset("eclipse_phase_1e")

    assert faults(shadowrun, weapons={"ray": {"skill": "pistols"}}) == [
        ("weapons.ray.damage", "its ray: it does no damage")
    ]
    assert faults(first, aptitudes={"som": 15}) == [("aptitudes", "its sheet has no INT")]


def test_a_sheet_may_have_its_fields_at_the_top_and_names_in_any_case() -> None:
    raw = b'ruleset = "gurps_3e"\nname = "Kira"\nST = 12\ndx = 11\nht = 10\narms = ["Broadsword Swing"]\n'
    (combatant,) = read_combatants(ruleset("gurps_3e"), raw, "me.toml").values()

    assert combatant.sheet == {"st": 12, "dx": 11, "ht": 10, "arms": ["broadsword swing"]}


@pytest.mark.parametrize("raw", [b"st = ", b"\xff", b'ruleset = "shadowrun_4e"', b"sheet = {}\nst = 3", b"[" * 10_000])
def test_a_file_that_is_no_sheet_of_the_game_is_refused(raw: bytes) -> None:
    with pytest.raises(BadFile, match=r"me\.toml"):
        read_combatants(ruleset("gurps_3e"), raw, "me.toml")


def test_a_file_that_is_not_there_is_refused() -> None:
    for path in ("nowhere.toml", "/", "a\0b", "~nobody/x.toml"):
        with pytest.raises(NoSuchSheet, match="there is no file"):
            read_file(path)


def test_ids_and_values() -> None:
    assert [id_of_name(name) for name in ("Kira Voss", "gm", "!", "t3")] == ["kira-voss", "somebody", "somebody", "t3"]
    value = {"a b": ['"\\\x7f\n\u2603'], "c": {"d": [True, -3]}}
    assert tomllib.loads(f"value = {toml_text(value)}")["value"] == value
