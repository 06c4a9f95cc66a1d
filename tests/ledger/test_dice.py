"""Dice notation and faces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.dice import Dice, check, highest, lowest, parse
from ledger.errors import BadNotation, DiceRefused, ImpossibleFace, WrongCount

_groups = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 1000)), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("notation", "groups", "add", "divide"),
    [
        ("1d100", ((1, 100),), 0, 1),
        ("3d6+2", ((3, 6),), 2, 1),
        ("3d6-2", ((3, 6),), -2, 1),
        ("14d6", ((14, 6),), 0, 1),
        ("3d10+2d6+5", ((3, 10), (2, 6)), 5, 1),
        ("1d10/2", ((1, 10),), 0, 2),
        ("2d10+5/3", ((2, 10),), 5, 3),
        ("4", (), 4, 1),
        ("-4", (), -4, 1),
        ("1+2d6+3-1", ((2, 6),), 3, 1),
        ("1d1", ((1, 1),), 0, 1),
        ("1000d10", ((1000, 10),), 0, 1),
        (" 2d10 + 5 ", ((2, 10),), 5, 1),
        ("1d10÷2", ((1, 10),), 0, 2),
        ("3d6−2", ((3, 6),), -2, 1),
    ],
)
def test_notation_is_read_as_the_rulebooks_write_it(notation: str, groups: tuple, add: int, divide: int) -> None:
    assert parse(notation) == Dice(groups, add, divide)


@pytest.mark.parametrize(
    "notation",
    ["", "d6", "3d", "3d0", "0d6", "d", "3x6", "3d6+", "+", "3d6++2", "3d6*2", "1d10/0", "1d10/", "/2", "1d10/2/2", "3d6-1d6",
     "9" * 5_000 + "d6", "1d6+" + "9" * 5_000, "1d6" + "+1" * 500_000, "1001d10", "500d10+501d6", "3d6 plus 2", "1.5d6", "1e3", "1d6\n", "३d6", "0x1d6", "-1d6", "1d-6", "1d10/-2"],
)  # fmt: skip
def test_what_is_no_dice_is_refused_with_an_example(notation: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        parse(notation)

    assert refusal.value.slug == "dice/notation"
    assert refusal.value.accepts


@pytest.mark.parametrize("notation", ["1d10/0", "1d10/00", "4/000"])
def test_every_division_by_nothing_is_refused(notation: str) -> None:
    with pytest.raises(BadNotation):
        parse(notation)


@given(_groups, st.integers(-50, 50), st.integers(1, 9))
def test_dice_that_are_written_are_read_as_they_were(groups: list[tuple[int, int]], add: int, divide: int) -> None:
    dice = Dice(tuple(groups), add, divide)

    assert parse(str(dice)) == dice
    assert len(dice.sides) == sum(count for count, _ in groups)


def test_numbers_without_dice_are_written_as_they_are() -> None:
    assert str(parse("4")) == "4"
    assert str(parse("-4")) == "-4"
    assert str(Dice(())) == "0"


@given(_groups, _groups, st.integers(-9, 9), st.integers(-9, 9))
def test_dice_added_together_throw_all_dice_of_both(one: list, other: list, plus: int, more: int) -> None:
    both = Dice(tuple(one), plus).plus(Dice(tuple(other), more))

    assert sorted(both.sides) == sorted([*Dice(tuple(one)).sides, *Dice(tuple(other)).sides])
    assert both.add == plus + more
    assert len({sides for _, sides in both.groups}) == len(both.groups)


def test_a_hundred_sided_die_reads_00_to_99_and_every_other_1_to_its_sides() -> None:
    assert [(lowest(sides), highest(sides)) for sides in (100, 10, 6, 2, 1, 1000)] == [
        (0, 99), (1, 10), (1, 6), (1, 2), (1, 1), (1, 1000),
    ]  # fmt: skip


@given(_groups, st.data())
def test_faces_that_dice_can_show_are_accepted_and_one_beyond_is_refused(groups: list, data) -> None:
    dice = Dice(tuple(groups))
    faces = [data.draw(st.integers(lowest(sides), highest(sides))) for sides in dice.sides]

    assert check(str(dice), faces) == tuple(faces)

    place = data.draw(st.integers(0, len(faces) - 1))
    beyond = data.draw(st.sampled_from((lowest(dice.sides[place]) - 1, highest(dice.sides[place]) + 1)))
    with pytest.raises(ImpossibleFace):
        check(str(dice), [*faces[:place], beyond, *faces[place + 1 :]])


@pytest.mark.parametrize("faces", [(), (1,), (1, 2, 3)], ids=["none", "too few", "too many"])
def test_the_wrong_number_of_faces_is_refused_with_the_right_one(faces: tuple[int, ...]) -> None:
    with pytest.raises(WrongCount) as refusal:
        check("2d6", faces)

    assert refusal.value.accepts == "2"


def test_a_hundred_on_a_hundred_sided_die_is_refused_and_says_how_it_reads() -> None:
    with pytest.raises(ImpossibleFace) as refusal:
        check("1d100", [100])

    assert refusal.value.accepts == "0 to 99; 00 for 100"
    assert isinstance(refusal.value, DiceRefused)


def test_no_dice_take_no_faces() -> None:
    assert check("4", []) == ()
