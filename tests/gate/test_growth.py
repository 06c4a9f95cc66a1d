"""A heap that grows with every operation is distinguished from caches that fill, empty, or grow once."""

from random import Random

import pytest
from long.heap.growth import BOUNDS, Growth, Measured
from long.part import Failed

ROUNDS = 20
PER_ROUND = 500
NOISE = 20


def grown(per_round: float, *, step: int = 0, emptied: int = 0, rounds: int = ROUNDS) -> Growth:
    """Returns measurements of a process: blocks for each round, a step in the middle, a cache emptied at intervals."""
    chance, growth = Random(1), Growth("a process")
    for number in range(rounds):
        full = number % emptied if emptied else number
        blocks = 100_000 + int(per_round * full) + chance.randint(-NOISE, NOISE) + (step if number > rounds // 2 else 0)
        growth.measured.append(Measured(number * PER_ROUND, blocks, 1_000_000, 50_000_000))
    return growth


def test_a_leak_is_found() -> None:
    with pytest.raises(Failed, match=r"it grows: a process.*\n(.*\n)+.*\+3 thing"):
        grown(BOUNDS["blocks"]).check("+3 thing")


@pytest.mark.parametrize(
    "growth", [grown(0), grown(0, step=30_000), grown(200, emptied=6)], ids=["nothing but noise", "a step", "a cache"]
)
def test_caches_are_not_taken_for_leaks(growth: Growth) -> None:
    growth.check("")


def test_the_slope_is_that_of_a_thousand_operations() -> None:
    assert grown(50).slope("blocks") == pytest.approx(100, abs=10)


def test_too_few_rounds_have_no_result() -> None:
    with pytest.raises(Failed, match="only 3 rounds"):
        grown(0, rounds=3).check("")
