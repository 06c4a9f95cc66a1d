"""The vocabulary of a game."""

import pytest

from ledger.events import Adjusted, CombatantJoined, FigureFound, RollRequested, WoundSuffered
from projections.combat import Combat, fold
from projections.views.document import document, rests
from projections.vocabulary import USUAL, Outcome, Sums, Vocabulary

HIT = Vocabulary(outcomes=(Outcome("hit", is_success=True), Outcome("miss")), counters=("scars",))


def test_an_outcome_is_a_success_where_the_game_says_so() -> None:
    assert [HIT.is_success(word) for word in ("hit", "miss", "critical success")] == [True, False, False]
    assert HIT.words == ("hit", "miss")


@pytest.mark.parametrize(
    ("sums", "names", "goals", "told"),
    [
        (Sums(), ("base", "target"), ("target",), True),
        (Sums(total="pool"), ("base", "target", "pool"), ("target", "pool"), False),
        (Sums(total="bonus", against="defense", is_added=True), ("base", "defense", "bonus"), ("defense", "bonus"), True),
    ],
)  # fmt: skip
def test_a_sum_has_its_figures_and_a_test_tells_of_it_or_not(
    sums: Sums, names: tuple[str, ...], goals: tuple[str, ...], told: bool
) -> None:
    assert (sums.names, sums.goals, sums.is_disclosed_by_tests) == (names, goals, told)


def test_a_further_part_is_known_by_how_its_name_begins() -> None:
    assert [USUAL.sums.is_of_one(name) for name in ("base", "dice: claws", "dice", "degree")] == [
        True,
        True,
        False,
        False,
    ]


def test_all_endings_are_told_where_a_game_names_none() -> None:
    assert HIT.tells_ending("strike")
    assert not Vocabulary(endings_told=("attack",)).tells_ending("strike")


@pytest.fixture
def scarred() -> Combat:
    return fold(
        [
            CombatantJoined("ann", "Ann", "gm", False),
            WoundSuffered("ann", "harm", 2, "scars", "r1", "", ""),
            WoundSuffered("ann", "harm", 1, "wounds", "r1", "", ""),
            RollRequested("r1/ann/a1/attack/to-hit", "ann", "1d20", "hit", ""),
        ]
    )


def test_a_counter_without_a_field_of_its_own_is_in_the_document_under_its_word(scarred: Combat) -> None:
    one = document(scarred, "", entries=0, head=0, digest=b"", vocabulary=HIT).combatants["ann"]

    assert (one.counters, one.wounds) == ({"scars": 2}, 1)
    assert [one.count(word) for word in ("scars", "wounds", "traumas", "notches")] == [2, 1, 0, 0]


def test_a_document_in_the_usual_words_is_as_it_always_was(scarred: Combat) -> None:
    assert document(scarred, "", entries=0, head=0, digest=b"").combatants["ann"].counters == {}


@pytest.mark.parametrize("what", ["initiative", "tracks.harm", "resources.ammo", "conditions.prone", ""])
def test_what_is_set_and_is_no_counter_counts_nothing(scarred: Combat, what: str) -> None:
    set_ = fold([Adjusted("ann", what, 0, 5, "so")], scarred)

    assert set_.wounds == scarred.wounds


def test_a_counter_of_any_word_is_set(scarred: Combat) -> None:
    assert fold([Adjusted("ann", "scars", 2, 5, "so")], scarred).wounds.count("ann", "scars") == 5


def test_what_is_waited_for_has_the_number_that_the_game_reads_it_against(scarred: Combat) -> None:
    found = fold([FigureFound("r1/ann/a1/attack/to-hit", "defense", 13, "", "", "exchange", "")], scarred)

    assert "target" not in rests(found, USUAL.sums)[0]
    assert rests(found, Sums(total="bonus", against="defense"))[0]["target"] == 13
