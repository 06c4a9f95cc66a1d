"""All laws play every installed ruleset; its legal options are accepted, and its refused ones are refused for the listed reason."""

import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from offers import check_can_go_on, check_offers
from strategies import RULESETS, SHEETS, fights

from machines.contract.ruleset import check_sheet, ruleset


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_has_sheets_to_play_with(name: str) -> None:
    assert name in SHEETS, f"tests/support/strategies.py: SHEETS needs a strategy for {name}"


def test_at_least_one_ruleset_is_installed() -> None:
    assert RULESETS


@pytest.mark.parametrize("name", SHEETS)
@given(st.data())
def test_drawn_sheets_are_valid(name: str, data) -> None:
    check_sheet(ruleset(name), "ann", data.draw(SHEETS[name]))


@settings(max_examples=examples(40))
@given(fights())
def test_legal_options_are_accepted_and_refused_ones_are_refused_for_the_listed_reason(fight) -> None:
    check_offers(fight.session)


@settings(max_examples=examples(40))
@given(fights())
def test_a_running_fight_waits_for_a_rest_that_can_be_answered(fight) -> None:
    check_can_go_on(fight.session)
