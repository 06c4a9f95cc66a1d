"""The vocabulary's conditions of a combatant who is out of the fight are those in which the rules let none act."""

import pytest

from machines.eclipse_phase.first.sheet.sheet_access import UNABLE as FIRST
from machines.eclipse_phase.second.sheet.sheet_access import UNABLE as SECOND
from machines.gurps_3e.sheet.sheet_access import UNABLE as GURPS
from machines.registry import vocabulary_of
from machines.shadowrun_4e.sheet.sheet_access import UNABLE as SHADOWRUN


@pytest.mark.parametrize(
    ("game", "unable"),
    [
        ("eclipse_phase_1e", {*FIRST}),
        ("eclipse_phase_2e", {*SECOND} - {"detached"}),
        ("gurps_3e", {*GURPS}),
        ("shadowrun_4e", {*SHADOWRUN}),
    ],
)
def test_a_combatant_is_down_in_the_conditions_in_which_the_rules_let_none_act(game: str, unable: set[str]) -> None:
    """A detached mind returns within turns, so it does not count as down."""
    assert {*vocabulary_of(game).down} == unable
