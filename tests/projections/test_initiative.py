"""Initiative: the scores and the acting order."""

import pytest

from ledger.events import Adjusted, CombatantLeft, CombatBegan, Event, InitiativeScored, OrderFixed
from projections.initiative import ROUTES, Initiative

ORDER = (("bob", 12), ("ann", 9), ("cyd", 9))


def after(*events: Event) -> Initiative:
    found = Initiative()
    for event in (*(InitiativeScored(who, score, "", "", "") for who, score in ORDER), OrderFixed(ORDER), *events):
        found = ROUTES[type(event)](found, event)
    return found


def test_scores_and_the_order_are_what_was_told() -> None:
    assert after() == Initiative({"bob": 12, "ann": 9, "cyd": 9}, ORDER)


def test_a_new_score_leaves_the_order_until_it_is_fixed_anew() -> None:
    later = InitiativeScored("ann", 15, "", "", "")

    assert after(later) == Initiative({"bob": 12, "ann": 15, "cyd": 9}, ORDER)
    assert after(later, OrderFixed((("ann", 15), *ORDER[:1]))).order == (("ann", 15), ("bob", 12))


def test_whoever_leaves_is_out_of_the_order_and_keeps_the_score() -> None:
    assert after(CombatantLeft("ann", "")) == Initiative({"bob": 12, "ann": 9, "cyd": 9}, (ORDER[0], ORDER[2]))


def test_the_gamemaster_sets_a_score_with_a_number_and_nothing_else() -> None:
    assert after(Adjusted("ann", "initiative", 9, -3, "")) == Initiative({"bob": 12, "ann": -3, "cyd": 9}, ORDER)
    for what, value in (("wounds", 3), ("initiative", None), ("initiative", "late"), ("a", 3), ("z", 3)):
        assert after(Adjusted("ann", what, 9, value, "")) == after()


def test_another_fight_begins_with_neither() -> None:
    assert after(CombatBegan(2, {})) == Initiative()


def test_a_state_that_was_handed_out_stays_as_it_was() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        setattr(after(), "order", ())  # noqa: B010  the type checker knows, too
