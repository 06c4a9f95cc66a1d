"""How rules read dice: which throws they distinguish, which counts suffice, and functions of all faces at once.

Odds run the rules on all throws of a roll. The fewer throws the rules distinguish, the fewer runs that takes.
A person may give counts in place of the faces (four hits and two ones, a total of eleven) where the rules read no more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

from ledger.dice import highest, lowest, parse
from ledger.errors import BadNotation
from machines.contract.refusals import CountNeeded, FacesNeeded, ImpossibleCount
from projections.rolls import TOTAL, Roll

P = ParamSpec("P")
T = TypeVar("T")


class DiceCount(msgspec.Struct, frozen=True):
    """A number that a person may give in place of the faces: their total, or how many are low or high enough."""

    name: str
    """Its name in the log: ``total``, ``hits``, ``ones``, ``sixes``."""
    from_face: int | None = None
    """The lowest face that is counted; None for the total, and if the lowest face of the die is counted."""
    to_face: int | None = None
    """The highest face that is counted; None for the total, and if the highest face of the die is counted."""
    is_needed: bool = True
    """Whether the rules cannot read the roll without it."""

    def is_known(self, roll: Roll) -> bool:
        """Returns whether a roll has the faces or this count.

        Args:
            roll: A roll with its dice.
        """
        return not roll.counts or self.name in roll.counts

    def of(self, roll: Roll) -> int:
        """Returns how many dice of a roll show one of the faces; 0 where only other counts were given.

        Args:
            roll: A roll with its dice.
        """
        if roll.counts:
            return roll.counts.get(self.name, 0)
        if self.to_face is not None:
            return sum(face <= self.to_face for face in roll.faces)
        return sum(face >= self.from_face for face in roll.faces) if self.from_face is not None else 0

    def faces(self, sides: int) -> frozenset[int]:
        """Returns the faces of a die that are counted; none for the total.

        Args:
            sides: The number of sides of the die.
        """
        low, high = lowest(sides), highest(sides)
        if self.to_face is not None:
            return frozenset(range(low, self.to_face + 1))
        return frozenset(range(self.from_face, high + 1)) if self.from_face is not None else frozenset()


THE_TOTAL = DiceCount(TOTAL)
"""The sum of the faces."""


class DiceReading(msgspec.Struct, frozen=True):
    """What rules read of the dice of a roll, apart from recording the faces.

    Throws that differ in nothing else must lead to the same events, except for the faces themselves. The contract of
    tests, `RulesetContract`, checks that.
    """

    order: bool = True
    """Whether it matters which of several dice shows a face."""
    summed: bool = False
    """Whether only the sum of all faces matters."""
    alike: tuple[tuple[int, ...], ...] = ()
    """Sets of faces that are never distinguished; other faces are."""
    counts: tuple[DiceCount, ...] = ()
    """The counts that a person may give in place of the faces, if not the sum alone is read."""

    @property
    def summary(self) -> tuple[DiceCount, ...]:
        """The counts that a person may give in place of the faces; none if the rules need every face."""
        return self.counts or ((THE_TOTAL,) if self.summed else ())


EACH = DiceReading()
"""Every die is read by itself."""
SUM = DiceReading(order=False, summed=True)
"""Only the sum of all faces is read."""
UNORDERED = DiceReading(order=False)
"""It is read how many dice show each face."""


# ------------------------------------------------------------------------------------------------ counts


def summary_of(notation: str, reading: DiceReading) -> tuple[DiceCount, ...]:
    """Returns the counts that suffice in place of the faces of a roll; none without dice, and for the sum of one die.

    Args:
        notation: The dice.
        reading: What is read of them.
    """
    dice = len(parse(notation).sides)
    is_one_die = dice == 1 and any(each.name == TOTAL for each in reading.summary)
    return () if not dice or is_one_die else reading.summary


def check_counts(notation: str, reading: DiceReading, counts: Mapping[str, int]) -> None:
    """Checks that counts suffice for a roll, and that its dice can show them.

    Args:
        notation: The dice.
        reading: What is read of them.
        counts: The counts by name.

    Raises:
        FacesNeeded: The rules read the faces.
        CountNeeded: A count is missing that the rules read.
        ImpossibleCount: There is no such count, or the dice cannot show it.
    """
    known = {each.name: each for each in summary_of(notation, reading)}
    if not parse(notation).sides:
        raise FacesNeeded(f"{notation} has no dice to be counted", where="counts", accepts="no faces")
    if not known:
        raise FacesNeeded(f"the rules read the faces of this {notation}", where="counts", accepts="its faces")
    names = ", ".join(known)
    for name in counts:
        if name not in known:
            raise ImpossibleCount(f"{name!r} is not counted on this {notation}", where=f"counts.{name}", accepts=names)
    for name, each in known.items():
        if each.is_needed and name not in counts:
            raise CountNeeded(f"the {name} of this {notation} are needed", where=f"counts.{name}", accepts=names)
    sides = parse(notation).sides
    _check_numbers(sides, [(known[name], count) for name, count in counts.items() if name != TOTAL])
    if TOTAL in counts:
        _check_total(notation, counts, known)


def _check_numbers(sides: Sequence[int], given: Sequence[tuple[DiceCount, int]]) -> None:
    """Rejects counts that no throw has: those of faces within others, and of different faces beside each other."""
    shown = [(each.faces(sides[0]), n) for each, n in given]
    outer = [(faces, n) for faces, n in shown if not any(faces < others for others, _ in shown)]
    for each, count in given:
        faces = each.faces(sides[0])
        within = [n for others, n in shown if others < faces]
        beside = [n for others, n in outer if not others & faces]
        least, most = max(within, default=0), len(sides) - sum(beside)
        if not least <= count <= most:
            problem = f"{len(sides)} dice cannot show {count} {each.name}" + (" beside the others" if beside else "")
            raise ImpossibleCount(problem, where=f"counts.{each.name}", accepts=f"{least} to {max(least, most)}")


def _check_total(notation: str, counts: Mapping[str, int], known: Mapping[str, DiceCount]) -> None:
    """Rejects a total that no throw with these counts has."""
    sides = parse(notation).sides
    ranges = [(lowest(each), highest(each)) for each in sides]
    low, high = sum(least for least, _ in ranges), sum(most for _, most in ranges)
    for name, count in counts.items():
        shown = known[name].faces(sides[0])
        if shown:
            others = [face for face in range(lowest(sides[0]), highest(sides[0]) + 1) if face not in shown]
            low = max(low, count * min(shown) + (len(sides) - count) * min(others))
            high = min(high, count * max(shown) + (len(sides) - count) * max(others))
    if not low <= counts[TOTAL] <= high:
        problem = f"the dice of {notation} cannot show a total of {counts[TOTAL]}"
        raise ImpossibleCount(problem, where=f"counts.{TOTAL}", accepts=f"{low} to {high}")


def counts_in_words(counts: Mapping[str, int], dice: str = "") -> str:
    """Returns counts of dice in words.

    Args:
        counts: The counts by name.
        dice: The dice; empty if they are not known. A forged record may have any text here, which is not counted.

    >>> counts_in_words({"hits": 4, "ones": 1}, "12d6"), counts_in_words({"total": 11}, "3d6")
    ('4 hits and 1 one of 12 dice', 'a total of 11 on 3d6')
    """
    if TOTAL in counts:
        parts = [f"a total of {counts[TOTAL]}", *_named({name: n for name, n in counts.items() if name != TOTAL})]
        return " and ".join(parts) + (f" on {dice}" if dice else "")
    many = _number_of(dice)
    of = (f" of {many} dice" if many != 1 else " of 1 die") if many else ""
    return " and ".join(_named(counts)) + of


def _number_of(dice: str) -> int:
    """Returns the number of dice of a notation; 0 for any other text."""
    try:
        return len(parse(dice).sides) if dice else 0
    except BadNotation:
        return 0


def _named(counts: Mapping[str, int]) -> Iterator[str]:
    for name, count in counts.items():
        singular = name[:-2] if name.endswith("xes") else name.removesuffix("s")
        yield f"{count} {singular if count == 1 else name}"


# ------------------------------------------------------------------------------------------------ dice not thrown yet


class OpenNumber:
    """A number that depends on dice which are not thrown yet."""

    __slots__ = ()

    def apply(self, function: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        """Returns the value of a pure function whose arguments include this number.

        Args:
            function: The function.
            arguments: Its arguments.
            options: Its keyword arguments.
        """
        raise NotImplementedError


def pure(function: Callable[P, T]) -> Callable[P, T]:
    """Marks a function whose result depends on nothing but its arguments: numbers and words by position.

    Where a number is not thrown yet, odds continue with each result once, whatever branches lead to it.
    """

    @wraps(function)
    def applied(*args: P.args, **kwargs: P.kwargs) -> T:
        for argument in args:
            if isinstance(argument, OpenNumber):
                result: T = argument.apply(function, args, kwargs)
                return result
        return function(*args, **kwargs)

    return applied


class Stakes(msgspec.Struct, frozen=True):
    """What depends on a choice, as far as the rules know it when it is asked."""

    matters: bool = True
    """Whether an option other than the default could be better for the combatant, whatever dice follow."""
    standing: str = ""
    """How the roll stands, such as ``you are ahead: 47 beats 22``; empty if the rules do not know."""
    is_ahead: bool = False
    """Whether the combatant prevails as it is, so that another option could only do more."""
