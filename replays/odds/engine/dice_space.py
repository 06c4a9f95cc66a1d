"""Enumerates the throws of dice, each with its number of ways.

Few dice with few faces are enumerated in the order in which they are thrown. Larger pools are enumerated as sorted
faces, because all our games read pools of like dice together, by sums and counts. Dice that are divided (``2d10/2``)
may be read separately, so they are always enumerated in order.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

from ledger.dice import highest, lowest, parse

Faces = tuple[int, ...]
_IN_ORDER = 1000
"""Up to this many throws are enumerated in order."""


class TooMany(Exception):
    """There are more cases than the budget allows."""


def ways(notation: str, most: int) -> list[tuple[Faces, int]]:
    """Returns every throw with its number of ways.

    Args:
        notation: The dice, such as ``3d6+2``.
        most: The maximal number of throws.

    Raises:
        TooMany: There are more.

    >>> ways("2d6", 100)[:2], len(ways("10d6", 5000))
    ([((1, 1), 1), ((1, 2), 1)], 3003)
    """
    if _count(notation) > most:
        raise TooMany(f"{notation} has more than {most} throws")
    return _all(notation)


def throw(notation: str, below: Callable[[int], int]) -> Faces:
    """Returns one random throw.

    Args:
        notation: The dice.
        below: Returns a uniformly random number from 0 to below its argument.
    """
    return tuple(lowest(sides) + below(highest(sides) - lowest(sides) + 1) for sides in parse(notation).sides)


def _is_in_order(notation: str) -> bool:
    dice = parse(notation)
    return dice.divide != 1 or prod(dice.sides) <= _IN_ORDER


def _count(notation: str) -> int:
    dice = parse(notation)
    if _is_in_order(notation):
        return prod(dice.sides)
    return prod(comb(count + sides - 1, count) for count, sides in dice.groups)


@lru_cache(maxsize=64)
def _all(notation: str) -> list[tuple[Faces, int]]:
    if _is_in_order(notation):
        return [(faces, 1) for faces in product(*(_faces(sides) for sides in parse(notation).sides))]
    groups = [list(_sorted(count, sides)) for count, sides in parse(notation).groups]
    return [
        (tuple(face for faces, _ in chosen for face in faces), prod(number for _, number in chosen))
        for chosen in product(*groups)
    ]


def _faces(sides: int) -> range:
    return range(lowest(sides), highest(sides) + 1)


def _sorted(count: int, sides: int) -> Iterator[tuple[Faces, int]]:
    for faces in combinations_with_replacement(_faces(sides), count):
        yield faces, factorial(count) // prod(map(factorial, Counter(faces).values()))
