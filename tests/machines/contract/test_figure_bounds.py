"""The bounds of a game's figures are declared by typed names, and found by the names that the log records."""

import pytest

from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.figures import COUNT, MODIFIED, FigureOfTest, Number, bounds_by_name, bounds_of

DV, NET = FigureName("dv", int), FigureName("net hits", int)
NET_OF_A_TEST, MARGIN = FigureOfTest("net hits"), FigureOfTest("margin")
HITS_FOR = FigureNames("hits for ", int)


def test_a_figure_is_found_by_its_name_or_by_its_beginning() -> None:
    figures = bounds_by_name({DV: COUNT, HITS_FOR: Number()})

    assert bounds_of(figures, "dv") == COUNT
    assert bounds_of(figures, "hits for climbing") == Number()
    assert bounds_of(figures, "dvs") is bounds_of(figures, "hits") is None


@pytest.mark.parametrize("is_test_first", [True, False])
def test_a_figure_of_a_test_may_have_the_name_of_another_figure(is_test_first: bool) -> None:
    pairs = [(NET_OF_A_TEST, MODIFIED), (NET, COUNT), (MARGIN, MODIFIED)]
    figures = bounds_by_name(dict(pairs if is_test_first else reversed(pairs)))

    assert bounds_of(figures, "net hits") == COUNT
    assert bounds_of(figures, "net hits", test=True) == MODIFIED
    assert bounds_of(figures, "margin", test=True) == bounds_of(figures, "margin") == MODIFIED


def test_two_figures_of_one_name_have_the_same_bounds() -> None:
    assert bounds_by_name({DV: COUNT, FigureName("dv", str): COUNT}) == {"dv": COUNT}
    with pytest.raises(ValueError, match="'dv' has two bounds"):
        bounds_by_name({DV: COUNT, FigureName("dv", str): MODIFIED})


def test_a_figure_of_a_role_is_listed_with_the_role() -> None:
    assert DV.in_role("damage") == "damage dv"
