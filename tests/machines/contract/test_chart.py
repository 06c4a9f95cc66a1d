"""All six shapes of boxes and an interrupt, in a game for this test: a brawl whose charts run one another."""

from collections.abc import Iterator

import msgspec
import pytest

from ledger.commands import BeginCombat, Choose, Command, Declare, Join, OpenSession, TypeDice
from ledger.errors import Refused
from ledger.events import (
    ChoiceRequested,
    ConditionGained,
    DamageTaken,
    Event,
    ExchangeEnded,
    InitiativeScored,
    Option,
    OrderFixed,
    RollRequested,
    RoundBegan,
    StepEntered,
    TurnBegan,
    TurnEnded,
)
from machines.contract.action import Action
from machines.contract.chart import Ask, Chart, Deed, Do, End, Mend, Roll, Run
from machines.contract.chart import Choose as ChooseBox
from machines.contract.refusals import TooManyEvents
from machines.contract.ruleset import Ruleset
from machines.contract.tables import Book, Row, Ruling
from machines.engine.decide import decide
from machines.engine.walk import Walk
from projections.combat import Combat, fold
from projections.vocabulary import Outcome, Vocabulary

# ------------------------------------------------------------------------------------------------ a brawl


class Printing(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str


class Fighter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    bones: bool = True


class Punch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    at: str


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


def key(combat: Combat, name: str) -> str:
    assert combat.exchange.frame is not None
    return f"{combat.exchange.frame.key}/{name}"


def at(combat: Combat) -> str:
    assert combat.exchange.frame is not None
    return str(msgspec.json.decode(combat.exchange.frame.terms)["at"])


def begin(combat: Combat) -> Deed:
    yield RoundBegan(combat.clock.round + 1)
    return None


def ask_speed(combat: Combat) -> Iterator[RollRequested]:
    for who in combat.roster.here():
        yield RollRequested(f"{combat.clock.period}/{who}/speed", who, "1d6", "speed", "")


def read_speed(combat: Combat) -> Deed:
    scores = [(who, combat.rolls[f"{combat.clock.period}/{who}/speed"].faces[0]) for who in combat.roster.here()]
    for who, score in scores:
        yield InitiativeScored(who, score, f"{combat.clock.period}/{who}/speed", "a die", "X 1")
    yield OrderFixed(tuple(sorted(scores, key=lambda one: -one[1])))
    return None


def waiting(combat: Combat) -> list[str]:
    return [who for who, _ in combat.initiative.order if who not in combat.turn.acted]


def who_is_left(combat: Combat) -> str:
    return "someone" if waiting(combat) else "nobody"


def moment(combat: Combat) -> Deed:
    yield TurnBegan(waiting(combat)[0])
    return None


def offer_action(combat: Combat) -> ChoiceRequested:
    who = combat.turn.who or ""
    options = (Option("punch", "punch"), Option("rest", "rest"))
    return ChoiceRequested(f"{combat.clock.period}/{who}/act", who, options, "rest", "act")


def breathe(combat: Combat) -> Deed:
    yield ConditionGained(combat.turn.who or "", "rested", None, "", "", "breathes", "X 2")
    return None


def over(combat: Combat) -> Deed:
    yield TurnEnded(combat.turn.who or "")
    return None


def ask_to_hit(combat: Combat) -> Iterator[RollRequested]:
    assert combat.exchange.frame is not None
    yield RollRequested(key(combat, "to-hit"), combat.exchange.frame.by, "1d6", "hit", combat.exchange.frame.key)


def read_to_hit(combat: Combat) -> Deed:
    yield ConditionGained(at(combat), "alarmed", None, "", "", "a fist flies", "X 3")
    return "hit" if combat.rolls[key(combat, "to-hit")].faces[0] > 3 else "miss"


def offer_rolling(combat: Combat) -> ChoiceRequested:
    options = (Option("left", "to the left"), Option("right", "to the right"))
    return ChoiceRequested(key(combat, "side"), at(combat), options, None, "roll with the punch")


def has_bones(combat: Combat) -> bool:
    return bool(msgspec.json.decode(combat.roster[at(combat)].sheet).get("bones", True))


def break_one(combat: Combat) -> Deed:
    yield DamageTaken(at(combat), "bones", 1, key(combat, "hurt"), "a punch", "X 4")
    return None


def ask_to_duck(combat: Combat) -> Iterator[RollRequested]:
    assert combat.exchange.frame is not None
    yield RollRequested(key(combat, "duck"), combat.exchange.frame.by, "1d6", "duck", combat.exchange.frame.key)


def read_duck(combat: Combat) -> Deed:
    assert combat.exchange.frame is not None
    yield ConditionGained(combat.exchange.frame.by, "low", None, "", "", "ducks", "X 5")
    return None


def shout(combat: Combat) -> Deed:
    assert combat.exchange.frame is not None
    yield ConditionGained(combat.exchange.frame.by, "hoarse", None, "", "", "shouts", "X 6")
    return None


def nobody_rolls(_: Combat) -> Iterator[RollRequested]:
    yield from ()


# fmt: off
HURT = Chart(
    "hurt", "Being hurt",
    ChooseBox("1", "To which side?",       offer_rolling, goto="2"),
    Ask ("2", "A bone to break?",          has_bones, yes="3", mend=Mend("B-1", no="fine")),
    Do  ("3", "It breaks",                 break_one, goto="sore"),
    End ("sore", "Sore"),
    End ("fine", "Fine"),
    source="X 4",
)
PUNCH = Chart(
    "punch", "A punch",
    Roll("1", "To hit",                    ask=ask_to_hit, read=read_to_hit, hit="2", miss="3"),
    Run ("2", "Hurt",                      HURT, sore="4", fine="3"),
    End ("3", "Nothing happens",           outcome="nothing"),
    End ("4", "It hurts",                  outcome="hurts"),
    source="X 3",
)
DUCK = Chart(
    "duck", "Ducking",
    Roll("1", "Duck",                      ask=ask_to_duck, read=read_duck, goto="2"),
    End ("2", "Down",                      outcome="ducked"),
    source="X 5",
)
SHOUT = Chart(
    "shout", "Shouting",
    Do  ("1", "Shout",                     shout, goto="2"),
    End ("2", "Heard",                     outcome="heard"),
    source="X 6",
)
TURN = Chart(
    "round", "A round",
    Do  ("1", "It begins",                 begin, goto="2"),
    Roll("2", "Who is quick?",             ask=ask_speed, read=read_speed, goto="3"),
    Ask ("3", "Who is left?",              who_is_left, someone="4", nobody="8"),
    Do  ("4", "Their moment",              moment, goto="5"),
    ChooseBox("5", "Act",                  offer_action, punch="6", rest="7"),
    Run ("6", "Punch",                     PUNCH, goto="7b"),
    Do  ("7", "Rest",                      breathe, goto="7b"),
    Do  ("7b", "Their moment is over",     over, goto="3"),
    End ("8", "Everybody is done"),
    source="X 1",
)
# fmt: on


def may(_: Combat, __: str, ___: object) -> None:
    """Accepts every declaration."""


def nothing(*_: object) -> Iterator[Event]:
    yield from ()


BRAWL = Ruleset(
    name="brawl",
    title="A brawl",
    version=1,
    books=(Book(code="X", title="Made up"),),
    profile=Printing,
    profiles=(Printing(name="only", source="X 1"),),
    sheet=Fighter,
    turn=TURN,
    kinds={
        "punch": Action(title="punch", chart=PUNCH, terms=Punch, check=may),
        "duck": Action(title="duck", chart=DUCK, terms=Nothing, check=may, anytime=True),
        "shout": Action(title="shout", chart=SHOUT, terms=Nothing, check=may, anytime=True),
    },
    tables={},
    rulings=(Ruling(id="B-1", question="No bones?", answer="Fine.", because="So.", source="X 4"),),
    open_sheet=nothing,
    retarget=nothing,
    reorder=nothing,
    vocabulary=Vocabulary(outcomes=(Outcome("hit", is_success=True), Outcome("miss"))),
)


class Table:
    """A fight that performs commands and keeps the events."""

    def __init__(self) -> None:
        self.combat = Combat()
        self.do(OpenSession("A brawl", "brawl"), Join("ann", {}), Join("bob", {}), Join("jelly", {"bones": False}))

    def do(self, *commands: Command) -> list[Event]:
        """Performs commands. Returns the events of the last."""
        events: tuple[Event, ...] = ()
        for command in commands:
            events = decide(BRAWL, self.combat, command)
            self.combat = fold(events, self.combat)
        return list(events)

    def keys(self) -> list[str]:
        return [rest.key for rest in self.combat.rests]


def boxes(events: list[Event]) -> list[tuple[str, str, int]]:
    return [(event.chart, event.box, event.depth) for event in events if isinstance(event, StepEntered)]


@pytest.fixture
def table() -> Table:
    """A fight in which Ann acts first, then Bob, then the jelly."""
    made = Table()
    made.do(BeginCombat())
    made.do(TypeDice("r1/ann/speed", (6,)), TypeDice("r1/bob/speed", (5,)), TypeDice("r1/jelly/speed", (4,)))
    return made


def test_a_box_with_several_rolls_is_left_when_the_last_is_answered_in_whatever_order() -> None:
    table = Table()
    asked = ["r1/ann/speed", "r1/bob/speed", "r1/jelly/speed"]
    expected = [("round", "3", 0), ("round", "4", 0), ("round", "5", 0)]

    table.do(BeginCombat())
    first = list(table.keys())
    early = table.do(TypeDice("r1/jelly/speed", (4,)), TypeDice("r1/ann/speed", (6,)))
    left = list(table.keys())
    late = table.do(TypeDice("r1/bob/speed", (5,)))

    assert asked == first
    assert [] == boxes(early)
    assert ["r1/bob/speed"] == left
    assert expected == boxes(late)


def test_a_choice_is_left_by_the_exit_of_its_option(table: Table) -> None:
    expected = [("round", "7", 0), ("round", "7b", 0), ("round", "3", 0), ("round", "4", 0), ("round", "5", 0)]

    events = table.do(Choose("r1/ann/act", "rest"))

    assert expected == boxes(events)


def test_a_running_box_enters_the_inner_chart_one_level_deeper(table: Table) -> None:
    expected = [("round", "6", 0), ("punch", "1", 1)]

    events = table.do(Declare("punch", "ann", {"at": "bob"}))

    assert expected == boxes(events)
    assert ["r1/ann/a1/punch/to-hit"] == table.keys()


def test_a_deed_is_left_by_the_label_that_it_returns(table: Table) -> None:
    expected = [("punch", "3", 1), ("round", "7b", 0), ("round", "3", 0), ("round", "4", 0), ("round", "5", 0)]

    events = table.do(Declare("punch", "ann", {"at": "bob"}), TypeDice("r1/ann/a1/punch/to-hit", (3,)))

    assert expected == boxes(events)
    assert ExchangeEnded("r1/ann/a1/punch", "nothing") in events


def test_a_chart_may_run_a_chart_that_runs_a_chart(table: Table) -> None:
    expected = [("punch", "2", 1), ("hurt", "1", 2)]

    events = table.do(Declare("punch", "ann", {"at": "bob"}), TypeDice("r1/ann/a1/punch/to-hit", (4,)))

    assert expected == boxes(events)
    assert ["r1/ann/a1/punch/side"] == table.keys()


@pytest.mark.parametrize(
    ("at", "inner", "outcome"),
    [
        ("bob", [("hurt", "2", 2), ("hurt", "3", 2), ("hurt", "sore", 2), ("punch", "4", 1)], "hurts"),
        ("jelly", [("hurt", "2", 2), ("hurt", "fine", 2), ("punch", "3", 1)], "nothing"),
    ],
)
def test_a_running_box_is_left_by_the_inner_charts_end(
    table: Table, at: str, inner: list[tuple[str, str, int]], outcome: str
) -> None:
    """The jelly's path takes a mended exit."""
    expected = [*inner, ("round", "7b", 0)]

    events = table.do(
        Declare("punch", "ann", {"at": at}),
        TypeDice("r1/ann/a1/punch/to-hit", (4,)),
        Choose("r1/ann/a1/punch/side", "left"),
    )

    assert expected == boxes(events)[: len(expected)]
    assert [ExchangeEnded("r1/ann/a1/punch", outcome)] == [e for e in events if isinstance(e, ExchangeEnded)]


def test_a_procedure_ends_with_its_outermost_end(table: Table) -> None:
    expected = ("round", "8", 0)

    events = table.do(Choose("r1/ann/act", "rest"), Choose("r1/bob/act", "rest"), Choose("r1/jelly/act", "rest"))

    assert expected == boxes(events)[-1]
    assert [] == table.keys()


# ------------------------------------------------------------------------------------------------ interrupts


def test_an_interrupt_is_declared_while_the_table_waits_for_somebody_elses_roll(table: Table) -> None:
    expected = [("duck", "1", 2)]
    table.do(Declare("punch", "ann", {"at": "bob"}))

    events = table.do(Declare("duck", "bob"))

    assert expected == boxes(events)
    assert ["r1/bob/a1/duck/duck"] == table.keys()


def test_what_an_interrupt_interrupts_waits_and_goes_on(table: Table) -> None:
    expected = [("punch", "3", 1), ("round", "7b", 0), ("round", "3", 0), ("round", "4", 0), ("round", "5", 0)]
    table.do(Declare("punch", "ann", {"at": "bob"}), Declare("duck", "bob"))
    interrupted = list(table.keys())

    ended = table.do(TypeDice("r1/bob/a1/duck/duck", (2,)))
    waited = list(table.keys())
    events = table.do(TypeDice("r1/ann/a1/punch/to-hit", (3,)))

    assert ["r1/bob/a1/duck/duck"] == interrupted
    assert [ExchangeEnded("r1/bob/a1/duck", "ducked")] == [e for e in ended if isinstance(e, ExchangeEnded)]
    assert ["r1/ann/a1/punch/to-hit"] == waited
    assert expected == boxes(events)


def test_what_is_interrupted_cannot_be_answered_before_the_interrupt_ends(table: Table) -> None:
    expected = "dice/not-asked-for"
    table.do(Declare("punch", "ann", {"at": "bob"}), Declare("duck", "bob"))

    with pytest.raises(Refused) as refusal:
        table.do(TypeDice("r1/ann/a1/punch/to-hit", (3,)))

    assert expected == refusal.value.slug


def test_an_interrupt_may_be_interrupted(table: Table) -> None:
    expected = ["r1/ann/a1/punch/to-hit"]

    table.do(Declare("punch", "ann", {"at": "bob"}), Declare("duck", "bob"), Declare("duck", "jelly"))
    innermost = list(table.keys())
    table.do(TypeDice("r1/jelly/a1/duck/duck", (1,)))
    between = list(table.keys())
    table.do(TypeDice("r1/bob/a1/duck/duck", (1,)))

    assert ["r1/jelly/a1/duck/duck"] == innermost
    assert ["r1/bob/a1/duck/duck"] == between
    assert expected == table.keys()


def test_an_interrupt_that_asks_for_nothing_leaves_the_table_where_it_was(table: Table) -> None:
    table.do(Declare("punch", "ann", {"at": "bob"}))
    expected = table.combat.path.levels, table.combat.rests

    events = table.do(Declare("shout", "jelly"))

    assert expected == (table.combat.path.levels, table.combat.rests)
    assert [("shout", "1", 2), ("shout", "2", 2)] == boxes(events)


def test_an_interrupt_while_some_of_several_rolls_are_answered_loses_none_of_them() -> None:
    table = Table()
    table.do(BeginCombat(), TypeDice("r1/ann/speed", (6,)))
    expected = ["r1/bob/speed", "r1/jelly/speed"]

    table.do(Declare("duck", "ann"), TypeDice("r1/ann/a1/duck/duck", (1,)))

    assert expected == table.keys()
    assert 6 == table.combat.rolls["r1/ann/speed"].faces[0]


def test_an_interrupt_while_somebody_chooses_leaves_the_choice_open(table: Table) -> None:
    expected = ["r1/ann/act"]

    table.do(Declare("duck", "bob"), TypeDice("r1/bob/a1/duck/duck", (1,)))

    assert expected == table.keys()


def test_a_kind_that_may_not_interrupt_does_not(table: Table) -> None:
    expected = "turn/not-yours"
    table.do(Declare("punch", "ann", {"at": "bob"}))

    with pytest.raises(Refused) as refusal:
        table.do(Declare("punch", "bob", {"at": "ann"}))

    assert expected == refusal.value.slug


def test_a_kind_that_may_be_declared_at_any_time_may_be_declared_before_a_fight() -> None:
    expected = "heard"
    table = Table()

    table.do(Declare("shout", "ann"))

    assert table.combat.exchange.last is not None
    assert expected == table.combat.exchange.last.outcome
    assert () == table.combat.path.levels


# ------------------------------------------------------------------------------------------------ odds and ends


def test_a_box_that_asks_for_no_dice_is_read_at_once() -> None:
    chart = Chart(
        "none",
        "None",
        Roll("1", "Nobody", ask=nobody_rolls, read=shout_nothing, goto="2"),
        End("2", "End"),
        source="X 1",
    )
    expected = [("none", "1", 0), ("none", "2", 0)]

    walk = Walk(Combat(), {"none": chart})
    walk.enter(chart, "1", 0)

    assert expected == boxes(walk.events)


def shout_nothing(_: Combat) -> Deed:
    yield from ()
    return None


def test_a_chart_that_goes_in_circles_is_a_mistake_and_not_a_hang() -> None:
    chart = Chart(
        "circle", "A circle", Ask("1", "Again?", lambda _: True, yes="1", no="2"), End("2", "End"), source="X 1"
    )
    walk = Walk(Combat(), {"circle": chart})
    expected = "command/too-many-events"

    with pytest.raises(TooManyEvents) as mistake:
        walk.enter(chart, "1", 0)

    assert expected == mistake.value.slug


def test_a_chart_knows_what_can_be_reached_from_a_box() -> None:
    expected = {"2", "3", "sore", "fine"}

    found = HURT.reachable("2")

    assert expected == found


def test_a_chart_knows_what_it_runs_each_once() -> None:
    expected = ["round", "punch", "hurt"]

    found = [chart.name for chart in TURN.inner()]

    assert expected == found


def test_a_chart_knows_where_the_rule_of_a_function_is_printed() -> None:
    expected = ("X 9 Rest", "X 2 Breath, 4 Air")
    inner = Chart(
        "inner", "Inner", Do("1", "Breathe", breathe, goto="2", see="X 2 Breath, 4 Air"), End("2", "End"), source="X 2"
    )
    outer = Chart(
        "outer",
        "Outer",
        Do("1", "Rest", breathe, goto="2", see="X 9 Rest"),
        Run("2", "Rest again", inner, goto="3"),
        End("3", "End"),
        source="X 9",
    )

    assert expected == outer.sources_of(breathe)
    assert () == outer.sources_of(shout)


def test_a_ruleset_knows_the_charts_of_its_turn_and_of_its_declarations() -> None:
    expected = {"round", "punch", "hurt", "duck", "shout"}

    found = set(BRAWL.charts)

    assert expected == found


def test_every_shape_is_drawn_as_the_flowchart_draws_it() -> None:
    expected = {
        "Do": "rectangle", "Ask": "diamond", "Roll": "dice", "Choose": "hand", "Run": "double", "End": "end",
    }  # fmt: skip

    found = {type(box).__name__: box.shape for chart in BRAWL.charts.values() for box in chart.boxes.values()}

    assert expected == found
