"""Numbers that hang on dice which nobody has thrown yet.

The rules are run once with such numbers in the place of faces. Whatever is only added, compared or carried along stays
open; only where the rules take one way or another is the matter split, and each part goes its own way. So an attack
of one hundred-sided die against another is decided some twenty times, not ten thousand, and nothing is guessed:

- A `Table` has rows, each with the number of ways in which it falls: first the throws of one roll, later what is left
  of them, or pairs of rows of two tables. An `Unthrown` is a column: one value for each row.
- An `if` on an unthrown number splits the rows of its table; so does everything that needs the number itself (an
  index, a range).
- What can do with no unthrown number at all (a dictionary, a cached function) is found out, and decided again with
  the number settled, one way for each value.
- In text an unthrown number leaves a mark. Reasons may have marks; where one comes up in anything that counts, it is
  decided again with that number settled.
"""

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import repeat
from math import ceil, floor
from typing import Any, TypeVar

from replays.chances.faces import TooMany

T = TypeVar("T")

_PAIRS = 20_000
"""Rows of two tables are paired up to so many pairs; beyond, the number with fewer values is settled."""
_RUN = 10_000
"""Rows that are reckoned with in the time of a run."""
_RESTARTS = 30
_MARK = re.compile("\ue000\\d+\ue001")


_NUMBER = re.compile("\ue000\\d+\ue001|\\d+")


class Settle(BaseException):
    """This number has to be known. No rule may catch it."""

    def __init__(self, number: "Unthrown") -> None:
        super().__init__()
        self.number = number


class Table:
    """Rows, each with the number of ways in which it falls."""

    __slots__ = ("ways",)

    def __init__(self, ways: list[int]) -> None:
        self.ways = ways


class Path:
    """One way through what is decided: the parts that were taken, and what became of the tables."""

    def __init__(self, choices: list[int]) -> None:
        self.choices = choices
        self.widths: list[int] = []
        self.share = Fraction(1)
        """How likely it is that things go this way."""
        self.moved: dict[Table, tuple[Table, list[int]]] = {}
        self.marks: dict[str, Unthrown] = {}
        self.born = 0
        self._seen: dict[int, tuple[Unthrown, Table, list[Any]]] = {}

    def column(self, number: "Unthrown") -> tuple[Table, list[Any]]:
        """The table on which a number hangs here, and its values by row."""
        _, table, values = self._seen.get(id(number), (number, number.table, number.values))
        if table not in self.moved:
            return table, values
        while table in self.moved:
            table, rows = self.moved[table]
            values = [values[row] for row in rows]
        self._seen[id(number)] = number, table, values
        return table, values

    def split(self, table: Table, keys: list[Any]) -> Any:
        """Take one part of a table: the rows of one key; returns it."""
        parts = _parts(keys)
        if len(parts) == 1:
            return next(iter(parts))
        place = len(self.widths)
        if place == len(self.choices):
            self.choices.append(0)
        self.widths.append(len(parts))
        key = list(parts)[self.choices[place]]
        part = Table([table.ways[row] for row in parts[key]])
        self.share *= Fraction(sum(part.ways), sum(table.ways))
        self.moved[table] = part, parts[key]
        return key

    def paired(self, one: Table, other: Table) -> None:
        """Make one table of two."""
        wide = len(other.ways)
        both = Table([left * right for left in one.ways for right in other.ways])
        self.moved[one] = both, [row for row in range(len(one.ways)) for _ in range(wide)]
        self.moved[other] = both, list(range(wide)) * len(one.ways)


def _parts(keys: list[Any]) -> dict[Any, list[int]]:
    """The rows of each key, in the order in which they come first."""
    if type(keys[0]) is bool:
        found = {truth: [row for row, key in enumerate(keys) if key is truth] for truth in (keys[0], not keys[0])}
        return found if found[not keys[0]] else {keys[0]: found[keys[0]]}
    parts: dict[Any, list[int]] = {}
    for row, key in enumerate(keys):
        parts.setdefault(key, []).append(row)
    return parts


class Chances:
    """Runs what decides, once for each way it can go.

    Args:
        budget: So many runs at most; reckoning with long tables counts as runs, too.

    Attributes:
        runs: How many there were.
    """

    def __init__(self, budget: int) -> None:
        self.path = Path([])
        self.runs = 0
        self._budget = self._left = budget * _RUN
        self._solid: set[int] = set()
        self._exploring = 0

    def number(self, table: Table, values: list[Any]) -> Any:
        """A number that hangs on a table; itself where all rows agree."""
        self._left -= len(values)  # what is spent here is asked for at the next run
        if values.count(values[0]) == len(values):
            return values[0]
        born, self.path.born = self.path.born, self.path.born + 1
        if born in self._solid:
            return self.path.split(table, values)
        return Unthrown(self, table, values, (self._exploring, born))

    def spend(self, rows: int) -> None:
        """Use some of the budget.

        Args:
            rows: So many are reckoned with.

        Raises:
            TooMany: There is not so much left.
        """
        self._left -= rows
        if self._left < 0:
            raise TooMany(f"more than {self._budget // _RUN} ways")

    def open(self, table: Table, values: list[Any]) -> Any:
        """A number to begin with; itself where all rows agree."""
        return values[0] if values.count(values[0]) == len(values) else Unthrown(self, table, values, (0, 0))

    def explore(self, action: Callable[[Callable[[Any], Any]], T], check: Callable[[T], str]) -> list[tuple[T, Path]]:
        """Run something on all its ways.

        Args:
            action: What decides. It is given a function that settles what has to be known of what it begins with.
            check: Finds a text in the result that must not have marks, and has; else empty.

        Returns:
            Each result, with its path.

        Raises:
            TooMany: It takes more runs than the budget has.
        """
        self._exploring, self._solid = self._exploring + 1, set()
        known: list[Unthrown] = []
        for _ in range(_RESTARTS):
            try:
                return self._ways(lambda: action(self._settling(known)), check)
            except Settle as settle:
                exploring, born = settle.number.born
                if exploring == self._exploring:
                    self._solid.add(born)
                else:
                    known.append(settle.number)
            except TooMany:
                raise
            except Exception:  # a rule that can do nothing with an open number; if it fails without one, it says so
                break
        return self._ways(lambda: action(self.settled), check)

    def settled(self, number: Any) -> Any:
        """The value of a number on this path."""
        return self.path.split(*self.path.column(number)) if type(number) is Unthrown else number

    def _settling(self, known: list["Unthrown"]) -> Callable[[Any], Any]:
        if not known:
            return as_it_is
        return lambda number: self.settled(number) if any(number is each for each in known) else number

    def _ways(self, action: Callable[[], T], check: Callable[[T], str]) -> list[tuple[T, Path]]:
        found, choices = list[tuple[T, Path]](), list[int]()
        while True:
            self.runs += 1
            self.spend(_RUN)
            self.path = path = Path(choices)
            result = action()
            marked = check(result) if path.marks else ""
            if marked:
                raise Settle(path.marks[marked])
            found.append((result, path))
            choices = path.choices[: len(path.widths)]
            while choices and choices[-1] + 1 == path.widths[len(choices) - 1]:
                choices.pop()
            if not choices:
                return found
            choices[-1] += 1


def as_it_is(number: Any) -> Any:
    """Nothing has to be known."""
    return number


def mark_in(text: str) -> str:
    """The first mark of a text; empty where it has none."""
    found = _MARK.search(text) if "\ue000" in text else None
    return found[0] if found else ""


def unmarked(text: str) -> str:
    """A text for people, with dots for its marks."""
    return _MARK.sub("…", text) if "\ue000" in text else text


def numberless(text: str) -> str:
    """A text whose numbers, thrown or not, are all alike."""
    return _NUMBER.sub("#", text)


class Unthrown:
    """A number, or the truth of a comparison, that hangs on dice. It passes for an ``int`` (or ``bool``)."""

    __slots__ = ("_chances", "born", "table", "values")

    def __init__(self, chances: Chances, table: Table, values: list[Any], born: tuple[int, int]) -> None:
        self._chances = chances
        self.table = table
        self.values = values
        self.born = born

    @property
    def __class__(self) -> type:
        return type(self.values[0])

    @__class__.setter
    def __class__(self, _: type) -> None: ...

    # -------------------------------------------------------------------------------------------- reckoning on

    def _with(self, other: Any, of: Callable[[Any, Any], Any], *, first: bool = True) -> Any:
        path = self._chances.path
        table, mine = path.column(self)
        theirs: Iterable[Any] = repeat(other)
        if type(other) is Unthrown:
            table, mine, theirs = self._beside(other)
        pairs = (mine, theirs) if first else (theirs, mine)
        return self._chances.number(table, list(map(of, *pairs)))

    def _beside(self, other: "Unthrown") -> tuple[Table, Iterable[Any], Iterable[Any]]:
        """Both numbers on one table; one of them is settled, where that would be too long."""
        path = self._chances.path
        (table, mine), (second, theirs) = path.column(self), path.column(other)
        if second is not table:
            if len(mine) * len(theirs) > _PAIRS:
                path.split(*(path.column(self) if len(set(mine)) <= len(set(theirs)) else path.column(other)))
            else:
                path.paired(table, second)
            (table, mine), (second, theirs) = path.column(self), path.column(other)
        if second is table:
            return table, mine, theirs
        if mine.count(mine[0]) == len(mine):
            return second, repeat(mine[0]), theirs
        return table, mine, repeat(theirs[0])

    def _alone(self, of: Callable[[Any], Any]) -> Any:
        table, values = self._chances.path.column(self)
        return self._chances.number(table, list(map(of, values)))

    def __neg__(self) -> Any:
        return self._alone(operator.neg)

    def __pos__(self) -> Any:
        return self._alone(operator.pos)

    def __abs__(self) -> Any:
        return self._alone(abs)

    def __ceil__(self) -> Any:
        return self._alone(ceil)

    def __floor__(self) -> Any:
        return self._alone(floor)

    def __round__(self, digits: int | None = None) -> Any:
        return self._alone(lambda value: round(value, digits))

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other  # type: ignore[operator]

    # -------------------------------------------------------------------------------------------- being known

    def __bool__(self) -> bool:
        table, values = self._chances.path.column(self)
        return bool(self._chances.path.split(table, list(map(bool, values))))

    def __index__(self) -> int:
        return int(self._chances.settled(self))

    __int__ = __index__

    def __float__(self) -> float:
        return float(self._chances.settled(self))

    def __hash__(self) -> int:
        raise Settle(self)  # nobody may remember it, nor anything under it

    # -------------------------------------------------------------------------------------------- being told

    def __format__(self, _: str) -> str:
        marks = self._chances.path.marks
        mark = f"\ue000{len(marks)}\ue001"
        marks[mark] = self
        return mark

    def __str__(self) -> str:
        raise Settle(self)  # a word that is compared; sentences are formatted

    def __getattr__(self, _: str) -> Any:
        raise Settle(self)


def _operators() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in ("add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "and_", "or_", "xor"):
        of, bare = getattr(operator, name), name.rstrip("_")
        yield f"__{bare}__", lambda self, other, of=of: self._with(other, of)
        yield f"__r{bare}__", lambda self, other, of=of: self._with(other, of, first=False)
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        of = getattr(operator, name)
        yield f"__{name}__", lambda self, other, of=of: self._with(other, of)


for _name, _method in _operators():
    setattr(Unthrown, _name, _method)
