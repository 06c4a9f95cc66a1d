"""What a script may expect of the state."""

import pytest

from replays.api.run_script import perform
from replays.scripts.expectations import Expected
from replays.scripts.format import read

FIGHT = """
affray  = 1
title   = "Two at once"
ruleset = "eclipse_phase_1e"

[combatants.ann.sheet]
init       = 60
durability = 30
aptitudes  = { som = 20 }
skills     = { blades = 57 }
weapons    = ["knife"]

[combatants.bob.sheet]
init       = 50
durability = 30
aptitudes  = { som = 20 }
skills     = { fray = 40 }

[[play]]
begin = {}
[[play]]
dice = { ann = 30, bob = 10 }
[[play]]
declare = { kind = "attack", by = "ann", at = "bob", using = "knife" }
[[play]]
choose = { bob = "fray" }
[[play]]
expect = { rests = EXPECTED }
"""


def _mismatches(expected: str, fight: str = FIGHT) -> list[str]:
    try:
        perform(read(fight.replace("EXPECTED", expected)))
    except Expected as mismatch:
        return [path for path, _, _ in mismatch.mismatches]
    return []


@pytest.mark.parametrize(
    ("expected", "differs"),
    [
        ('{ "ann/to-hit" = { target = 57 }, bob = { target = 40, dice = "1d100" } }', []),
        ('{ "ann/to-hit" = { target = 58 }, bob = { target = 40 } }', ["rests.ann/to-hit.target"]),
        ('{ "bob/to-hit" = { target = 57 } }', ["rests.bob/to-hit"]),
        ('{ "attack" = { target = 57 } }', ["rests.attack"]),
    ],
)
def test_an_open_roll_is_expected_by_its_shorthand(expected: str, differs: list[str]) -> None:
    assert _mismatches(expected) == differs


def test_the_keys_of_all_open_rolls_are_expected_as_a_list() -> None:
    assert _mismatches('["r1/ann/a1/attack/to-hit", "r1/ann/a1/attack/defend"]') == []
    assert _mismatches('["r1/ann/a1/attack/to-hit"]') == ["rests"]


@pytest.mark.parametrize(
    ("expected", "differs"),
    [
        ("{ bob = { options = { fray = 40, parry = false } } }", []),
        ("{ bob = { options = { fray = 39 } } }", ["rests.bob.options.fray"]),
        ("{ bob = { options = { parry = true } } }", ["rests.bob.options.parry"]),
        ("{ bob = { options = { parry = false } } }", []),
        ("{ bob = { options = { fray = false } } }", ["rests.bob.options.fray"]),
    ],
)
def test_an_option_of_an_open_choice_is_expected_by_its_target(expected: str, differs: list[str]) -> None:
    before = FIGHT.replace('[[play]]\nchoose = { bob = "fray" }\n', "")

    assert _mismatches(expected, before) == differs


@pytest.mark.parametrize(
    ("expected", "differs"),
    [
        ("{ prone = true, dazed = false }", []),
        ("{ weak = 3, prone = false }", ["ann.conditions.prone"]),
        ("{ weak = 2, blind = true }", ["ann.conditions.weak", "ann.conditions.blind"]),
    ],
)
def test_conditions_are_expected_one_by_one(expected: str, differs: list[str]) -> None:
    fallen = "".join(
        f'[[play]]\nadjust = {{ who = "ann", what = "conditions.{name}", value = {value}, why = "so" }}\n'
        for name, value in (("prone", 1), ("weak", 3))
    )
    before = FIGHT.replace("[[play]]\nexpect", f"{fallen}[[play]]\nexpect").replace("{ rests = EXPECTED }", "EXPECTED")

    assert _mismatches(f"{{ ann = {{ conditions = {expected} }} }}", before) == differs
