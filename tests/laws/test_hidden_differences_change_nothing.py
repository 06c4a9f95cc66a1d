"""Noninterference: logs that are released alike to a seat, and differ in anything else, are the same for that seat."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from ambush import ambush
from duels import met, play_on
from hypothesis import given, settings
from hypothesis import strategies as st
from secret_histories import secret_histories
from secret_law import ASKED, PEOPLE, check
from secret_pairs import Pair, changed, played_otherwise, replayed, shown, whole_requests
from set_aside import ROWS
from strategies import RULESETS, clock, drawn

from ledger.commands import BeginCombat, Command, DrawDice, Join, TypeDice
from ledger.entry import StoredRequest, Who
from ledger.events import Audience
from projections.views.released import SET_ASIDE
from projections.views.seen import viewer
from replays.api.reading import SessionReader
from replays.api.session import Session
from replays.audit.lying_dice import lay_already
from replays.corrections.change import Change


def test_only_listed_differences_are_ignored() -> None:
    assert ROWS.keys() == SET_ASIDE.keys()


def test_every_reading_method_with_a_viewer_is_requested() -> None:
    found = {
        name
        for name, method in inspect.getmembers(SessionReader, inspect.isfunction)
        if "eyes" in inspect.signature(method).parameters
    }
    assert found == set(ASKED)


def _run(pairs: Callable[..., Pair | None], examples: int) -> Counter[str]:
    counted: Counter[str] = Counter()

    @settings(max_examples=examples)
    @given(st.integers(0, 2**32), secret_histories(most=25), st.sampled_from(PEOPLE))
    def run(seed: int, fight: Any, who: Who) -> None:
        eyes = viewer(who, fight.session.combat)
        pair = pairs(Random(seed), fight.session, eyes)
        if pair is None:
            counted["none"] += 1
            return
        counted["pairs"] += 1
        counted["counting"] += bool(pair.what & {"die", "sheet", "modifier"})
        counted["hidden combatants"] += pair.has_hidden
        counted.update(pair.what)
        counted[fight.session.game.name] += 1
        check(pair, who)

    run()
    return counted


@pytest.mark.parametrize(("pairs", "examples"), [(changed, 5), (replayed, 8)], ids=["changed", "replayed"])
def test_hidden_differences_change_no_response_to_a_seat(pairs: Callable[..., Pair | None], examples: int) -> None:
    counted = _run(pairs, examples)

    assert counted["pairs"] >= examples // 5, counted
    assert counted["counting"] * 2 >= counted["pairs"], counted
    assert counted["hidden combatants"] * 3 >= counted["pairs"], counted


# ------------------------------------------------------------------------------------------------ dice that lie

KEY = "r1/ann/initiative"


def _grown(first: Command, more: Command) -> Session:
    """Returns a fight in which Ann gets two more dice after her initiative roll."""
    session = Session.create("memory://", ruleset="shadowrun_4e", clock=clock, draw=drawn)
    for command in (Join("ann", {"reaction": 3, "intuition": 3}, player="kira"), BeginCombat()):
        session.perform(command)
    session.perform(first)
    session.amend(2, Change(set={"sheet.reaction": 5}), why="augmented")
    session.perform(more)
    return session


@pytest.mark.parametrize("more", [TypeDice(KEY, (6, 5), seen_by=()), DrawDice(KEY, seen_by=())], ids=str)
@pytest.mark.parametrize("first", [TypeDice(KEY, (1, 2, 3, 4, 5, 6)), DrawDice(KEY)], ids=str)
@pytest.mark.parametrize("seen_by", [(), None], ids=str)
def test_known_dice_of_a_larger_roll_are_known_in_both_logs(first: Command, more: Command, seen_by: Audience) -> None:
    session = _grown(msgspec.structs.replace(first, seen_by=seen_by), more)
    who = PEOPLE[0]

    for seed in range(10):
        pair = changed(Random(seed), session, viewer(who, session.combat))
        assert "die" in pair.what
        assert lay_already(pair.one.log) == lay_already(pair.other.log) != {}
    check(pair, who)


# ------------------------------------------------------------------------------------------------ each number


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the paths of all numbers in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if type(value) is int:
        yield path
    for name, each in inner:
        yield from _numbers(each, (*path, name))


def _one_more(value: Any, path: Sequence[Any], more: int) -> Any:
    """Returns a document with one number increased."""
    if not path:
        return value + more
    if isinstance(value, list):
        return [_one_more(each, path[1:], more) if at == path[0] else each for at, each in enumerate(value)]
    return {name: _one_more(each, path[1:], more) if name == path[0] else each for name, each in value.items()}


@pytest.mark.parametrize("game", RULESETS)
def test_no_number_of_a_secret_sheet_is_released_if_its_consequences_are_equal(game: str) -> None:
    session = play_on(met(game, sheet_seen_by=()), Random(game), 40, kind="attack")
    joined = session.log.entry(2).command
    assert isinstance(joined, Join)
    exchanges = 0
    for path in _numbers(joined.sheet):
        for more in (-1, 1):
            other = msgspec.structs.replace(joined, sheet=_one_more(joined.sheet, path, more))
            for who in PEOPLE[:2]:
                pair = played_otherwise(session, 1, other, viewer(who, session.combat), {"sheet"})
                assert shown(pair.one, pair.eyes) == shown(pair.other, pair.eyes), path
                ended = [event for entry in pair.one.entries() for event in entry.events]
                exchanges += any(type(event).__name__ == "ExchangeEnded" for event in ended)
    assert exchanges > 10


# ------------------------------------------------------------------------------------------------ where pairs end


def test_a_pair_of_logs_ends_with_a_whole_request() -> None:
    """Checks that pairs end with whole requests: an audit reports other logs as damaged."""
    session = ambush("shadowrun_4e")
    one = list(session.entries())[:5]
    first = msgspec.structs.replace(one[2], request=StoredRequest("", "", entries=3))
    inner = msgspec.structs.replace(one[1], request=StoredRequest("", "", entries=2))

    assert [whole_requests((one, one), length) for length in range(6)] == [0, 1, 2, 3, 4, 5]
    other = [*one[:2], first, *one[3:]]
    for logs in ((one, other), (other, one)):
        assert [whole_requests(logs, length) for length in range(6)] == [0, 1, 2, 2, 2, 5]
    assert whole_requests((other, [one[0], inner, *one[2:]]), 4) == 1
