"""Compares the flowchart of GURPS, third edition, with its 56 printed boxes and the 81 ways between them."""

from itertools import groupby

import pytest
from charts.gurps_3e import STEPS

from machines.contract.chart import Choose, End, Roll, Run
from machines.contract.ruleset import ruleset
from machines.gurps_3e.chart import ATTACK

PRINTED: dict[str, set[str]] = {
    step.id[1:]: {there.removeprefix("A") for there in step.exits}
    for step in STEPS.values()
    if step.section == "ATTACK"
}
"""By printed number: the next boxes according to the transcription of the page; ``end`` where nothing follows."""
MENDS: dict[str, tuple[str, dict[str, str]]] = {
    "9": ("G3-F1", {"included": "14"}),
    "20": ("G3-F8", {"no": "52"}),
    "23d": ("G3-N22", {"shield": "23e"}),
    "51": ("G3-F9", {"blow": "28", "defense": "23"}),
    "52": ("G3-F11", {"blow": "28"}),
    "53": ("G3-F9", {"blow": "28", "defense": "23"}),
    "54": ("G3-F9", {"blow": "28", "defense": "23"}),
    "55": ("G3-F9", {"blow": "28", "defense": "23"}),
}
"""Every exit of ours that the page does not print, by box: the ruling, and where it leads."""
HALVES = {"5": "b", "14": "b", "23": "bcde", "27": "b", "40": "b", "47": "b", "49": "b"}
"""Printed boxes at which the table stops more than once, and the letters of their further parts."""
BACK = {("23d", "second"): "the second defense of whoever defends all out, B 105"}
"""Exits between the parts of one printed box that lead back in it."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBERS = [str(number) for number in range(1, 57)]


def printed(number: str) -> str:
    """Returns the printed number of a box: 23c is a part of 23."""
    return number.rstrip(LETTERS)


def onto(number: str) -> set[str]:
    """Returns the next printed boxes of all parts of a printed box, by printed exits."""
    parts = [box for box in ATTACK.boxes.values() if printed(box.number) == number]
    if any(isinstance(box, End) for box in parts):
        return {"end"}
    return {printed(there) for box in parts for there in box.printed.values()} - {number}


def test_fifty_six_boxes_were_transcribed_with_eighty_one_ways_between_them() -> None:
    expected = NUMBERS, 81

    found = list(PRINTED), sum(len(exits - {"end"}) for exits in PRINTED.values())

    assert expected == found


def test_the_fifty_six_boxes_exist_once_in_printed_order() -> None:
    expected = NUMBERS

    assert expected == [number for number, _ in groupby(map(printed, ATTACK.boxes))]
    assert expected == [number for number in ATTACK.boxes if printed(number) == number]


def test_the_parts_of_a_printed_box_stand_behind_it_in_the_order_of_their_letters() -> None:
    expected = [number + letter for number in NUMBERS for letter in ("", *HALVES.get(number, ""))]

    assert expected == list(ATTACK.boxes)


def test_a_box_has_parts_only_where_the_table_stops_within_it() -> None:
    expected = set(HALVES)

    stops = {printed(box.number) for box in ATTACK.boxes.values() if isinstance(box, Roll | Choose | Run)}

    assert expected <= stops


@pytest.mark.parametrize("number", NUMBERS)
def test_a_box_has_exactly_the_printed_exits(number: str) -> None:
    expected = PRINTED[number]

    assert expected == onto(number)


@pytest.mark.parametrize("number", [number for number in NUMBERS if number not in HALVES])
def test_a_box_of_one_part_has_an_exit_for_each_printed_way(number: str) -> None:
    """Box 18 leads to 23 for two reasons."""
    expected = sorted(there.removeprefix("A") for there in STEPS[f"A{number}"].exits if there != "end")

    assert expected == sorted(ATTACK[number].printed.values())


def test_the_charts_have_eighty_one_ways_between_boxes() -> None:
    expected = 81

    found = {(number, there) for number in NUMBERS for there in onto(number) if there != "end"}

    assert expected == len(found)


def test_exits_into_the_middle_of_a_printed_box_come_from_the_same_box() -> None:
    expected = set(BACK)

    ways = [(box, label, there) for box in ATTACK.boxes.values() for label, there in box.exits.items()]
    from_outside = [
        (box.number, label, there)
        for box, label, there in ways
        if there != printed(there) and printed(there) != printed(box.number)
    ]
    order = list(ATTACK.boxes)
    back = {
        (box.number, label)
        for box, label, there in ways
        if printed(box.number) == printed(there) and order.index(there) <= order.index(box.number)
    }

    assert not from_outside
    assert expected == back


def test_every_deviation_is_a_mend_that_is_listed_here() -> None:
    expected = MENDS

    found = {
        box.number: (box.mend.ruling, dict(box.mend.exits)) for box in ATTACK.boxes.values() if box.mend is not None
    }

    assert expected == found


def test_no_mend_replaces_a_printed_exit() -> None:
    expected: list[str] = []

    replaced = [box.number for box in ATTACK.boxes.values() if box.mend and set(box.mend.exits) & set(box.printed)]

    assert expected == replaced
    assert all(dict(box.printed) == dict(box.exits) for box in ATTACK.boxes.values() if not box.mend)


def test_every_mend_differs_from_the_page() -> None:
    expected: list[tuple[str, str]] = []

    needless = [
        (number, there)
        for number, (_, exits) in MENDS.items()
        for there in exits.values()
        if there in PRINTED[printed(number)]
    ]

    assert expected == needless


def test_the_ruling_of_every_mend_exists() -> None:
    expected = {ruling.id for ruling in ruleset("gurps_3e").rulings}

    assert {ruling for ruling, _ in MENDS.values()} <= expected


def test_the_six_ends_are_the_printed_ones() -> None:
    expected = [number for number in NUMBERS if PRINTED[number] == {"end"}]

    assert expected == [box.number for box in ATTACK.boxes.values() if isinstance(box, End)]
    assert expected == ["51", "52", "53", "54", "55", "56"]


def test_every_box_has_unique_words() -> None:
    expected = len(ATTACK.boxes)

    titles = {box.title for box in ATTACK.boxes.values()}

    assert expected == len(titles)
