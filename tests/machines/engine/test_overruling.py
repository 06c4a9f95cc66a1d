"""Overrules replace figures: once, in order, and only figures that a rule found."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ledger import events as e
from ledger.commands import Overrule
from ledger.events import Event, FigureFound, Noted, Overruled, RollRequested
from machines.contract.figures import Number
from machines.contract.refusals import ImpossibleFigure
from machines.contract.ruleset import Ruleset
from machines.engine.overruling import Overruler
from projections.combat import Combat, evolve, fold

KEY, HITS = "r1/ann/a1/throw", "hits"
REACH = FigureFound(KEY, "reach", 3, "a made-up rule", "X 1", "exchange", "ann")
TEST = e.TestResolved(KEY, 5, 5, 2, -3, "failure", "X 1")
ASKED = RollRequested(KEY, "ann", "1d6", "luck", "")


def reread(combat: Combat, test: e.TestResolved, field: str) -> Iterator[Event]:
    assert test is TEST
    yield Noted(f"{field}: {getattr(combat.rolls[KEY], field)}", "")


GAME = cast(
    Ruleset,
    SimpleNamespace(
        figures={"reach": Number(0, 9), "hits of a test": Number(0, 6), "hits": Number(0, 1)},
        outcomes=("success", "failure"),
        figure_name=lambda field: HITS if field == "rolled" else field,
        reread=reread,
    ),
)
"""A game in which `hits` is also another figure, which is at most 1."""


def word(figure: str, value: int | str, **more: Any) -> Overrule:
    return Overrule(KEY, figure, value, "because", **more)


def told(
    event: Event, *orders: Overrule, game: Ruleset | None = GAME, overruling: Overruler | None = None
) -> list[Event]:
    """Returns the events that overrules add to an event, folding each into the state."""
    combat, found = fold((ASKED, event), Combat()), list[Event]()
    following = (overruling or Overruler(orders, game)).of(combat, event)
    added = next(following, None)
    while added is not None:
        found.append(added)
        combat = evolve(combat, added)
        try:
            added = following.send(combat)
        except StopIteration:
            break
    return found


# ------------------------------------------------------------------------------------------------ figures


def test_a_word_stands_behind_its_figure_with_what_the_rule_said() -> None:
    word_of_gm = word("reach", 9, seen_by=("ann",))

    assert told(REACH, word_of_gm) == [Overruled(KEY, "reach", 3, 9, "because", seen_by=("ann",))]
    assert told(REACH, word_of_gm, word("twice", 1)) == told(REACH, word_of_gm)


@pytest.mark.parametrize(
    "order",
    [word("twice", 9), Overrule("r1/bob/a1/throw", "reach", 9, "because")],
    ids=["another figure", "another key"],
)
def test_a_figure_without_a_word_stays(order: Overrule) -> None:
    assert told(REACH, order) == []
    assert told(REACH) == []
    assert told(Noted("x", KEY), word("reach", 9)) == []


def test_what_no_rule_has_found_is_not_overruled() -> None:
    told_without_reason = FigureFound(KEY, "reach", 3, "", "X 1", "exchange", "ann")

    assert told(told_without_reason, word("reach", 9)) == []


@pytest.mark.parametrize(
    ("order", "says", "accepts"),
    [
        (word("reach", 10), "reach cannot be 10", "a number from 0 to 9"),
        (word("reach", "far"), "reach is a number, here 3", "a number from 0 to 9"),
    ],
)
def test_a_figure_is_what_its_game_allows(order: Overrule, says: str, accepts: str) -> None:
    with pytest.raises(ImpossibleFigure) as refusal:
        told(REACH, order)

    assert (refusal.value.message, refusal.value.accepts) == (says, accepts)


def test_a_figure_has_its_own_bounds_where_one_of_a_test_is_called_alike() -> None:
    hits = FigureFound(KEY, HITS, 1, "a made-up rule", "X 1", "exchange", "ann")

    with pytest.raises(ImpossibleFigure, match="hits cannot be 5"):
        told(hits, word(HITS, 5))


def test_without_a_game_a_figure_is_any_number() -> None:
    assert told(REACH, word("reach", 10), game=None) == [Overruled(KEY, "reach", 3, 10, "because")]
    assert told(TEST, word("rolled", 99), game=None) == [Overruled(KEY, "rolled", 2, 99, "because")]


# ------------------------------------------------------------------------------------------------ tests


def test_of_a_test_the_word_comes_first_and_then_what_changes_with_it() -> None:
    assert told(TEST, word("rolled", 6, seen_by=())) == [
        Overruled(KEY, "rolled", 2, 6, "because", seen_by=()), Noted("rolled: 6", ""),
    ]  # fmt: skip


def test_words_on_one_test_come_from_its_hits_to_its_outcome() -> None:
    """Each is recorded against the state at that moment."""
    found = told(TEST, word("outcome", "success"), word("margin", 1), word("rolled", 6))

    assert [(event.figure, event.rule_says) for event in found if isinstance(event, Overruled)] == [
        ("rolled", 2), ("margin", -3), ("outcome", "failure"),
    ]  # fmt: skip
    assert [event.text for event in found if isinstance(event, Noted)] == ["rolled: 6", "margin: 1", "outcome: success"]


def test_a_test_that_is_read_once_more_as_it_was_overruled_is_not_overruled_again() -> None:
    overruling = Overruler((word("rolled", 2), word("margin", 4)), GAME)

    first, again = (told(TEST, overruling=overruling) for _ in range(2))

    assert [event.figure for event in first if isinstance(event, Overruled)] == ["rolled", "margin"]
    assert [event.figure for event in again if isinstance(event, Overruled)] == ["margin"]


@pytest.mark.parametrize(
    ("order", "says", "accepts"),
    [
        (word("outcome", "draw"), "'draw' is not an outcome of a test", "success, failure"),
        (word("outcome", 3), "3 is not an outcome of a test", "success, failure"),
        (word("rolled", 7), "hits cannot be 7", "a number from 0 to 6"),
        (word("rolled", "many"), "hits is a number, here 2", "a number from 0 to 6"),
        (word("margin", "wide"), "margin is a number, here -3", "a number"),
    ],
)
def test_a_test_has_the_figures_and_outcomes_of_its_game(order: Overrule, says: str, accepts: str) -> None:
    with pytest.raises(ImpossibleFigure) as refusal:
        told(TEST, order)

    assert (refusal.value.message, refusal.value.where, refusal.value.accepts) == (says, "value", accepts)


def test_without_a_game_a_test_ends_with_nothing_else() -> None:
    with pytest.raises(ImpossibleFigure) as refusal:
        told(TEST, word("outcome", "success"), game=None)

    assert refusal.value.accepts == ""


# ------------------------------------------------------------------------------------------------ has anything changed?


@pytest.mark.parametrize(
    ("events", "order", "changed"),
    [
        ((), word("reach", 9), False), ((REACH,), word("twice", 9), False), ((REACH,), word("reach", 9), True),
        ((TEST,), word("rolled", 6), True),
    ],
)  # fmt: skip
def test_something_has_changed_once_a_word_was_put_in_place(
    events: Sequence[Event], order: Overrule, *, changed: bool
) -> None:
    overruling = Overruler((order,), GAME)
    for event in events:
        told(event, overruling=overruling)

    assert overruling.has_changed is changed
