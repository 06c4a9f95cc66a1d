"""How rules read dice: which throws they distinguish, and functions of faces that can be applied to all faces at once.

Odds run the rules on all throws of a roll. The fewer throws the rules distinguish, the fewer runs that takes.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

from ledger.dice import highest, lowest
from projections.rolls import TOTAL, Roll

P = ParamSpec("P")
T = TypeVar("T")


class Count(msgspec.Struct, frozen=True):
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


THE_TOTAL = Count(TOTAL)
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
    counts: tuple[Count, ...] = ()
    """The counts that a person may give in place of the faces, if not the sum alone is read."""

    @property
    def summary(self) -> tuple[Count, ...]:
        """The counts that a person may give in place of the faces; none if the rules need every face."""
        return self.counts or ((THE_TOTAL,) if self.summed else ())


EACH = DiceReading()
"""Every die is read by itself."""
SUM = DiceReading(order=False, summed=True)
"""Only the sum of all faces is read."""
UNORDERED = DiceReading(order=False)
"""It is read how many dice show each face."""


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
