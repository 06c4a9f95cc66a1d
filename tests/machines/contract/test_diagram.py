"""Charts as Mermaid: every box and every exit once; mends dotted."""

import re
from collections import Counter

import pytest

from ledger.events import Noted
from machines.contract.chart import Ask, Chart, Choose, Deed, Do, End, Mend, Roll, Run
from machines.contract.diagram import mermaid
from machines.contract.ruleset import ruleset
from machines.registry import installed
from projections.combat import Combat

CHARTS = [chart for name in sorted(installed()) for chart in ruleset(name).charts.values()]

BOX = re.compile(r'^    (\w+)(\[\[|\(\[|\[/|\[\\|\[|\{)"(.*)"(\]\]|\]\)|/\]|\\\]|\]|\})$')
EXIT = re.compile(r"^    (\w+) (-->|-\.->)(?:\|(.*?)\|)? (\w+)$")


def name_of(chart: Chart) -> str:
    return chart.name


def nothing(_: Combat) -> Deed:
    yield Noted("", "")
    return None


def boxes_of(text: str) -> list[tuple[str, str, str, str]]:
    """Returns id, opening sign, text and closing sign of each box."""
    return [match.groups() for line in text.splitlines() if (match := BOX.match(line))]


def exits_of(text: str) -> list[tuple[str, str, str, str]]:
    """Returns start, arrow, label and end of each exit."""
    return [
        (match[1], match[2], match[3] or "goto", match[4]) for line in text.splitlines() if (match := EXIT.match(line))
    ]


@pytest.mark.parametrize("chart", CHARTS, ids=name_of)
def test_every_box_is_drawn_once_with_its_number_and_title(chart: Chart) -> None:
    expected = Counter(f"{box.number}. {box.title}" for box in chart.boxes.values())

    drawn = boxes_of(mermaid(chart))

    assert expected == Counter(words for _, _, words, _ in drawn)
    assert len(chart.boxes) == len({identity for identity, *_ in drawn})


@pytest.mark.parametrize("chart", CHARTS, ids=name_of)
def test_every_exit_is_drawn_once_from_its_box_to_where_it_leads(chart: Chart) -> None:
    expected = Counter(
        (box.number, label.replace("_", " "), number)
        for box in chart.boxes.values()
        for label, number in box.exits.items()
    )
    text = mermaid(chart)
    number_of = {identity: words.split(". ")[0] for identity, _, words, _ in boxes_of(text)}

    found = Counter((number_of[start], label, number_of[end]) for start, _, label, end in exits_of(text))

    assert expected == found


@pytest.mark.parametrize("chart", CHARTS, ids=name_of)
def test_every_line_is_a_box_or_an_exit(chart: Chart) -> None:
    expected = "flowchart TD"

    first, *lines = mermaid(chart).splitlines()

    assert expected == first
    assert [] == [line for line in lines if not BOX.match(line) and not EXIT.match(line)]


@pytest.mark.parametrize("chart", CHARTS, ids=name_of)
def test_only_mends_are_dotted(chart: Chart) -> None:
    expected = Counter(
        "-.->" if box.mend and label in box.mend.exits else "-->" for box in chart.boxes.values() for label in box.exits
    )

    found = Counter(arrow for _, arrow, _, _ in exits_of(mermaid(chart)))

    assert expected == found


INNER = Chart("inner", "Inner", Do("1", "One", nothing, goto="2"), End("2", "End"), source="X 1")
MADE = Chart(
    "made", "Made up",
    Do("1", 'A "deed"', nothing, goto="2"),
    Ask("2", "A question?", lambda _: True, yes="3", mend=Mend("X-1", no="1")),
    Roll("3", "Dice", ask=lambda _: iter(()), read=nothing, hit="3b", miss="5"),
    Choose("3b", "A choice", lambda _: None, to_the_left="4", to_the_right="5"),  # type: ignore[arg-type,return-value]
    Run("4", "Another chart", INNER, goto="5"),
    End("5", "End"),
    source="X 1",
)  # fmt: skip


def test_each_shape_is_drawn_as_its_own() -> None:
    expected = {"1": "[", "2": "{", "3": "[/", "3b": "[\\", "4": "[[", "5": "(["}

    found = {words.split(". ")[0]: opening for _, opening, words, _ in boxes_of(mermaid(MADE))}

    assert expected == found


def test_a_shape_is_closed_as_it_was_opened() -> None:
    pairs = {"[": "]", "{": "}", "[/": "/]", "[\\": "\\]", "[[": "]]", "([": "])"}
    expected = [pairs[opening] for _, opening, _, _ in boxes_of(mermaid(MADE))]

    found = [closing for *_, closing in boxes_of(mermaid(MADE))]

    assert expected == found


def test_a_mend_is_dotted_and_what_is_printed_is_not() -> None:
    expected = {("yes", "-->"), ("no", "-.->")}

    found = {(label, arrow) for start, arrow, label, _ in exits_of(mermaid(MADE)) if start == "b2"}

    assert expected == found


def test_quotes_in_a_title_do_not_end_it() -> None:
    expected = "1. A #quot;deed#quot;"

    found = boxes_of(mermaid(MADE))[0][2]

    assert expected == found
