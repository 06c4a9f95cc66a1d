"""The effect and the exits of each shape of box, on charts for this test."""

from collections.abc import Iterator

import pytest

from ledger import events as e
from ledger.commands import Overrule
from ledger.events import Event
from machines.contract.chart import Ask, Box, Chart, Choose, Deed, Do, End, Mend, Roll, Run
from machines.contract.refusals import ImpossibleFigure, TooManyEvents
from machines.engine.walk import MOST_EVENTS, NoSuchExit, Steps, Walk, steps
from projections.combat import Combat, fold

ROLL = e.RollRequested("r1/ann/luck", "ann", "1d6", "luck", "")
OTHER_ROLL = e.RollRequested("r1/bob/luck", "bob", "1d6", "luck", "")
CHOICE = e.ChoiceRequested("r1/ann/way", "ann", (e.Option("left", "Left"), e.Option("right", "Right")), None, "way")
SHOUT, WHISPER = "r1/ann/a1/shout", "r1/ann/a2/whisper"


def note(text: str, label: str | None = None) -> Deed:
    yield e.Noted(text, "")
    return label


def answer(value: bool | str) -> Box:
    return Ask("1", "Is it?", lambda _: value, yes="2", no="3", maybe="4")


def chart(*boxes: Box, name: str = "toy") -> Chart:
    return Chart(name, "A toy", *boxes, source="X 1")


def entered(of: Chart, *overrules: Overrule, combat: Combat = Combat(), depth: int = 0) -> Walk:  # noqa: B008  it is frozen
    walk = Walk(combat, {each.name: each for each in of.inner()}, overrules)
    walk.enter(of, of.first, depth)
    return walk


def boxes(events: list[Event]) -> list[tuple[str, str, int]]:
    return [(event.chart, event.box, event.depth) for event in events if isinstance(event, e.StepEntered)]


def numbers(walk: Walk) -> str:
    return "".join(box for _, box, _ in boxes(walk.events))


# ------------------------------------------------------------------------------------------------ one box


ENDS = End("2", "Yes"), End("3", "No"), End("4", "Maybe")


@pytest.mark.parametrize(("said", "path"), [(True, "12"), (False, "13"), ("maybe", "14"), ("no", "13")])
def test_a_question_is_left_by_its_answer(said: bool | str, path: str) -> None:
    assert numbers(entered(chart(answer(said), *ENDS))) == path


@pytest.mark.parametrize(("label", "path"), [("far", "13"), ("near", "12"), (None, "14"), ("", "14")])
def test_a_deed_is_left_by_what_it_says_or_by_the_exit_that_is_always_taken(label: str | None, path: str) -> None:
    walk = entered(chart(Do("1", "Do", lambda _: note("x", label), near="2", far="3", goto="4"), *ENDS))

    assert numbers(walk) == path
    assert walk.events[1] == e.Noted("x", "")


def rolling(*asked: e.RollRequested) -> Chart:
    return chart(
        Roll("1", "Roll", ask=lambda _: iter(asked), read=lambda _: note("read", "far"), near="2", far="3"), *ENDS[:2]
    )


def test_a_roll_rests_at_all_that_it_asks_for_and_is_read_when_they_are_answered() -> None:
    of = rolling(ROLL, OTHER_ROLL)

    asked = entered(of)
    assert asked.events == [e.StepEntered("toy", "1", 0), ROLL, OTHER_ROLL]
    read = Walk(asked.combat, asked.charts)
    read.resume()
    assert read.events[:2] == [e.Noted("read", ""), e.StepEntered("toy", "3", 0)]


def test_a_roll_that_asks_for_nothing_is_read_at_once() -> None:
    assert entered(rolling()).events[:3] == [
        e.StepEntered("toy", "1", 0), e.Noted("read", ""), e.StepEntered("toy", "3", 0),
    ]  # fmt: skip


def test_a_choice_rests_and_is_left_by_its_option_or_by_the_exit_that_is_always_taken() -> None:
    of = chart(Choose("1", "Choose", lambda _: CHOICE, left="2", goto="3"), *ENDS[:2])

    rests = entered(of)

    assert rests.events == [e.StepEntered("toy", "1", 0), CHOICE]
    for option, path in (("left", "2"), ("right", "3"), ("goto", "3")):
        walk = Walk(rests.combat, rests.charts)
        walk.leave(option)
        assert numbers(walk) == path


def test_a_box_of_no_shape_and_a_label_of_no_exit_are_mistakes_of_the_ruleset() -> None:
    shapeless = chart(Box("1", "Odd", {"goto": "2"}, "", None), ENDS[0])
    with pytest.raises(NoSuchExit, match=r"^toy 1 has no shape$"):
        entered(shapeless)
    wrong = chart(Do("1", "Do", lambda _: note("x", "up"), near="2"), ENDS[0])
    with pytest.raises(NoSuchExit, match=r"^toy 1: no exit 'up'$"):
        entered(wrong)
    no_way = chart(Choose("1", "Choose", lambda _: CHOICE, left="2"), ENDS[0])
    walk = entered(no_way)
    with pytest.raises(NoSuchExit, match="no exit 'goto'"):
        walk.leave("right")


# ------------------------------------------------------------------------------------------------ charts in charts


INNER = chart(answer(False), *ENDS, name="inner")


def test_another_chart_is_run_a_level_deeper_and_left_by_how_it_ended() -> None:
    walk = entered(chart(Run("1", "Run", INNER, **{"2": "5", "3": "6", "goto": "5"}), End("5", "A"), End("6", "B")))

    assert boxes(walk.events) == [("toy", "1", 0), ("inner", "1", 1), ("inner", "3", 1), ("toy", "6", 0)]
    assert walk.events[-1] == e.CombatEnded("B")


def test_an_end_that_has_no_exit_of_its_own_leads_where_all_do() -> None:
    walk = entered(chart(Run("1", "Run", INNER, **{"2": "6", "goto": "5"}), End("5", "A"), End("6", "B")))

    assert boxes(walk.events)[-1] == ("toy", "5", 0)


def test_charts_in_charts_are_left_one_after_the_other() -> None:
    middle = chart(Run("1", "Run", INNER, goto="2"), ENDS[0], name="middle")
    walk = entered(chart(Run("1", "Run", middle, goto="2"), ENDS[0]))

    assert boxes(walk.events) == [
        ("toy", "1", 0), ("middle", "1", 1), ("inner", "1", 2), ("inner", "3", 2), ("middle", "2", 1), ("toy", "2", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("left", "path"), [("again", "123"), (None, "12"), ("goto", "12")])
def test_an_end_that_is_mended_goes_on_where_something_is_left(left: str | None, path: str) -> None:
    mended = End("2", "Done", again=lambda _: note("left", left), mend=Mend("r", again="3"))
    walk = entered(chart(Do("1", "Do", lambda _: note("x"), goto="2"), mended, End("3", "Over")))

    assert numbers(walk) == path
    assert walk.events[-1] == e.CombatEnded("Over" if path == "123" else "Done")


# ------------------------------------------------------------------------------------------------ exchanges


def declared(key: str, within: Combat) -> Combat:
    return fold((e.Declared(key, key.rpartition("/")[2], "ann", {}),), within)


QUIET = chart(Do("1", "Do", lambda _: note("x"), goto="end"), End("end", "Heard", outcome="heard"), name="quiet")


def test_the_end_of_an_exchange_outside_a_fight_ends_nothing_else() -> None:
    walk = entered(QUIET, combat=declared(SHOUT, Combat()))

    assert walk.events[-1] == e.ExchangeEnded(SHOUT, "heard")
    assert not any(isinstance(event, e.CombatEnded) for event in walk.events)


def test_an_interrupt_that_ends_leaves_what_it_broke_into_as_it_was() -> None:
    rests = entered(rolling(ROLL)).combat
    walk = Walk(declared(SHOUT, rests), {"toy": rolling(ROLL), "quiet": QUIET})

    walk.enter(QUIET, "1", 1)

    assert walk.events[-1] == e.ExchangeEnded(SHOUT, "heard")
    assert walk.combat.path.levels == rests.path.levels == (("toy", "1"),)


def test_an_exchange_that_is_run_from_a_turn_goes_on_with_the_turn() -> None:
    """A chart that it runs ends only itself."""
    inside = chart(Run("1", "Run", INNER, goto="2"), End("2", "Hit", outcome="hit"), name="inside")
    turn = chart(Do("1", "Begin", lambda _: note("x"), goto="2"), Run("2", "Act", inside, goto="3"), End("3", "Over"))
    begun = declared(WHISPER, fold((e.StepEntered("toy", "2", 0),), Combat()))
    walk = Walk(begun, {each.name: each for each in turn.inner()})

    walk.enter(inside, "1", 1)

    assert [event for event in walk.events if not isinstance(event, e.StepEntered)] == [
        e.ExchangeEnded(WHISPER, "hit"), e.CombatEnded("Over"),
    ]  # fmt: skip
    assert boxes(walk.events)[-2:] == [("inside", "2", 1), ("toy", "3", 0)]


# ------------------------------------------------------------------------------------------------ what is refused


def found(name: str) -> Iterator[e.FigureFound]:
    yield e.FigureFound(SHOUT, "way", name, "a rule", "X 1", "exchange", "")


def by_figure(combat: Combat) -> Deed:
    for event in found("near"):
        combat = yield event
    return combat.figures.word(SHOUT, "way")


def test_where_an_overruled_figure_leads_nowhere_it_is_said_where() -> None:
    of = chart(Do("7", "Which way?", by_figure, near="2", far="3"), *ENDS[:2])

    with pytest.raises(ImpossibleFigure) as refusal:
        entered(of, Overrule(SHOUT, "way", "up", "x"))

    assert (refusal.value.message, refusal.value.where) == ("Which way?: 'up' leads nowhere", "toy 7")
    assert refusal.value.accepts == "near, far"
    assert numbers(entered(of, Overrule(SHOUT, "way", "far", "x"))) == "73"


def test_all_that_the_gamemaster_says_of_one_event_stands_behind_it() -> None:
    rolled = e.TestResolved(SHOUT, 5, 5, 2, -3, "failure", "X 1")
    words = Overrule(SHOUT, "margin", 1, "x"), Overrule(SHOUT, "rolled", 6, "x")
    walk = Walk(Combat(), {}, words)

    combat = walk.tell(rolled)

    assert walk.events == [rolled, e.Overruled(SHOUT, "rolled", 2, 6, "x"), e.Overruled(SHOUT, "margin", -3, 1, "x")]
    assert combat == fold(walk.events, Combat()) == walk.combat


def test_boxes_that_only_run_or_ask_a_person_go_on_after_something_was_overruled() -> None:
    of = chart(
        Do("1", "Which way?", by_figure, near="2", far="2"), Run("2", "Run", INNER, goto="3"),
        Choose("3", "Choose", lambda _: CHOICE, goto="4"), End("4", "Over"),
    )  # fmt: skip
    walk = entered(of, Overrule(SHOUT, "way", "far", "x"))

    walk.leave("right")

    assert boxes(walk.events)[-2:] == [("toy", "3", 0), ("toy", "4", 0)]


def test_so_many_events_may_follow_and_not_one_more() -> None:
    def noting(count: int) -> Chart:
        def deed(_: Combat) -> Deed:
            for _number in range(count):
                yield e.Noted("x", "")
            return None

        return chart(Do("1", "Do", deed, goto="2"), ENDS[0])

    most = MOST_EVENTS - 3  # two steps, and the end of the fight
    assert MOST_EVENTS == 5_000
    assert len(entered(noting(most)).events) == MOST_EVENTS
    with pytest.raises(TooManyEvents) as refusal:
        entered(noting(most + 1))
    assert refusal.value.message == "this command would cause too many events"
    assert refusal.value.accepts == "a command with up to 5,000 events"


def test_rolls_without_end_are_not_all_asked_for() -> None:
    asked = 0

    def endless(_: Combat) -> Iterator[e.RollRequested]:
        nonlocal asked
        while True:
            asked += 1
            assert asked <= MOST_EVENTS + 1, "it is known to be too much by now"
            yield ROLL

    with pytest.raises(TooManyEvents):
        entered(chart(Roll("1", "Roll", ask=endless, read=lambda _: note("x"), goto="2"), ENDS[0]))


# ------------------------------------------------------------------------------------------------ the machine


def test_a_machine_is_built_once_for_a_chart() -> None:
    assert steps(INNER) is steps(INNER)
    assert steps(INNER) is not steps(chart(answer(False), *ENDS, name="inner"))


@pytest.mark.parametrize(("number", "label"), [("1", "up"), ("2", "yes"), ("9", "yes"), ("1", "to_2"), ("1", "")])
def test_a_machine_knows_no_exit_but_those_of_the_page(number: str, label: str) -> None:
    machine = Steps(INNER)

    for _ in range(2):
        with pytest.raises((NoSuchExit, ValueError)):
            machine[number, label]
    assert [machine["1", each] for each in ("yes", "no", "maybe", "no")] == ["2", "3", "4", "3"]
