"""An action is one record, from which the menu of a turn, options, offers and completion are generated."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from ledger.commands import Declare
from ledger.events import CombatantJoined, Json, Option, TurnBegan
from machines.contract.action import Action, Line, interrupts, menu, no_terms, offered, once, possible
from machines.contract.chart import Chart, Choose, Do, End, Run
from machines.contract.offering import next_action
from machines.contract.ruleset import ruleset
from projections.combat import Combat, fold


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of speaking."""

    loud: bool = False


def _happens(_: Combat) -> Iterator[Any]:
    yield from ()


def _at_others(combat: Combat, who: str) -> Iterator[Json]:
    return ({"at": other} for other in combat.roster.here() if other != who)


def _where_somebody_else_acts(combat: Combat, who: str) -> Iterator[Json]:
    return iter(({},) if combat.turn.who not in (None, who) else ())


def _chart(name: str) -> Chart:
    return Chart(name, name, Do("1", name, _happens, goto="2", see="X 1"), End("2", "Over"), source="X 1")


def _action(name: str, line: Line | None, **more: Any) -> Action:
    return Action(title=name, chart=_chart(name), terms=Words, check=lambda *_: None, line=line, **more)


def _line(number: str, label: str | bool, goto: str = "") -> Line:
    return Line(number=number, title=f"Box {number}", see="X 2", possible=lambda *_: label, goto=goto)


ACTIONS = {
    "wave": _action("wave", _line("5", "wave again"), offers=_at_others),
    "nod": _action("nod", _line("4", label=True, goto="6"), urgent=once(), offers=once(loud=True)),
    "sleep": _action("sleep", _line("4b", label=False)),
    "shout": _action("shout", None, anytime=True, breaks_in=_where_somebody_else_acts),
}


@pytest.fixture
def two() -> Combat:
    """A fight in which Ann acts and Bob waits."""
    return fold(
        [CombatantJoined("ann", "Ann", "gm", False), CombatantJoined("bob", "Bob", "gm", False), TurnBegan("ann")]
    )


def test_options_are_the_lines_that_are_possible_in_their_order(two: Combat) -> None:
    assert list(possible(ACTIONS, two, "ann")) == [Option("wave", "wave again"), Option("nod", "nod")]


def test_a_menu_is_a_choice_and_a_box_for_each_line(two: Combat) -> None:
    choice, *boxes = menu("3", "What now?", next_action, ACTIONS, end="6", see="X 3")

    assert isinstance(choice, Choose)
    assert (choice.number, choice.title, choice.see) == ("3", "What now?", "X 3")
    assert choice.exits == {"nod": "4", "wave": "5", "sleep": "4b", "end": "6"}
    assert [each.option for each in choice.offer(two).options] == ["wave", "nod", "end"]
    assert [(box.number, box.title, box.see, dict(box.exits)) for box in boxes] == [
        ("4", "Box 4", "X 2", {"goto": "6"}), ("5", "Box 5", "X 2", {"goto": "3"}), ("4b", "Box 4b", "X 2", {"goto": "3"}),
    ]  # fmt: skip
    assert [box.chart.name for box in boxes if isinstance(box, Run)] == ["nod", "wave", "sleep"]


def test_what_is_urgent_is_offered_before_everything_else(two: Combat) -> None:
    assert list(offered(ACTIONS, two, "ann")) == [
        Declare("nod", "ann"), Declare("wave", "ann", {"at": "bob"}), Declare("nod", "ann", {"loud": True}),
    ]  # fmt: skip


def test_somebody_may_break_in_with_what_says_so(two: Combat) -> None:
    assert list(interrupts(ACTIONS, two)) == [Declare("shout", "bob")]
    assert list(no_terms(two, "ann")) == []


def test_words_of_an_action_go_before_those_of_every_kind_and_these_before_what_types_tell() -> None:
    def common(_: Combat, __: Declare) -> Mapping[str, tuple[str, ...]]:
        return {"loud": ("a bit",), "at": ("ann",)}

    def own(*_: object) -> Mapping[str, tuple[str, ...]]:
        return {"at": ("bob",)}

    kinds = {"nod": _action("nod", None), "wave": _action("wave", None, words=own)}
    game = msgspec.structs.replace(ruleset("gurps_3e"), kinds=kinds)
    spoken = msgspec.structs.replace(game, words=common)

    plain = msgspec.structs.replace(game, words=lambda *_: {})
    assert plain.offered_words(Combat(), Declare("nod", "ann")) == {"loud": ("true",)}
    assert spoken.offered_words(Combat(), Declare("nod", "ann")) == {"loud": ("a bit",), "at": ("ann",)}
    assert spoken.offered_words(Combat(), Declare("wave", "ann")) == {"loud": ("a bit",), "at": ("bob",)}
