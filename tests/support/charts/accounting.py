"""Compares charts with transcriptions of the printed procedures, which were made independently of the charts.

Each transcribed step has one or more boxes in the charts, or a stated reason why it has none. Each box belongs to a
transcribed step, or has a stated reason. Each transcribed exit leads in the charts to the same place, possibly past
boxes that the page does not print.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from machines.contract.chart import Chart, End, Run
from machines.contract.ruleset import ruleset

Place = tuple[str, str]
"""The name of a chart and the number of a box."""
END: Place = ("", "end")
SAME = "boxes "
"""The prefix of a step's boxes; any other text is the reason why the step has none."""


class Step(NamedTuple):
    """A step of the transcription."""

    section: str
    id: str
    title: str
    exits: tuple[str, ...]
    printed: str
    """The number of the printed step that it belongs to, where the page numbers steps."""


def transcribed(path: Path) -> dict[str, Step]:
    """Returns every transcribed step by its id, which is unique in the file."""
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
    """Returns the ids of the steps that a step leads to, also in other procedures."""
    return tuple(
        other or here for here, other in re.findall(r"-> ([A-Z]\d+\w*|end)(?: \([A-Z ]+ ([A-Z]\d+\w*)\))?", cell)
    )


class Account(NamedTuple):
    """Relates the transcribed steps of a game to the boxes of its charts."""

    game: str
    steps: Mapping[str, Step]
    entered: Mapping[str, tuple[str, ...]]
    """The charts of each section's procedure; other charts that they run are skipped."""
    ends: Mapping[str, Place]
    """The box at which a section ends that is only a part of a chart."""
    where: Mapping[str, str]
    """The boxes of each step, or the reason why it has none."""
    otherwise: Mapping[tuple[str, str], str]
    """The reasons for exits that lead elsewhere in the charts, by step and exit."""
    ours: Mapping[str, str]
    """The reasons for boxes that belong to no transcribed step."""

    @property
    def charts(self) -> Mapping[str, Chart]:
        """The charts of the game."""
        return ruleset(self.game).charts

    @property
    def boxes(self) -> list[str]:
        """All boxes of the charts, as ``attack/5b``."""
        return [
            f"{name}/{box.number}"
            for name, chart in self.charts.items()
            for box in chart.boxes.values()
            if not isinstance(box, End)
        ]

    def places(self, step: str) -> list[Place]:
        """Returns the boxes of a step; none where it has a reason. ``how far`` is a box number of two words."""
        text = self.where[step]
        if not text.startswith(SAME):
            return []
        words = re.findall(r"\w+/(?:how far|\w+)", text.removeprefix(SAME))
        return [(name, number) for name, _, number in (each.partition("/") for each in words)]

    def exits(self, step: str, seen: frozenset[str] = frozenset()) -> set[str]:
        """Returns the next steps with boxes, skipping those without."""
        found: set[str] = set()
        for there in self.steps[step].exits:
            if there == "end" or self.places(there):
                found.add(there)
            elif there not in seen:
                found |= self.exits(there, seen | {there})
        return found

    def leads(self, step: str, there: str) -> bool:
        """Returns whether the charts lead from the boxes of a step to those of another."""
        section, here = self.steps[step].section, self.places(step)
        goal = {END} if there == "end" else set(self.places(there))
        return bool(goal & set(here)) or bool(goal & self._reached(here, section))

    def _reached(self, start: list[Place], section: str) -> set[Place]:
        """Returns every place that the boxes lead to, past boxes that belong to no step."""
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
        """Returns the next places of a box; walks through charts of the section, and skips other charts."""
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
