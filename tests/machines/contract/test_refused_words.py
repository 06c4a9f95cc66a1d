"""A refused document names the place, and what would be accepted there."""

import pytest

from machines.contract.refusals import BadSheet, BadSituation, BadTerms
from machines.contract.ruleset import Ruleset, check_sheet, check_situation, check_terms, ruleset

GAME = ruleset("eclipse_phase_2e")
GURPS = ruleset("gurps_3e")


@pytest.mark.parametrize(
    ("game", "kind", "terms", "accepted"),
    [
        (GAME, "ongoing", {"aptitude": "luck"}, "cog, int, ref, sav, som, wil"),
        (GAME, "hold", {"do": "tickle"}, "choke, damage, knockdown, move"),
        (GAME, "wake", {"whom": "ann"}, "who, stimulant?"),
        (GURPS, "attack", {"at": "bob", "using": "sword", "all_out": "berserk"}, "to_hit, damage, two_attacks, feint"),
        (GURPS, "aim", {"target": "bob"}, "yards?, at, using"),
    ],
)
def test_terms(game: Ruleset, kind: str, terms: dict[str, str], accepted: str) -> None:
    with pytest.raises(BadTerms) as refusal:
        check_terms(game, kind, terms)

    assert accepted == refusal.value.accepts


def test_a_sheet_and_the_beginning_of_a_fight() -> None:
    with pytest.raises(BadSheet) as sheet:
        check_sheet(GAME, "ann", {"durability": 30, "aptitudes": {}, "size": ["tiny"]})
    with pytest.raises(BadSituation) as begin:
        check_situation(GAME, {"weather": "rain"})

    assert (sheet.value.where, sheet.value.accepts) == (
        "combatants.ann.sheet.aptitudes.som",
        "a whole number from 0 to 60",
    )
    assert "ambushers?" in begin.value.accepts


def test_another_sheet_and_another_beginning_of_a_fight() -> None:
    with pytest.raises(BadSheet) as sheet:
        check_sheet(GURPS, "ann", {"st": 10, "dx": 10, "health": 10})
    with pytest.raises(BadSituation) as begin:
        check_situation(GURPS, {"weather": "rain"})

    assert "ht" in sheet.value.accepts.split(", ")
    assert "postures?" in begin.value.accepts
