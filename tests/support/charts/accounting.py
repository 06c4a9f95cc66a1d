"""Charts against the page: each transcribed step is one or more of our boxes, or has none for a reason.

Each of our boxes is a transcribed step's, or is there for a reason; and each transcribed exit leads in our charts to the same place,
past boxes that the page does not print. The transcriptions were made independently of the charts.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from machines.contract.chart import Chart, End, Run
from machines.contract.ruleset import ruleset

Place = tuple[str, str]
"""A chart and the number of a box."""
END: Place = ("", "end")
SAME = "boxes "
"""How the places of a step begin; everything else is a reason why it has none."""


class Step(NamedTuple):
    """A line of the transcription."""

    section: str
    id: str
    title: str
    exits: tuple[str, ...]
    printed: str
    """The printed step under which it stands, where the page numbers them."""


def transcribed(path: Path) -> dict[str, Step]:
    """Every transcribed step by its id, which is its own in the whole file."""
    found: dict[str, Step] = {}
    section = printed = ""
    for line in path.read_text().splitlines():
        if line.startswith("## "):
            section, printed = re.sub(r" \(.*", "", line[3:]), ""
        elif line.startswith("# Step "):
            printed = line[7]
        elif re.match(r"[A-Z]\d+\w* \| ", line):
            number, title, _, exits = (cell.strip() for cell in line.split(" | ", 3))
            found[number] = Step(section, number, title, exits_of(exits), printed)
    return found


def exits_of(cell: str) -> tuple[str, ...]:
    """Where a step leads; where it ends in another procedure, there."""
    return tuple(
        other or here for here, other in re.findall(r"-> ([A-Z]\d+\w*|end)(?: \([A-Z ]+ ([A-Z]\d+\w*)\))?", cell)
    )


class Account(NamedTuple):
    """What became of the steps of a game."""

    game: str
    steps: Mapping[str, Step]
    entered: Mapping[str, tuple[str, ...]]
    """By section: the charts that are its procedure. What they run beside these is passed over."""
    ends: Mapping[str, Place]
    """Where a section that is a part of a chart ends in it."""
    where: Mapping[str, str]
    """By step: its boxes, or why it has none."""
    otherwise: Mapping[tuple[str, str], str]
    """Exits that our charts have otherwise, and why."""
    ours: Mapping[str, str]
    """Our boxes that are no transcribed step, and why they are there."""

    @property
    def charts(self) -> Mapping[str, Chart]:
        """Ours."""
        return ruleset(self.game).charts

    @property
    def boxes(self) -> list[str]:
        """Ours, as ``attack/5b``."""
        return [
            f"{name}/{box.number}"
            for name, chart in self.charts.items()
            for box in chart.boxes.values()
            if not isinstance(box, End)
        ]

    def places(self, step: str) -> list[Place]:
        """Our boxes of a step; none where it has a reason instead. ``how far`` is one number of two words."""
        text = self.where[step]
        if not text.startswith(SAME):
            return []
        words = re.findall(r"\w+/(?:how far|\w+)", text.removeprefix(SAME))
        return [(name, number) for name, _, number in (each.partition("/") for each in words)]

    def exits(self, step: str, seen: frozenset[str] = frozenset()) -> set[str]:
        """The steps to which a step leads that have boxes, past those that have none."""
        found: set[str] = set()
        for there in self.steps[step].exits:
            if there == "end" or self.places(there):
                found.add(there)
            elif there not in seen:
                found |= self.exits(there, seen | {there})
        return found

    def leads(self, step: str, there: str) -> bool:
        """Does a way lead in our charts from the boxes of a step to those of another?"""
        section, here = self.steps[step].section, self.places(step)
        goal = {END} if there == "end" else set(self.places(there))
        return bool(goal & set(here)) or bool(goal & self._reached(here, section))

    def _reached(self, start: list[Place], section: str) -> set[Place]:
        """Every place to which these boxes lead, past those that are no step's."""
        within = {place for step in self.steps.values() if step.section == section for place in self.places(step.id)}
        found: set[Place] = set()
        walked: set[Place] = set()
        waiting = list(start)
        while waiting:
            place = waiting.pop()
            if place in walked:
                continue
            walked.add(place)
            for exit_to in self._onward(place, self.entered[section]):
                there = END if exit_to == self.ends.get(section) else exit_to
                found.add(there)
                if there != END and (there not in within or there in start):
                    waiting.append(there)
        return found

    def _onward(self, place: Place, entered: tuple[str, ...]) -> list[Place]:
        """Where a box leads; a chart that is entered is walked through, every other one is passed over."""
        name, number = place
        box = self.charts[name].boxes[number]
        if isinstance(box, Run) and box.chart.name in entered:
            return [(box.chart.name, box.chart.first)]
        if not isinstance(box, End):
            return [(name, exit_to) for exit_to in box.exits.values()]
        runners = [
            (outer, each)
            for outer in entered
            for each in self.charts[outer].boxes.values()
            if isinstance(each, Run) and each.chart.name == name
        ]
        return [(outer, exit_to) for outer, each in runners for exit_to in each.exits.values()] or [END]
