"""Changes the fields of all rows of a game, and compares with what is expected of each field."""

from dataclasses import dataclass, field
from itertools import islice

from field_effects import Effects, effects, fields_by_name, misplaced, sweep_of
from long.part import Task
from sweeping import Field, Shift, Sweep

CHANGES_OF_A_ROW, CHANGES_OF_A_FIELD = 40, 5_000
"""Changes that are tried in each row, and before a field counts as one that moves nothing."""
MOST_FAULTS = 40
"""Faults of a game that are reported."""


@dataclass
class Swept:
    """What came of a sweep."""

    fields: int = 0
    rows: int = 0
    shifts: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set)
    """Pairs of a field and the place where a change of it showed."""
    faults: list[str] = field(default_factory=list)


def sweep_game(task: Task, game: str, swept: Swept) -> None:
    """Changes the fields of a game, in an order by the seed, until the time is up."""
    sweep, expected = sweep_of(game), effects(game)
    by_name = sorted(fields_by_name(sweep).items())
    task.random("fields", game).shuffle(by_name)
    for name, rows in by_name:
        if not task.seconds_left or len(swept.faults) > MOST_FAULTS:
            return
        shifts = _shifts(sweep, rows, expected.places(name))
        swept.fields, swept.rows, swept.shifts = swept.fields + 1, swept.rows + len(rows), swept.shifts + len(shifts)
        swept.seen |= {(name, shift.place) for shift in shifts}
        swept.faults += [f"{game}: {fault}" for fault in _faults(expected, name, shifts)]
    task.say(f"{game}: {swept.fields} fields, {swept.rows} cells, {len(swept.faults)} faults")


def _shifts(sweep: Sweep, rows: list[Field], places: tuple[str, ...]) -> list[Shift]:
    """Returns the differences of some changes in each row; where none is expected, of one that is looked for at length."""
    found = [shift for row in rows for shift in sweep.shifts([row], CHANGES_OF_A_ROW)]
    if places and all(shift.place not in places for shift in found):
        others = (shift for shift in sweep.shifts(rows, CHANGES_OF_A_FIELD) if shift.place in places)
        found += islice(others, 1)
    return found


def _faults(expected: Effects, name: str, shifts: list[Shift]) -> list[str]:
    found = list(dict.fromkeys(misplaced(expected, shifts)))
    places = {shift.place for shift in shifts}
    if name in expected.moving and not places & set(expected.places(name)):
        found.append(f"{name} moves nothing of {', '.join(expected.places(name))}")
    return found[:3]
