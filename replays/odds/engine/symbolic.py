"""Executes rules symbolically, with numbers that depend on dice which are not thrown yet.

The rules are run once with such numbers in place of faces. A number that is only added, compared or stored stays open.
The execution is split only where the rules branch on it. So an attack of one hundred-sided die against another is
decided some twenty times instead of ten thousand times, and the result is exact:

* An `Unthrown` is a column of a table: one value for each row.
* An `if` on an unthrown number splits the rows of its table; so does every operation that needs the number itself (an
  index, a range).
* An operation that accepts no unthrown number (a dictionary, a cached function) is detected, and the decision is
  repeated with the number settled, one path for each value.
* In text an unthrown number leaves a mark. Reasons may contain marks; where a mark is found in a field that counts, the
  decision is repeated with that number settled.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import repeat
from math import ceil, floor, trunc
from typing import Any, TypeVar

from machines.contract.dice_reading import OpenNumber
from replays.odds.engine.dice_space import TooMany
from replays.odds.engine.joint_table import Column, JointTable, Reckoner

T = TypeVar("T")

_PAIRS = 20_000
"""The maximal number of rows of a joint table; beyond it, the number with fewer values is settled."""
_RUN = 10_000
"""The number of processed rows that count as one run."""
_PLAIN = frozenset({int, bool, float, str})
_RESTARTS = 30
_MARK = re.compile("\ue000\\d+\ue001")


_NUMBER = re.compile("\ue000\\d+\ue001|\\d+")


class Settle(BaseException):
    """A number must be settled. No rule may catch it."""

    def __init__(self, number: "Unthrown") -> None:
        super().__init__()
        self.number = number


class DecisionPath:
    """One path through a decision: the parts that were taken, and the split tables."""

    def __init__(self, choices: list[int], reckoner: Reckoner) -> None:
        self.choices = choices
        self.widths: list[int] = []
        self.share = Fraction(1)
        """Its probability."""
        self.marks: dict[str, Unthrown] = {}
        self.created = 0
        """The number of open numbers that were created on this path."""
        self._reckoner = reckoner
        self._moved: dict[JointTable, tuple[JointTable, list[int]]] = {}

    def column(self, number: "Unthrown") -> tuple[JointTable, Column]:
        """Returns the table that a number depends on here, and its values by row."""
        table, values = number.table, number.values
        while table in self._moved:
            table, rows = self._moved[table]
            values = self._reckoner.rows_of(values, rows)
        return table, values

    def split(self, table: JointTable, keys: Column) -> Any:
        """Takes one part of a table, the rows of one key; returns the key."""
        parts = self._reckoner.parts(table, keys)
        if len(parts) == 1:
            return next(iter(parts))
        place = len(self.widths)
        if place == len(self.choices):
            self.choices.append(0)
        self.widths.append(len(parts))
        key = list(parts)[self.choices[place]]
        self.share *= parts[key].share
        self._moved[table] = parts[key].table, parts[key].rows
        return key

    def pair(self, one: JointTable, other: JointTable) -> None:
        """Joins two tables into one."""
        both, rows, others = self._reckoner.paired(one, other)
        self._moved[one], self._moved[other] = (both, rows), (both, others)


class Chances:
    """Explores a decision: runs it once for each path.

    Args:
        budget: The maximal number of runs; arithmetic on long tables counts as runs, too.
        on_spending: Is called at each step of the work.

    Attributes:
        runs: The number of runs so far.
    """

    def __init__(self, budget: int, on_spending: Callable[[], None] | None = None) -> None:
        self._on_spending = on_spending
        self.reckoner = Reckoner()
        self.path = DecisionPath([], self.reckoner)
        self.runs = 0
        self._budget = self._left = budget * _RUN
        self._settled: set[int] = set()
        self._exploration = 0
        self._keeps_words_open = True

    def number(self, table: JointTable, values: list[Any]) -> Any:
        """Returns a number that depends on a table; a plain number where all rows agree."""
        if _all_equal(values):
            return values[0]
        ordinal, self.path.created = self.path.created, self.path.created + 1
        if ordinal in self._settled or (type(values[0]) is str and not self._keeps_words_open):
            return self.path.split(table, values)
        return Unthrown(self, table, values, (self._exploration, ordinal))

    def spend(self, rows: int) -> None:
        """Uses some of the budget.

        Args:
            rows: The number of processed rows.

        Raises:
            TooMany: The budget does not suffice.
        """
        if self._on_spending is not None:
            self._on_spending()
        self._left -= rows
        if self._left < 0:
            raise TooMany(f"more than {self._budget // _RUN} ways")

    def open(self, table: JointTable, values: list[Any]) -> Any:
        """Returns an initial number; a plain number where all rows agree."""
        return values[0] if _all_equal(values) else Unthrown(self, table, values, (0, 0))

    def explore(
        self, action: Callable[[Callable[[Any], Any]], T], check: Callable[[T], str]
    ) -> list[tuple[T, DecisionPath]]:
        """Runs an action on all its paths.

        Args:
            action: Makes the decision. It receives a function that settles those initial numbers that must be known.
            check: Returns a mark in a field of the result that must not have any; empty where there is none.

        Returns:
            Each result, with its path.

        Raises:
            TooMany: It takes more runs than the budget allows.
        """
        self._exploration, self._settled = self._exploration + 1, set()
        self.reckoner.forget()
        known: list[Unthrown] = []
        for _ in range(_RESTARTS):
            try:
                return self._ways(lambda: action(self._settling(known)), check)
            except Settle as settle:
                exploration, ordinal = settle.number.identity
                if exploration == self._exploration:
                    self._settled.add(ordinal)
                else:
                    known.append(settle.number)
            except TooMany:
                raise
            except Exception:  # a rule that cannot use an open word or number; a failure without one is raised below
                if not self._keeps_words_open:
                    break
                self._keeps_words_open = False
        return self._ways(lambda: action(self.settled), check)

    def settled(self, number: Any) -> Any:
        """Returns the value of a number on this path."""
        return self.path.split(*self.path.column(number)) if type(number) is Unthrown else number

    def _settling(self, known: list["Unthrown"]) -> Callable[[Any], Any]:
        if self._keeps_words_open and not known:
            return unchanged

        def settling(number: Any) -> Any:
            is_word = not self._keeps_words_open and type(number) is Unthrown and type(number.values[0]) is str
            return self.settled(number) if is_word or any(number is each for each in known) else number

        return settling

    def _ways(self, action: Callable[[], T], check: Callable[[T], str]) -> list[tuple[T, DecisionPath]]:
        found, choices = list[tuple[T, DecisionPath]](), list[int]()
        while True:
            self.runs += 1
            self.spend(_RUN + self.reckoner.rows)
            self.reckoner.rows = 0
            self.path = path = DecisionPath(choices, self.reckoner)
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


def _all_equal(values: list[Any]) -> bool:
    return bool(values[0] == values[-1]) and values.count(values[0]) == len(values)


def unchanged(number: Any) -> Any:
    """Returns a number unchanged; used in place of `Chances.settled` while no number must be known."""
    return number


def mark_in(text: str) -> str:
    """Returns the first mark in a text; empty where there is none."""
    found = _MARK.search(text) if "\ue000" in text else None
    return found[0] if found else ""


def unmarked(text: str) -> str:
    """Returns a text for display, with dots in place of marks."""
    return _MARK.sub("…", text) if "\ue000" in text else text


def numberless(text: str) -> str:
    """Returns a text with all numbers, thrown or not, replaced by the same sign."""
    return _NUMBER.sub("#", text)


class Unthrown(OpenNumber):
    """A number, or the truth of a comparison, that depends on dice. It passes for an ``int`` (or ``bool``)."""

    __slots__ = ("_chances", "identity", "table", "values")

    def __init__(self, chances: Chances, table: JointTable, values: list[Any], identity: tuple[int, int]) -> None:
        self._chances = chances
        self.table = table
        self.values = values
        self.identity = identity
        """The exploration that created it (0 for an initial number), and its ordinal on the path."""

    @property
    def __class__(self) -> type:
        return type(self.values[0])

    @__class__.setter
    def __class__(self, _: type) -> None: ...

    # -------------------------------------------------------------------------------------------- arithmetic

    def _with(self, other: Any, of: Callable[[Any, Any], Any], *, first: bool = True) -> Any:
        chances = self._chances
        if type(other) is Unthrown:
            return self._beside(other, of)
        table, mine = chances.path.column(self)
        if type(other) not in _PLAIN:
            return chances.number(table, list(map(of, mine, repeat(other)) if first else map(of, repeat(other), mine)))
        return chances.number(table, chances.reckoner.with_value(of, mine, other, first=first))

    def _beside(self, other: "Unthrown", of: Callable[[Any, Any], Any]) -> Any:
        """Applies an operation to two numbers on a joint table; settles one of them if the table would be too long."""
        chances, path = self._chances, self._chances.path
        (table, mine), (second, theirs) = path.column(self), path.column(other)
        if second is table:
            return chances.number(table, chances.reckoner.with_column(of, mine, theirs))
        if len(mine) * len(theirs) <= _PAIRS:
            path.pair(table, second)
            return self._beside(other, of)
        if len(set(mine)) <= len(set(theirs)):
            value = path.split(table, mine)
            return chances.number(second, chances.reckoner.with_value(of, theirs, value, first=False))
        value = path.split(second, theirs)
        return chances.number(table, chances.reckoner.with_value(of, mine, value, first=True))

    def apply(self, function: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        """Returns the value of a pure function; splits the rows by it where it is no number."""
        chances, given = self._chances, [*arguments, *options.values()]
        table = _joint(chances, given)
        if table is None:
            return function(*given[: len(arguments)], **dict(zip(options, given[len(arguments) :], strict=True)))
        columns = [chances.path.column(each)[1] if type(each) is Unthrown else None for each in given]
        results = chances.reckoner.applied(function, given, columns, tuple(options))
        return chances.number(table, results)

    def _alone(self, of: Callable[[Any], Any]) -> Any:
        table, values = self._chances.path.column(self)
        return self._chances.number(table, self._chances.reckoner.alone(of, values))

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

    def __trunc__(self) -> Any:
        return self._alone(trunc)

    def __round__(self, digits: int | None = None) -> Any:
        return self._alone(round) if digits is None else round(self.__index__(), digits)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    # -------------------------------------------------------------------------------------------- settling

    def __bool__(self) -> bool:
        path = self._chances.path
        table, values = path.column(self)
        return bool(path.split(table, self._chances.reckoner.alone(bool, values)))

    def __index__(self) -> int:
        return int(self._chances.settled(self))

    __int__ = __index__

    def __float__(self) -> float:
        return float(self._chances.settled(self))

    def __hash__(self) -> int:
        raise Settle(self)  # it must not become a key

    # -------------------------------------------------------------------------------------------- text

    def __format__(self, _: str) -> str:
        marks = self._chances.path.marks
        mark = f"\ue000{len(marks)}\ue001"
        marks[mark] = self
        return mark

    def __str__(self) -> str:
        raise Settle(self)  # str() makes compared words; sentences are formatted

    def __getattr__(self, _: str) -> Any:
        raise Settle(self)


def _joint(chances: Chances, numbers: list[Any]) -> JointTable | None:
    """Joins the tables of open numbers into one; settles numbers, in place, where it would be too long.

    Returns:
        None where all numbers are settled.
    """
    path = chances.path
    while True:
        tables = list(dict.fromkeys(path.column(each)[0] for each in numbers if type(each) is Unthrown))
        if len(tables) < 2:
            return tables[0] if tables else None
        one, other = tables[:2]
        if len(one.ways) * len(other.ways) <= _PAIRS:
            path.pair(one, other)
            continue
        fewest = min((each for each in numbers if type(each) is Unthrown), key=lambda each: len(set(each.values)))
        numbers[:] = [chances.settled(each) if each is fewest else each for each in numbers]


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
