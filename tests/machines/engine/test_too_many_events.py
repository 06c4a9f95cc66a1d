"""A command with too many events is refused in every game, for every cause."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from places import TESTS
from strategies import ARMED

from ledger.commands import Adjust, ApplyModifier, BeginCombat, Command, EndCombat, Join, PassTime
from ledger.events import Noted, RollRequested
from machines.contract.chart import Ask, Chart, Deed, Do, End, Roll, Run
from machines.contract.refusals import ImpossibleFigure, TooManyEvents
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine import walk as walk_module
from machines.engine.decide import decide
from machines.engine.walk import MOST_EVENTS, Walk
from projections.combat import Combat, fold
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import read

SCENARIOS = TESTS / "scenarios"


def on_and_on(*_: Any) -> Iterator[Any]:
    while True:
        yield Noted("and on", "")


def rolls_without_end(_: Combat) -> Iterator[RollRequested]:
    nth = 0
    while True:
        nth += 1
        yield RollRequested(f"r1/ann/roll/{nth}", "ann", "1d6", "", "")


def nothing(_: Combat) -> Deed:
    yield from ()
    return None


def none_asked(_: Combat) -> Iterator[RollRequested]:
    yield from ()


def again(_: Combat) -> Deed:
    yield from ()
    return "again"


INNER = Chart("inner", "Inner", Do("1", "Nothing", nothing, goto="2"), End("2", "End"), source="X 1")
ENDLESS = (
    Chart("deed", "A deed", Do("1", "On", on_and_on, goto="2"), End("2", "End"), source="X 1"),
    Chart("ask", "Rolls", Roll("1", "On", ask=rolls_without_end, read=nothing, goto="2"), End("2", "End"), source="X 1"),
    Chart("read", "Reading", Roll("1", "On", ask=none_asked, read=on_and_on, goto="2"), End("2", "End"), source="X 1"),
    Chart("circle", "A circle", Do("1", "On", again, again="1", done="2"), End("2", "End"), source="X 1"),
    Chart("question", "A question", Ask("1", "Again?", lambda _: True, yes="1", no="2"), End("2", "End"), source="X 1"),
    Chart(
        "outer", "Run again and again", Run("1", "Inner", INNER, goto="3"), Ask("3", "Again?", lambda _: True, yes="1", no="2"),
        End("2", "End"), source="X 1",
    ),
)  # fmt: skip


@pytest.mark.parametrize("chart", ENDLESS, ids=lambda chart: chart.name)
def test_a_chart_that_never_comes_to_rest_is_refused(chart: Chart) -> None:
    walk = Walk(Combat(), {each.name: each for each in chart.inner()})

    with pytest.raises(TooManyEvents) as refusal:
        walk.enter(chart, "1", 0)

    assert refusal.value.slug == "command/too-many-events"
    assert len(walk.events) == MOST_EVENTS


def fighting(game: Ruleset) -> Combat:
    session = Session.create("memory://", ruleset=game.name)
    session.perform(Join("ann", ARMED))
    session.perform(BeginCombat())
    return session.combat


AFTERWARDS: list[tuple[str, Command]] = [
    ("open_sheet", Join("bob", ARMED)), ("reorder", Adjust("ann", "initiative", 3, "so")), ("follow", Adjust("ann", "tracks.damage", 3, "so")),
    ("retarget", ApplyModifier("r1/ann/initiative", 3, "so")), ("elapse", PassTime(3, "hours")),
]  # fmt: skip


@pytest.mark.parametrize(("field", "command"), AFTERWARDS, ids=lambda each: each if isinstance(each, str) else "")
def test_what_a_ruleset_does_without_a_chart_is_refused_all_the_same(field: str, command: Command) -> None:
    game = ruleset("eclipse_phase_1e")
    combat = fighting(game)
    if isinstance(command, PassTime):
        combat = fold(decide(game, combat, EndCombat()), combat)

    with pytest.raises(TooManyEvents):
        decide(msgspec.structs.replace(game, **{field: on_and_on}), combat, command)


def test_as_many_events_as_may_be_are_no_refusal() -> None:
    walk = Walk(Combat(), {})
    for _ in range(MOST_EVENTS):
        walk.tell(Noted("so", ""))

    with pytest.raises(TooManyEvents):
        walk.tell(Noted("one more", ""))


# ------------------------------------------------------------------------------------------------ a blow beyond all measure


def struck() -> Session:
    """Ann has struck Bob down, and he has died after one roll for his life."""
    path = SCENARIOS / "gurps_3e" / "a-failed-roll-at-minus-ht-is-death.toml"
    return perform(read(path.read_bytes(), path.name))


@pytest.mark.parametrize("damage", [10_000, 30_000, 100_000])
def test_a_damage_of_thousands_calls_for_no_roll_below_certain_death(damage: int) -> None:
    session = struck()

    session.modify("r1/ann/a1/attack/damage", damage, why="a meteor")

    assert [rest.key.rpartition("/")[2] for rest in session.rests] == [f"death-{nth}" for nth in range(2, 10)]


@pytest.mark.parametrize("damage", [10_000, 30_000, 100_000])
def test_a_damage_that_calls_for_too_many_rolls_is_refused_and_nothing_is_written(
    damage: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = struck()
    before = session.log.last, session.log.digest, session.combat
    monkeypatch.setattr(walk_module, "MOST_EVENTS", 20)

    with pytest.raises(TooManyEvents):
        session.modify("r1/ann/a1/attack/damage", damage, why="a meteor")

    assert (session.log.last, session.log.digest, session.combat) == before


def test_a_damage_beyond_all_measure_is_refused_before_anything_comes_of_it() -> None:
    with pytest.raises(ImpossibleFigure, match="basic damage cannot be 10000"):
        struck().overrule("r1/ann/a1/attack/blow", "basic damage", 10_000, why="a meteor")


def test_a_damage_that_calls_for_dozens_of_rolls_is_not() -> None:
    session = struck()

    session.overrule("r1/ann/a1/attack/blow", "basic damage", 400, why="a falling tree")

    assert [rest.key for rest in session.rests][:2] == ["r1/ann/a1/attack/death-2", "r1/ann/a1/attack/death-3"]
