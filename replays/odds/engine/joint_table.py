"""Tables of what dice may show, and reckoning with their columns.

A table has rows, each with the number of ways in which it falls: the throws of one roll, part of them, or pairs of rows
of two tables. A column has one value for each row. What was reckoned once is remembered while one thing is decided on
all its ways, because each of the ways begins with the same steps.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import repeat
from typing import Any, TypeVar

T = TypeVar("T")
Column = list[Any]
Rows = list[int]


class Table:
    """Rows, each with the number of ways in which it falls."""

    __slots__ = ("ways",)

    def __init__(self, ways: list[int]) -> None:
        self.ways = ways


class Part:
    """Some rows of a table, as a table of their own."""

    __slots__ = ("rows", "share", "table")

    def __init__(self, table: Table, rows: Rows, share: Fraction) -> None:
        self.table = table
        self.rows = rows
        self.share = share


class Reckoner:
    """Reckons with columns, each thing once.

    Attributes:
        rows: How many rows it has gone through.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._known: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def forget(self) -> None:
        """Remember nothing any more."""
        self._known = {}

    def rows_of(self, column: Column, rows: Rows) -> Column:
        """The values of some rows."""
        return self._once(("rows", id(column), id(rows)), lambda: [column[row] for row in rows], column, rows)

    def with_value(self, of: Callable[[Any, Any], Any], column: Column, value: Any, *, first: bool) -> Column:
        """A column reckoned with one value, row by row; `first` where the column stands on the left."""
        sides: tuple[Iterable[Any], Iterable[Any]] = (column, repeat(value)) if first else (repeat(value), column)
        key = ("value", of, id(column), type(value), value, first)
        return self._once(key, lambda: list(map(of, *sides)), column)

    def with_column(self, of: Callable[[Any, Any], Any], column: Column, other: Column) -> Column:
        """A column reckoned with another of the same table."""
        return self._once(("column", of, id(column), id(other)), lambda: list(map(of, column, other)), column, other)

    def alone(self, of: Callable[[Any], Any], column: Column) -> Column:
        """A column reckoned by itself."""
        return self._once(("alone", of, id(column)), lambda: list(map(of, column)), column)

    def parts(self, table: Table, keys: Column) -> dict[Any, Part]:
        """A table by the values of a column, in the order in which they come first."""
        return self._once(("parts", table, id(keys)), lambda: _parts(table, keys), keys)

    def paired(self, one: Table, other: Table) -> tuple[Table, Rows, Rows]:
        """Each row of one table with each of another; with their rows of each."""
        return self._once(("paired", one, other), lambda: _paired(one, other))

    def _once(self, key: tuple[Any, ...], of: Callable[[], T], *kept: list[Any]) -> T:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = (of(), *kept)  # what an id stands for is kept, so that it stays its id
            self.rows += len(kept[0]) if kept else len(found[0][1])
        result: T = found[0]
        return result


def _parts(table: Table, keys: Column) -> dict[Any, Part]:
    rows: dict[Any, Rows] = {}
    if type(keys[0]) is bool:
        rows = {truth: [row for row, key in enumerate(keys) if key is truth] for truth in (keys[0], not keys[0])}
    else:
        for row, key in enumerate(keys):
            rows.setdefault(key, []).append(row)
    whole = sum(table.ways)
    return {key: _part(table, mine, whole) for key, mine in rows.items() if mine}


def _part(table: Table, rows: Rows, whole: int) -> Part:
    ways = [table.ways[row] for row in rows]
    return Part(Table(ways), rows, Fraction(sum(ways), whole))


def _paired(one: Table, other: Table) -> tuple[Table, Rows, Rows]:
    both = Table([left * right for left in one.ways for right in other.ways])
    wide = len(other.ways)
    return both, [row for row in range(len(one.ways)) for _ in range(wide)], list(range(wide)) * len(one.ways)
