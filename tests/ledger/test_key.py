"""Keys of rolls and choices, and their shorthands."""

import pytest

from ledger.key import action, is_meant, meant, period, role

KEY = "r1/assassin/a1/attack/to-hit"


def test_a_key_is_built_from_the_round_who_acts_the_action_and_the_role() -> None:
    attack = action(period(1, 1), "assassin", 1, "attack")

    assert role(attack, "to-hit") == KEY
    assert role(attack, "damage", 1) == "r1/assassin/a1/attack/damage"
    assert role(attack, "damage", 2) == "r1/assassin/a1/attack/damage/2"


def test_the_combat_is_named_from_the_second_on() -> None:
    assert [period(0, 1), period(1, 12), period(2, 1), period(11, 3)] == ["r1", "r12", "c2r1", "c11r3"]


@pytest.mark.parametrize("short", [KEY, "to-hit", "attack/to-hit", "a1/attack/to-hit", "assassin", "assassin/to-hit",
                                   "assassin/attack/to-hit", "assassin/a1/attack/to-hit"])  # fmt: skip
def test_the_key_its_suffixes_the_roller_and_the_roller_with_a_suffix_are_accepted(short: str) -> None:
    assert is_meant(short, KEY, "assassin")


@pytest.mark.parametrize("short", ["", "hit", "o-hit", "stoya/to-hit", "attack", "r1", "r1/assassin", "assassin/", "/to-hit",
                                   "to-hit/", "assassin/hit", "ASSASSIN", "r2/assassin/a1/attack/to-hit"])  # fmt: skip
def test_parts_of_words_other_people_and_prefixes_are_not(short: str) -> None:
    assert not is_meant(short, KEY, "assassin")


def test_the_roller_may_be_another_than_who_declared() -> None:
    assert is_meant("stoya/defend", "r1/assassin/a1/attack/defend", "stoya")
    assert is_meant("stoya", "r1/assassin/a1/attack/defend", "stoya")
    assert not is_meant("assassin/defend", "r1/assassin/a1/attack/defend", "somebody")


def test_a_shorthand_may_fit_several_but_an_exact_key_fits_alone() -> None:
    rolls = [("r1/ann/initiative", "ann"), ("r1/bob/initiative", "bob"), ("initiative", "cyd")]

    assert meant("ann", rolls) == ["r1/ann/initiative"]
    assert meant("bob/initiative", rolls) == ["r1/bob/initiative"]
    assert meant("initiative", rolls) == ["initiative"]
    assert meant("initiative", rolls[:2]) == ["r1/ann/initiative", "r1/bob/initiative"]
    assert meant("dov", rolls) == []
