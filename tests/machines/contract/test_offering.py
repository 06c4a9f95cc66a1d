"""Offers that all games have in common: other combatants, values of fields, the choice of the next action."""

import pytest

from ledger.events import CombatantJoined, CombatantLeft, ConditionGained, Declared, Option, RoundBegan, TurnBegan
from machines.contract.offering import next_action, others
from projections.combat import Combat, fold


def joined(who: str, *, thing: bool = False) -> CombatantJoined:
    return CombatantJoined(who, who, "gm", thing)


def is_now(who: str, condition: str) -> ConditionGained:
    return ConditionGained(who, condition, None, "", "", "", "")


@pytest.fixture
def three() -> Combat:
    return fold(map(joined, ("ann", "bob", "cyd")))


def test_the_others_are_in_the_order_of_joining(three: Combat) -> None:
    assert others(three, "bob") == ("ann", "cyd")


def test_those_who_are_down_come_last(three: Combat) -> None:
    combat = fold([is_now("ann", "unconscious"), is_now("bob", "prone")], three)

    assert others(combat, "cyd", "dead", "unconscious") == ("bob", "ann")
    assert others(combat, "cyd") == ("ann", "bob")


def test_the_dead_are_no_others(three: Combat) -> None:
    combat = fold([is_now("ann", "dead"), is_now("bob", "destroyed")], three)

    assert others(combat, "cyd", "dead") == ("bob",)
    assert others(combat, "cyd", gone=("dead", "destroyed")) == ()


def test_things_and_those_who_left_are_no_others(three: Combat) -> None:
    combat = fold([joined("door", thing=True), CombatantLeft("cyd", "")], three)

    assert others(combat, "ann") == ("bob",)


def test_there_are_no_others_for_somebody_who_never_joined(three: Combat) -> None:
    assert others(three, "zoe") == ()


# ------------------------------------------------------------------------------------------------ what to do next

MOVE = Option("move", "move")


@pytest.fixture
def turn(three: Combat) -> Combat:
    """A fight in which it is Ann's turn."""
    return fold([RoundBegan(2), TurnBegan("ann")], three)


def test_whoever_has_the_turn_may_always_end_it_and_does_if_nothing_else_is_said(turn: Combat) -> None:
    asked = next_action(turn, [MOVE])

    assert (asked.by, asked.purpose, asked.default) == ("ann", "what to do", "end")
    assert asked.options == (MOVE, Option("end", "end"))
    assert next_action(turn, []).options == (Option("end", "end"),)


def test_each_choice_has_a_key_of_its_own_by_what_was_declared_before(turn: Combat) -> None:
    declared = [Declared("r2/ann/a1/move", "move", "ann", {}), Declared("r2/ann/a1/aim", "aim", "ann", {})]
    others_declared = [Declared("r2/bob/a1/move", "move", "bob", {})]

    assert next_action(turn, []).key == "r2/ann/act"
    assert next_action(fold(others_declared, turn), []).key == "r2/ann/act"
    assert next_action(fold(declared, turn), []).key == "r2/ann/act/3"
    assert next_action(fold(declared, turn), [], taken=2).key == "r2/ann/act/5"


def test_a_game_with_passes_names_the_pass_in_the_key(turn: Combat) -> None:
    assert next_action(turn, [], within="/p3").key == "r2/ann/p3/act"
    assert next_action(turn, [], in_pass=3).key == "r2/ann/act3"
