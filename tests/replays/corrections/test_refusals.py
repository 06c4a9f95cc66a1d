"""The message of the refusal of a change, and which values can both be right."""

import pytest

from replays.corrections.refusals import BadChange, check_paths, contradiction, without_repeats


def told(refusal: BadChange) -> tuple[str, str, str]:
    return refusal.message, refusal.where, refusal.accepts


def test_a_contradiction_names_both_and_is_where_the_second_is() -> None:
    assert told(contradiction("a", "b")) == ("'a' and 'b' contradict one another", "b", "one of them")


def test_names_that_have_one_value_each_are_a_mapping() -> None:
    assert without_repeats([("a", 1), ("b", 2), ("a", 1)]) == {"a": 1, "b": 2}


def test_a_name_that_has_two_values_is_refused_with_both() -> None:
    with pytest.raises(BadChange) as refusal:
        without_repeats([("a", 1), ("b", 2), ("a", 3)])

    assert told(refusal.value) == ("'a' contradicts itself: 1 and 3", "a", "one")


@pytest.mark.parametrize(
    ("values", "paths"),
    [
        ({"x": 1, "y": 2}, {"x": ["x"], "y": ["y"]}),
        ({"x": 1, "y": 1}, {"x": ["terms", "x"], "y": ["terms", "x"]}),
        ({"x": 1, "y": 1}, {"x": ["terms", "x"], "y": ["terms", "y"]}),
        ({"x": 1, "y": 2}, {"x": ["terms", "x"], "y": ["sheet", "x", "z"]}),
    ],
    ids=["apart", "the same twice", "side by side", "in different things"],
)
def test_values_that_can_both_be_right_pass(values: dict[str, object], paths: dict[str, list[str]]) -> None:
    check_paths(values, paths)


@pytest.mark.parametrize(
    ("values", "paths"),
    [
        ({"x": 1, "y": 2}, {"x": ["terms", "x"], "y": ["terms", "x"]}),
        ({"x": 1, "y": 1}, {"x": ["terms"], "y": ["terms", "x"]}),
        ({"x": 1, "y": 1}, {"x": ["terms", "x"], "y": ["terms"]}),
    ],
    ids=["two values", "inside", "around"],
)
def test_values_that_cannot_both_be_right_are_refused(values: dict[str, object], paths: dict[str, list[str]]) -> None:
    with pytest.raises(BadChange) as refusal:
        check_paths(values, paths)

    assert told(refusal.value) == ("'x' and 'y' contradict one another", "y", "one of them")
