"""`replays.odds.engine.shapes`: what branches are without their numbers, and the same branches with other numbers."""

from typing import Any

import msgspec
import pytest

from projections.combat import Combat
from projections.combatants.health import Health, Track
from projections.combatants.wounds import Wounds
from projections.figures import Figures
from replays.odds.engine.forgotten import Forgotten
from replays.odds.engine.joint_table import JointTable
from replays.odds.engine.shapes import Shapes, Tally
from replays.odds.engine.symbolic import Chances, Unthrown

BASE = Combat()
TALLY: Tally = {("wounds", "ann", "wounds"): 1}


def hurt(taken: Any, by: Any = "the blade") -> Combat:
    return msgspec.structs.replace(
        BASE,
        health=Health({"ann": {"damage": Track(taken, 30)}}),
        wounds=Wounds({"bob": {"wounds": 3}}),
        figures=Figures({"r1/ann/a1/attack by": by}),
    )


@pytest.fixture
def number() -> Unthrown:
    """An open number."""
    return Unthrown(Chances(10), JointTable([1, 1]), [1, 2], (0, 0))


@pytest.fixture
def shapes() -> Shapes:
    return Shapes(BASE)


def read(shapes: Shapes, combat: Combat | None, tally: Tally = TALLY) -> tuple[Any, list[Any]]:
    numbers: list[Any] = []
    return shapes.of(combat, tally, numbers), numbers


def test_branches_of_one_shape_differ_in_numbers_only(shapes: Shapes, number: Unthrown) -> None:
    shape, numbers = read(shapes, hurt(5))
    other, open_ = read(shapes, hurt(number), {("wounds", "ann", "wounds"): 2})

    assert shape == other
    assert numbers == [5, 30, 3, 1]
    assert open_[0] is number
    assert open_[1:] == [30, 3, 2]


@pytest.mark.parametrize(
    ("combat", "tally"),
    [
        (hurt(5, "the bow"), TALLY), (hurt(5, Forgotten(("figure", "by"))), TALLY), (BASE, TALLY), (None, TALLY),
        (hurt(5), {("wounds", "bob", "wounds"): 1}),
    ],
)  # fmt: skip
def test_words_names_and_what_is_hidden_are_part_of_the_shape(
    shapes: Shapes, combat: Combat | None, tally: Tally
) -> None:
    assert read(shapes, combat, tally)[0] != read(shapes, hurt(5))[0]


def test_other_numbers_are_put_in_their_places_and_the_rest_stays_the_same_object(
    shapes: Shapes, number: Unthrown
) -> None:
    combat = hurt(number)
    read(shapes, combat)

    filled, tally = shapes.filled(combat, TALLY, {0: 7, 3: 4})

    assert filled == hurt(7)
    assert tally == {("wounds", "ann", "wounds"): 4}
    assert filled is not None
    assert filled.wounds is combat.wounds
    assert filled.roster is BASE.roster
    assert shapes.filled(None, TALLY, {}) == (None, TALLY)


def test_open_numbers_are_settled_even_where_the_values_read_were_released(shapes: Shapes, number: Unthrown) -> None:
    combat = hurt(number)
    read(shapes, combat)
    shapes.forget()

    assert shapes.settled(combat, lambda each: 2 if each is number else each) == hurt(2)
