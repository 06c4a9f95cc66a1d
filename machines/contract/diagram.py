"""Draws a chart as a Mermaid flowchart, with the printed numbers, labels at the exits, and dotted mends."""

from collections.abc import Iterator

from machines.contract.chart import GOTO, Box, Chart

_SHAPES = {
    "rectangle": ("[", "]"),
    "diamond": ("{", "}"),
    "dice": ("[/", "/]"),
    "hand": ("[\\", "\\]"),
    "double": ("[[", "]]"),
    "end": ("([", "])"),
}


def mermaid(chart: Chart) -> str:
    """Returns the chart as Mermaid text."""
    return "\n".join(["flowchart TD", *_lines(chart)]) + "\n"


def _lines(chart: Chart) -> Iterator[str]:
    for box in chart.boxes.values():
        left, right = _SHAPES[box.shape]
        yield f'    {_id(box)}{left}"{box.number}. {_text(box.title)}"{right}'
    for box in chart.boxes.values():
        for label, number in box.exits.items():
            mended = box.mend is not None and label in box.mend.exits
            arrow = "-.->" if mended else "-->"
            words = _text(label.replace("_", " "))
            note = f"|{words}|" if label != GOTO else ""
            yield f"    {_id(box)} {arrow}{note} {_id(chart[number])}"


def _id(box: Box) -> str:
    return "b" + "".join(letter if letter.isalnum() else "_" for letter in box.number)


def _text(words: str) -> str:
    return words.replace('"', "#quot;")
