"""The chances of a roll by itself, computed from what a reader sees of it."""

from fractions import Fraction

import msgspec
import pytest

from ledger.events import DiceRolled, Event, FigureFound, RollRequested
from machines.contract.ruleset import Ruleset, ruleset
from projections.combat import Combat, fold
from replays.odds.roll_alone import roll_alone

GAME = ruleset("gurps_3e")
KEY = "r1/unseen-1/a1/attack/defend"


def seen(*more: Event, dice: str = "3d6", target: int = 7) -> Combat:
    asked = RollRequested(KEY, "bob", dice, "dodge", "")
    return fold((FigureFound(KEY, "target", target, "", "", "exchange", "bob"), asked, *more))


def chances(combat: Combat, game: Ruleset = GAME) -> dict[str, Fraction] | None:
    alone = roll_alone(game, combat, KEY)
    return None if alone is None else alone.outcomes


@pytest.mark.parametrize(
    ("target", "succeeds"),
    [(7, Fraction(35, 216)), (3, Fraction(4, 216)), (16, Fraction(212, 216)), (30, Fraction(212, 216))],
)
def test_success_and_failure_come_to_one(target: int, succeeds: Fraction) -> None:
    assert chances(seen(target=target)) == {"succeeds": succeeds, "fails": 1 - succeeds}


def test_an_outcome_that_cannot_be_is_not_listed() -> None:
    always = msgspec.structs.replace(GAME, read_alone=lambda combat, key: _read(combat, key, "success"))
    never = msgspec.structs.replace(GAME, read_alone=lambda combat, key: _read(combat, key, "critical failure"))

    assert chances(seen(), always) == {"succeeds": 1}
    assert chances(seen(), never) == {"fails": 1}


def _read(combat: Combat, key: str, outcome: str) -> object:
    assert len(combat.rolls[key].faces) == 3
    assert GAME.read_alone is not None
    return msgspec.structs.replace(GAME.read_alone(combat, key), outcome=outcome)


def test_the_target_and_the_number_of_sums_that_were_read_are_given() -> None:
    alone = roll_alone(GAME, seen(), KEY)

    assert alone is not None
    assert (alone.target, alone.throws) == (7, 16)


def test_nothing_is_given_without_a_target_that_is_shown_whole() -> None:
    hidden = FigureFound(KEY, "hidden", "", "", "", "exchange", "bob")
    asked = RollRequested(KEY, "bob", "3d6", "dodge", "")

    assert chances(seen(hidden)) is None
    assert chances(fold((asked,))) is None


def test_nothing_is_given_of_a_roll_of_which_dice_lie() -> None:
    assert chances(seen(DiceRolled(KEY, (1, 2, 3), ("typed",) * 3))) is None


def test_nothing_is_given_where_the_game_reads_rolls_against_others() -> None:
    assert chances(seen(), msgspec.structs.replace(GAME, read_alone=None)) is None
    assert ruleset("shadowrun_4e").read_alone is None


def test_nothing_is_given_of_more_throws_than_are_read() -> None:
    assert chances(seen(dice="1000d6")) is None


def test_nothing_is_given_where_the_rules_miss_something_that_is_not_shown() -> None:
    def read(combat: Combat, key: str) -> object:
        raise KeyError(key)

    assert chances(seen(), msgspec.structs.replace(GAME, read_alone=read)) is None


def test_other_rolls_stay_what_they_are() -> None:
    other = RollRequested("r1/ann/roll", "ann", "1d6", "", "")

    def read(combat: Combat, key: str) -> object:
        assert combat.rolls["r1/ann/roll"].by == "ann"
        return _read(combat, key, "success")

    assert chances(seen(other), msgspec.structs.replace(GAME, read_alone=read)) == {"succeeds": 1}
