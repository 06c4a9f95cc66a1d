"""Tables of possible throws, and arithmetic on their columns.

A table has rows, each with its number of ways: the throws of one roll, a part of them, or pairs of rows of two tables.
A column has one value for each row. Results are memoized while one decision is explored, because all its paths begin
with the same steps.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from typing import Any, TypeVar

T = TypeVar("T")
Column = list[Any]
Rows = list[int]


class JointTable:
    """A table of throws; for each row, the number of ways in which the dice produce it."""

    __slots__ = ("ways",)

    def __init__(self, ways: list[int]) -> None:
        self.ways = ways


class TableSlice:
    """Some rows of a table, as a separate table."""

    __slots__ = ("rows", "share", "table")

    def __init__(self, table: JointTable, rows: Rows, share: Fraction) -> None:
        self.table = table
        self.rows = rows
        self.share = share


class Reckoner:
    """Applies operations to columns, and memoizes the results.

    Attributes:
        rows: The number of rows processed.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._known: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def forget(self) -> None:
        """Clears the memo."""
        self._known = {}

    def rows_of(self, column: Column, rows: Rows) -> Column:
        """Returns a column's values in some rows."""
        return self._once(("rows", id(column), id(rows)), lambda: [column[row] for row in rows], column, rows)

    def with_value(self, operation: Callable[[Any, Any], Any], column: Column, value: Any, *, first: bool) -> Column:
        """Applies an operation to a column and one value; `first` where the column is the left operand."""
        sides: tuple[Iterable[Any], Iterable[Any]] = (column, repeat(value)) if first else (repeat(value), column)
        key = ("value", operation, id(column), type(value), value, first)
        return self._once(key, lambda: list(map(operation, *sides)), column)

    def with_column(self, operation: Callable[[Any, Any], Any], column: Column, other: Column) -> Column:
        """Applies an operation to two columns of the same table."""
        return self._once(
            ("column", operation, id(column), id(other)), lambda: list(map(operation, column, other)), column, other
        )

    def alone(self, operation: Callable[[Any], Any], column: Column) -> Column:
        """Applies an operation with one operand to a column."""
        return self._once(("alone", operation, id(column)), lambda: list(map(operation, column)), column)

    def applied(
        self,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        columns: Sequence[Column | None],
        names: Sequence[str],
    ) -> Column:
        """Applies a function to columns of the same table and to plain values.

        Args:
            function: The function.
            arguments: Its arguments, the last ones by name.
            columns: The column of each argument; None for a plain value.
            names: The names of the last arguments.
        """
        given = list(zip(arguments, columns, strict=True))
        key = [(type(each), each) if column is None else id(column) for each, column in given]
        sides = [repeat(each) if column is None else column for each, column in given]
        place = len(given) - len(names)

        def rows() -> Column:
            if not names:
                return list(map(function, *sides))
            chosen = zip(*sides, strict=False)
            return [function(*row[:place], **dict(zip(names, row[place:], strict=True))) for row in chosen]

        return self._once(("applied", function, *key), rows, *(column for column in columns if column is not None))

    def parts(self, table: JointTable, keys: Column) -> dict[Any, TableSlice]:
        """Splits a table by the values of a column, in order of first occurrence."""
        return self._once(("parts", table, id(keys)), lambda: _parts(table, keys), keys)

    def paired(self, one: JointTable, other: JointTable) -> tuple[JointTable, Rows, Rows]:
        """Returns a table of each row of one table with each of another, and its rows in both."""
        return self._once(("paired", one, other), lambda: _paired(one, other))

    def _once(self, key: tuple[Any, ...], compute: Callable[[], T], *kept: list[Any]) -> T:
        """Returns a memoized result, or computes it; the columns in the key are kept alive by `kept`."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = (compute(), *kept)  # the columns are kept alive, so that their ids stay unique
            self.rows += len(kept[0]) if kept else len(found[0][1])
        result: T = found[0]
        return result


def shares(table: JointTable, column: Column) -> Iterator[tuple[Any, Fraction]]:
    """Yields each value of a column, with its share."""
    counted: dict[Any, int] = {}
    for value, number in zip(column, table.ways, strict=True):
        counted[value] = counted.get(value, 0) + number
    whole = sum(table.ways)
    for value, number in counted.items():
        yield value, Fraction(number, whole)


def _parts(table: JointTable, keys: Column) -> dict[Any, TableSlice]:
    """Splits a table by the values of a column, in order of first occurrence."""
    rows: dict[Any, Rows] = {}
    if type(keys[0]) is bool:
        rows = {truth: [row for row, key in enumerate(keys) if key is truth] for truth in (keys[0], not keys[0])}
    else:
        for row, key in enumerate(keys):
            rows.setdefault(key, []).append(row)
    whole = sum(table.ways)
    return {key: _part(table, mine, whole) for key, mine in rows.items() if mine}


def _part(table: JointTable, rows: Rows, whole: int) -> TableSlice:
    """Returns some rows of a table, with their share of all ways."""
    ways = [table.ways[row] for row in rows]
    return TableSlice(JointTable(ways), rows, Fraction(sum(ways), whole))


def _paired(one: JointTable, other: JointTable) -> tuple[JointTable, Rows, Rows]:
    """Returns the table of all pairs of rows, and for each pair its row in either table."""
    both = JointTable([left * right for left in one.ways for right in other.ways])
    wide = len(other.ways)
    return both, [row for row in range(len(one.ways)) for _ in range(wide)], list(range(wide)) * len(one.ways)
