"""What is refused names what would be accepted: the words of a field that has few, else the fields."""

import pytest

from machines.refusals import BadSheet, BadSituation, BadTerms
from machines.ruleset import check_sheet, check_situation, check_terms, ruleset

GAME = ruleset("eclipse_phase_2e")


@pytest.mark.parametrize(
    ("kind", "terms", "accepted"),
    [
        ("ongoing", {"aptitude": "luck"}, "cog, int, ref, sav, som, wil"),
        ("hold", {"do": "tickle"}, "choke, damage, knockdown, move"),
        ("wake", {"whom": "ann"}, "who, stimulant?"),
    ],
)
def test_terms(kind: str, terms: dict[str, str], accepted: str) -> None:
    with pytest.raises(BadTerms) as refusal:
        check_terms(GAME, kind, terms)

    assert accepted == refusal.value.accepts


def test_a_sheet_and_the_beginning_of_a_fight() -> None:
    with pytest.raises(BadSheet) as sheet:
        check_sheet(GAME, "ann", {"durability": 30, "aptitudes": {}, "size": ["tiny"]})
    with pytest.raises(BadSituation) as begin:
        check_situation(GAME, {"weather": "rain"})

    assert "durability" in sheet.value.accepts
    assert "ambushers?" in begin.value.accepts
