"""The table printed at the end of a run: work, our figure, floor or peer, ratio, goal, met."""

from collections.abc import Sequence
from pathlib import Path

import msgspec


class Goal(msgspec.Struct, frozen=True):
    """A ratio to reach."""

    figure: float
    at_most: bool = False

    def is_met(self, found: float) -> bool:
        return found <= self.figure if self.at_most else found >= self.figure

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='} {_number(self.figure)}"


def at_least(figure: float) -> Goal:
    return Goal(figure)


def at_most(figure: float) -> Goal:
    return Goal(figure, at_most=True)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table: two figures of one run and their ratio.

    The second figure is required, because an absolute speed depends on the machine.
    """

    what: str
    ours: float
    unit: str
    beside: str
    """The name of the second figure: the floor, a peer, or a smaller size."""
    theirs: float
    goal: Goal | None = None
    """The goal for the ratio."""

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        return None if self.goal is None else self.goal.is_met(self.ratio)


def table(rows: Sequence[Row]) -> str:
    """Returns all rows as aligned columns."""
    cells = [("what", "ours", "", "beside", "theirs", "ratio", "goal", "met?"), *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = {1, 4, 5}
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def _cells(row: Row) -> tuple[str, ...]:
    goal = "" if row.goal is None else f"{row.goal} x"
    met = {None: "", True: "met", False: "NOT MET"}[row.met]
    return row.what, _number(row.ours), row.unit, row.beside, _number(row.theirs), f"{row.ratio:.2f}", goal, met


def write(rows: Sequence[Row], path: Path) -> None:
    """Writes all rows as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = [
        msgspec.structs.asdict(row) | {"ratio": row.ratio, "goal": str(row.goal or ""), "met": row.met} for row in rows
    ]
    path.write_bytes(msgspec.json.format(msgspec.json.encode(plain), indent=1))


def _number(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.4g}"
