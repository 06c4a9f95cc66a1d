"""A change of a field of a table, a profile, a sheet or a declaration shows where it is expected, and nowhere else.

`effects/GAME.toml` has each field of a game: where a change of it may first show when recorded fights are decided
again, or why it shows nowhere. `.ci/long fields` tries more values, in more fights, and in every row.
"""

from collections import Counter
from itertools import islice

import pytest
from field_effects import GAMES, effects, fields_by_name, filled, misplaced, not_loaded, of_judged, sweep_of
from sweeping import REFUSED

from machines.registry import installed

MOST_TRIED, ENOUGH = 40, 2
"""Changes that are tried for each field, and differences after which no more are."""
MOST_STILL = 8
"""Changes that are tried for a field that should move nothing."""


def test_every_installed_game_has_its_list() -> None:
    assert set(GAMES) == set(installed()) - {"tiny_d20"}


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_field_is_listed_once_and_no_other(game: str) -> None:
    expected = effects(game)
    listed = Counter((*expected.moving, *of_judged(expected.unread), *of_judged(expected.still)))

    assert [field for field, times in listed.items() if times > 1] == []
    assert set(listed) == set(fields_by_name(sweep_of(game)))
    assert set(expected.rare) <= set(expected.moving)


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_field_is_read_in_some_fight_but_for_those_with_a_reason(game: str) -> None:
    sweep = sweep_of(game)

    read = {str(field._replace(row="")) for field in sweep.readers}

    assert set(fields_by_name(sweep)) - read == set(of_judged(effects(game).unread))


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_a_changed_field_moves_what_it_should_and_nothing_else(game: str) -> None:
    sweep, expected, faults = sweep_of(game), effects(game), []
    for name, fields in fields_by_name(sweep).items():
        places = expected.places(name)
        shifts = sweep.shifts(fields, MOST_TRIED if places else MOST_STILL)
        found = list(islice((x for x in shifts if x.place != REFUSED or places == (REFUSED,)), ENOUGH))
        faults += misplaced(expected, found)
        if places and not found and name not in expected.rare:
            faults.append(f"{name} moves nothing")

    assert faults == []


@pytest.mark.parametrize("game", GAMES)
def test_fields_listed_as_read_when_the_rules_are_loaded_are_read(game: str) -> None:
    loaded = [judged for judged in effects(game).unread if judged.by]

    assert [fault for judged in loaded for fault in not_loaded(judged)] == []


@pytest.mark.parametrize("game", GAMES)
def test_columns_listed_as_empty_are_empty(game: str) -> None:
    expected = effects(game)
    empty = [judged for judged in (*expected.unread, *expected.still) if judged.empty]

    assert [fault for judged in empty for fault in filled(game, judged)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_judgement_has_a_reason(game: str) -> None:
    expected = effects(game)

    assert all(len(judged.reason.split()) >= 3 for judged in (*expected.unread, *expected.still))
