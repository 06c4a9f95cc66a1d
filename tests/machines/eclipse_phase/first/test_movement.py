"""Meters of movement in an Action Phase, by pace, phases, weight and sprint."""

from typing import Any

import pytest

from ledger.events import FigureFound
from replays.api.run_script import perform
from replays.scripts.format import AdjustStep, Player, Script, Step

ANN: dict[str, Any] = {
    "init": 60,
    "durability": 30,
    "aptitudes": {"som": 20},
    "skills": {"freerunning": 98, "free fall": 98},
}
BOB: dict[str, Any] = {"init": 10, "durability": 30, "aptitudes": {"som": 20}}


def moved(
    *steps: dict[str, Any], speed: int = 1, others: int = 1, gravity: int = 100, meters: tuple[int, int] = (4, 20)
) -> list[int]:
    """Returns the meters of Ann's moves in order; she acts only in the phases of the others."""
    sheets = {"ann": {**ANN, "speed": speed, "movement": meters}, "bob": {**BOB, "speed": others}}
    begin = Step(begin={"gravity": gravity, "acclimated": ("ann",)})
    play = (begin, Step(dice={"ann": 60, "bob": 10}), *(Step(**step) for step in steps))
    session = perform(
        Script(
            affray=1, title="moving", ruleset="eclipse_phase_1e", source="EP1 190 Movement",
            combatants={who: Player(sheet=sheet) for who, sheet in sheets.items()}, play=play,
        )
    )  # fmt: skip
    events = (event for entry in session.entries() for event in entry.events)
    return [int(event.value) for event in events if isinstance(event, FigureFound) and event.name == "meters"]


def go(how: str, **terms: Any) -> dict[str, Any]:
    return {"declare": {"kind": "move", "by": "ann", "how": how, **terms}}


@pytest.mark.parametrize(
    ("how", "phases", "expected"),
    [
        ("walk", 1, 4),
        ("walk", 2, 2),
        ("walk", 4, 1),
        ("run", 1, 20),
        ("run", 2, 10),
        ("run", 4, 5),
        ("crawl", 1, 1),
        ("swim", 1, 1),
    ],
)
def test_meters_are_divided_by_the_action_phases_of_the_turn(how: str, phases: int, expected: int) -> None:
    found = moved(go(how), others=phases)

    assert [expected] == found


@pytest.mark.parametrize(
    ("how", "phases", "expected"),
    [("walk", 3, [1, 1, 2]), ("run", 3, [6, 7, 7]), ("crawl", 4, [0, 0, 0, 1]), ("walk", 4, [1, 1, 1, 1])],
)
def test_meters_lost_by_rounding_are_added_in_a_later_phase(how: str, phases: int, expected: list[int]) -> None:
    ends = {"choose": {"ann": "end"}}, {"choose": {"bob": "end"}}
    steps = [step for _ in range(phases) for step in (go(how), *ends)]

    found = moved(*steps, speed=phases, others=phases)

    assert expected == found


def test_a_combatant_who_cannot_act_adds_no_phases() -> None:
    expected = [20]
    killed = AdjustStep(who="bob", what="conditions.dead", value="forever", why="a stray shot")

    found = moved({"adjust": killed}, go("run"), others=4)

    assert expected == found


@pytest.mark.parametrize(
    ("rolled", "expected"),
    [(89, 20), (88, 21), (49, 24), (48, 25), (28, 25), (1, 25), (99, 20)],
)
def test_a_sprint_adds_a_meter_for_each_ten_of_the_margin_and_five_at_most(rolled: int, expected: int) -> None:
    found = moved(go("sprint"), {"dice": {"ann": rolled}})

    assert [expected] == found


def test_a_sprint_in_a_turn_of_four_phases_adds_to_a_quarter_of_a_run() -> None:
    expected = [8]

    found = moved(go("sprint"), {"dice": {"ann": 65}}, others=4)

    assert expected == found


@pytest.mark.parametrize(
    ("gravity", "how", "expected"),
    [
        (0, "walk", 2),
        (0, "run", 10),
        (5, "run", 10),
        (38, "run", 30),
        (38, "walk", 4),
        (50, "run", 30),
        (51, "run", 20),
        (100, "run", 20),
        (200, "run", 20),
    ],
)
def test_weight_changes_the_distance(gravity: int, how: str, expected: int) -> None:
    found = moved(go(how), gravity=gravity)

    assert [expected] == found


def test_bodies_have_different_paces() -> None:
    expected = [8, 32]

    found = moved(go("walk"), go("run"), meters=(8, 40))

    assert expected == found


def test_a_combatant_may_use_the_remaining_meters() -> None:
    expected = [3, 1]

    found = moved(go("walk", meters=3), go("walk"))

    assert expected == found


def test_movement_is_limited_to_the_meters_of_the_phase() -> None:
    expected = [4]

    found = moved(go("walk", meters=100))

    assert expected == found
