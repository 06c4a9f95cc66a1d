"""The Python calls of a declaration and of an amendment, beside those of the commit at which issue 20 counted them.

They are counted, not timed: see `benchmarks.calls`.
"""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.calls import Calls, counted
from benchmarks.report import Goal, Row, at_most

BEFORE = {"declare": (698, 57, 21), "amend": (4815, 64, 24)}
"""Calls, modules and depth, counted in the same way at commit d84b340."""
REACHED = {"declare": 445, "amend": 2840}
"""Calls that were reached since; a row is not met where there are more again.

A declaration takes some 14 fewer if no file was created in its folder just before: then only the folder is examined.
"""
_UNITS = ("calls", "modules", "deep")


def test_calls(folder: Path, rows: list[Row]) -> None:
    found = counted(folder)
    for name, what in (
        ("declare", "a declaration, FULL"),
        ("amend", f"amending it, {found.followed[0]} entries after it"),
    ):
        calls: Calls = getattr(found, name)
        rows += _rows(what, calls, BEFORE[name])
        rows.append(_row(what, "calls", calls.count, ("reached", REACHED[name]), at_most(1)))
    what = f"previewing that, {found.followed[1]} entries after it"
    rows.append(_row(what, "calls", found.preview.count, ("rehearsing them", found.rehearse.count), at_most(1.3)))


def _rows(what: str, calls: Calls, before: Sequence[int]) -> list[Row]:
    now = (calls.count, calls.modules, calls.depth)
    goals = (at_most(0.5), None, None)
    return [
        _row(what, unit, ours, ("at d84b340", theirs), goal)
        for unit, ours, theirs, goal in zip(_UNITS, now, before, goals, strict=True)
    ]


def _row(what: str, unit: str, ours: int, beside: tuple[str, int], goal: Goal | None) -> Row:
    name, theirs = beside
    return Row(what=f"{what}: {unit}", ours=ours, unit=unit, beside=name, theirs=theirs, goal=goal)
