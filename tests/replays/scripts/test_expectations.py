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


def _mismatches(expected: str) -> list[str]:
    try:
        perform(read(FIGHT.replace("EXPECTED", expected)))
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
