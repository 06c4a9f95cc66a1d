"""How rules read dice: which throws they distinguish, and functions of faces that can be applied to all faces at once.

Odds run the rules on all throws of a roll. The fewer throws the rules distinguish, the fewer runs that takes.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

P = ParamSpec("P")
T = TypeVar("T")


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


class Stakes(msgspec.Struct, frozen=True):
    """What depends on a choice, as far as the rules can say when it is asked."""

    matters: bool = True
    """Whether an option other than the default could be better for the combatant, whatever dice follow."""
    standing: str = ""
    """How the roll stands, such as ``you are ahead: 47 beats 22``; empty if the rules do not say."""
