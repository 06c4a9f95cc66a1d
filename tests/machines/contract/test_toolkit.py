"""Checks that every game shares."""

import pytest

from ledger.events import CombatantJoined, ConditionGained
from machines.contract.refusals import CannotAct
from machines.contract.toolkit import check_has_none_of
from projections.combat import Combat, fold


@pytest.fixture
def ann() -> Combat:
    """A fight in which Ann is prone and has lost her mind."""
    had = (ConditionGained("ann", name, None, "", "", "", "") for name in ("prone", "mind_lost"))
    return fold([CombatantJoined("ann", "Ann", "gm", False), *had])


def test_whoever_has_such_a_condition_is_refused_with_its_name_in_words(ann: Combat) -> None:
    with pytest.raises(CannotAct) as refused:
        check_has_none_of(ann, "ann", ("dead", "mind_lost", "prone"), where="by", accepts="end")

    assert (refused.value.message, refused.value.where, refused.value.accepts) == ("ann is mind lost", "by", "end")


def test_other_conditions_are_no_hindrance(ann: Combat) -> None:
    check_has_none_of(ann, "ann", ("dead",), where="by", accepts="end")
    check_has_none_of(ann, "ann", (), where="by", accepts="end")
