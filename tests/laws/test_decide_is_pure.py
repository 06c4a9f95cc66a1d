"""Decide is pure: the same combat, command and overrules give the same events or the same refusal, and its arguments stay as they were."""

import copy

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_command, fights

from ledger.commands import Command, Overrule
from ledger.errors import Refused
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat


def _said(game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...]) -> object:
    try:
        return decide(game, combat, command, overrules)
    except Refused as refusal:
        return type(refusal), str(refusal), refusal.where, refusal.accepts


@given(fights(), st.data())
def test_deciding_twice_has_the_same_result_and_changes_nothing(fight, data) -> None:
    game, combat = fight.session.game, fight.session.combat
    command = data.draw(any_command(fight.session))
    overrules = tuple(
        Overrule(rest.key, figure, value, "why")
        for rest in combat.rests
        for figure, value in data.draw(st.dictionaries(st.sampled_from(("outcome", "dv", "target")), st.integers(0, 99), max_size=2)).items()
    )  # fmt: skip
    before = copy.deepcopy((combat, command, overrules))
    encoded = msgspec.json.encode((combat, command, overrules))

    first = _said(game, combat, command, overrules)
    second = _said(game, combat, command, overrules)
    elsewhere = _said(game, *before)

    assert first == second
    assert first == elsewhere
    assert (combat, command, overrules) == before
    assert msgspec.json.encode((combat, command, overrules)) == encoded
