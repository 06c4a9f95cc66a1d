"""The walk: the exits that the machine of a chart allows, and the events from box to box."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from ledger.commands import Overrule
from ledger.events import Event, FigureFound, Noted, Overruled, RollRequested, StepEntered
from machines.contract.chart import HERE, Chart, Deed, Do, End, Roll
from machines.contract.refusals import ImpossibleFigure, UnknownStep
from machines.contract.ruleset import ruleset
from machines.engine.walk import NoSuchExit, Steps, UnknownPage, Walk, steps
from machines.registry import installed
from projections.combat import Combat, fold

CHARTS = [chart for name in sorted(installed()) for chart in ruleset(name).charts.values()]


def name_of(chart: Chart) -> str:
    return chart.name


@pytest.mark.parametrize("chart", CHARTS, ids=name_of)
def test_the_machine_allows_the_exits_of_the_page_and_no_others(chart: Chart) -> None:
    labels = {label for box in chart.boxes.values() for label in box.exits} | {"goto", "yes", "no", "to_4", "set_state"}
    expected = {(box.number, label): box.exits.get(label) for box in chart.boxes.values() for label in labels}

    machine = Steps(chart)
    found = {(number, label): _taken(machine, number, label) for number, label in expected}

    assert expected == found


def _taken(machine: Steps, number: str, label: str) -> str | None:
    try:
        return machine[number, label]
    except NoSuchExit:
        return None


@pytest.mark.parametrize("chart", CHARTS, ids=name_of)
def test_an_exit_is_the_same_when_it_is_asked_for_again(chart: Chart) -> None:
    expected = [(box.number, label, number) for box in chart.boxes.values() for label, number in box.exits.items()]

    machine = steps(chart)
    twice = [[(box, label, machine[box, label]) for box, label, _ in expected] for _ in range(2)]

    assert [expected, expected] == twice
    assert machine is steps(chart)


def test_threads_do_not_disturb_one_another() -> None:
    chart = max(CHARTS, key=lambda chart: len(chart.boxes))
    expected = [(box.number, label, number) for box in chart.boxes.values() for label, number in box.exits.items()]

    machine = Steps(chart)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [(box, label, machine[box, label]) for box, label, _ in expected], range(64)))

    assert [expected] * 64 == found


# ------------------------------------------------------------------------------------------------ deeds


def finding(name: str, value: int | str) -> FigureFound:
    return FigureFound("r1/ann/a1/throw", name, value, "a made-up rule", "X 1", "exchange", "ann")


def throw(combat: Combat) -> Deed:
    """Finds a figure, then its double as read from the state, and leaves by a word."""
    combat = yield finding("reach", 3)
    yield finding("twice", 2 * combat.figures.number("r1/ann/a1/throw", "reach"))
    combat = yield finding("way", "near")
    return combat.figures.word("r1/ann/a1/throw", "way")


def wander(_: Combat) -> Deed:
    yield Noted("wanders", "")
    return "nowhere"


def ask_nothing(_: Combat) -> Iterator[RollRequested]:
    yield from ()


THROW = Chart(
    "throw", "A throw", Do("1", "Throw", throw, near="2", far="3"), End("2", "Near"), End("3", "Far"), source="X 1"
)
WANDER = Chart("wander", "Wandering", Do("1", "Wander", wander, goto="2"), End("2", "End"), source="X 1")
READ = Chart(
    "read", "Reading", Roll("1", "Read", ask=ask_nothing, read=wander, goto="2"), End("2", "End"), source="X 1"
)


def walked(chart: Chart, *overrules: Overrule) -> Walk:
    walk = Walk(Combat(), {chart.name: chart}, overrules)
    walk.enter(chart, "1", 0)
    return walk


def overrule(figure: str, value: int | str) -> Overrule:
    return Overrule("r1/ann/a1/throw", figure, value, "because")


def figures(events: list[Event]) -> dict[str, int | str]:
    return {event.name: event.value for event in events if isinstance(event, FigureFound)}


@pytest.mark.parametrize("chart", [WANDER, READ], ids=name_of)
def test_a_label_that_the_page_has_not_is_a_mistake_of_the_ruleset(chart: Chart) -> None:
    expected = f"{chart.name} 1: no exit 'nowhere'"

    with pytest.raises(NoSuchExit) as mistake:
        walked(chart)

    assert expected in str(mistake.value)


def test_every_box_that_is_come_to_is_in_the_events() -> None:
    expected = [StepEntered("throw", "1", 0), StepEntered("throw", "2", 0)]

    found = [event for event in walked(THROW).events if isinstance(event, StepEntered)]

    assert expected == found


def test_a_deed_is_told_what_is_so_after_each_of_its_events() -> None:
    expected = {"reach": 3, "twice": 6, "way": "near"}

    found = figures(walked(THROW).events)

    assert expected == found


def test_an_overruled_figure_is_what_is_so() -> None:
    expected = Overruled("r1/ann/a1/throw", "reach", 3, 10, "because")

    events = walked(THROW, overrule("reach", 10)).events

    assert expected == events[events.index(finding("reach", 3)) + 1]
    assert 20 == figures(events)["twice"]


def test_an_overruled_outcome_leads_another_way() -> None:
    expected = StepEntered("throw", "3", 0)

    steps_taken = [event for event in walked(THROW, overrule("way", "far")).events if isinstance(event, StepEntered)]

    assert expected == steps_taken[-1]


def test_an_overruled_outcome_that_leads_nowhere_is_refused() -> None:
    expected = "overrule/impossible"

    with pytest.raises(ImpossibleFigure) as refusal:
        walked(THROW, overrule("way", "sideways"))

    assert expected == refusal.value.slug
    assert "near, far" in refusal.value.accepts


@pytest.mark.parametrize(("figure", "value"), [("reach", "long"), ("way", 3), ("reach", True)])
def test_a_number_is_not_overruled_by_a_word_nor_a_word_by_a_number(figure: str, value: int | str) -> None:
    expected = "overrule/impossible"

    with pytest.raises(ImpossibleFigure) as refusal:
        walked(THROW, overrule(figure, value))

    assert expected == refusal.value.slug


def test_a_figure_of_another_key_is_left_alone() -> None:
    expected = {"reach": 3, "twice": 6, "way": "near"}

    events = walked(THROW, Overrule("r1/bob/a1/throw", "reach", 10, "because")).events

    assert expected == figures(events)
    assert not any(isinstance(event, Overruled) for event in events)


# ------------------------------------------------------------------------------------------------ where it is printed


def cited(see: str) -> Chart:
    """Returns a chart whose box finds a figure with the row's citation, and another with a different one."""

    def find(combat: Combat) -> Deed:
        combat = yield msgspec.structs.replace(finding("reach", 3), source=HERE)
        yield finding("twice", 2 * combat.figures.number("r1/ann/a1/throw", "reach"))
        return None

    return Chart("find", "Finding", Do("1", "Find", find, goto="2", see=see), End("2", "End"), source="X 1")


def test_an_event_is_recorded_with_the_first_citation_of_its_box() -> None:
    expected = [("reach", 3, "X 7 Reach"), ("twice", 6, "X 1")]

    found = walked(cited("X 7 Reach, 9 Arms")).events

    assert expected == [(each.name, each.value, each.source) for each in found if isinstance(each, FigureFound)]


def test_an_event_refers_to_no_citation_where_its_box_has_none() -> None:
    with pytest.raises(UnknownPage, match="reach"):
        walked(cited(""))


# ------------------------------------------------------------------------------------------------ older charts


def resting(chart: str, number: str) -> Combat:
    """Returns a fight that rests at a box."""
    return fold((StepEntered(chart, number, 0), RollRequested("r1/ann/luck", "ann", "1d6", "luck", "")))


@pytest.mark.parametrize(
    ("chart", "number"), [("throw", "2"), ("throw", "9"), ("gone", "1")], ids=["another shape", "no box", "no chart"]
)
def test_a_fight_that_rests_where_the_charts_have_changed_is_refused(chart: str, number: str) -> None:
    walk = Walk(resting(chart, number), {"throw": THROW})

    with pytest.raises(UnknownStep, match=f"box {number} of the chart '{chart}' has changed") as refusal:
        walk.resume()

    assert refusal.value.where == chart
    assert "undo to before this fight" in refusal.value.accepts
    assert walk.events == []
