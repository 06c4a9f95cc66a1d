"""Every ruleset that is installed is played by all laws; what it offers as legal is legal, and what it refuses is refused for that reason."""

import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from offers import check_can_go_on, check_offers
from strategies import RULESETS, SHEETS, fights

from machines.contract.ruleset import check_sheet, ruleset


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_has_sheets_to_be_played_with(name: str) -> None:
    assert name in SHEETS, f"tests/support/strategies.py: SHEETS needs a strategy for {name}"


def test_there_is_something_to_play() -> None:
    assert RULESETS


@pytest.mark.parametrize("name", SHEETS)
@given(st.data())
def test_the_sheets_are_sheets(name: str, data) -> None:
    check_sheet(ruleset(name), "ann", data.draw(SHEETS[name]))


@settings(max_examples=examples(40))
@given(fights())
def test_what_is_offered_is_legal_and_what_is_not_is_refused_for_the_reason_that_was_given(fight) -> None:
    check_offers(fight.session)


@settings(max_examples=examples(40))
@given(fights())
def test_a_fight_that_goes_on_waits_for_something_that_can_be_answered(fight) -> None:
    check_can_go_on(fight.session)
