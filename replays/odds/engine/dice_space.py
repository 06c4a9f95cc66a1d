"""Enumerates the throws of dice that rules distinguish, each with its number of ways.

The game declares what its rules distinguish (`Ruleset.reading`). A pool of twenty dice that are read as ones, hits and
sixes has 1,771 such throws, three dice that are added have 16.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

from ledger.dice import highest, lowest, parse
from machines.contract.dice_reading import EACH, DiceReading

Faces = tuple[int, ...]


class TooMany(Exception):
    """There are more cases than the budget allows."""


def ways(notation: str, most: int, reading: DiceReading = EACH) -> list[tuple[Faces, int]]:
    """Returns one throw of each kind that is distinguished, with its number of ways.

    Args:
        notation: The dice, such as ``3d6+2``.
        most: The maximal number of throws.
        reading: What is distinguished; by default every face of every die.

    Raises:
        TooMany: There are more.

    >>> from machines.contract.dice_reading import SUM
    >>> ways("2d6", 100)[:2], ways("2d6", 100, SUM)[:3]
    ([((1, 1), 1), ((1, 2), 1)], [((1, 1), 1), ((1, 2), 2), ((1, 3), 3)])
    """
    if _count(notation, reading) > most:
        raise TooMany(f"{notation} has more than {most} throws")
    return _all(notation, reading)


def throw(notation: str, below: Callable[[int], int]) -> Faces:
    """Returns one random throw.

    Args:
        notation: The dice.
        below: Returns a uniformly random number from 0 to below its argument.
    """
    return tuple(lowest(sides) + below(highest(sides) - lowest(sides) + 1) for sides in parse(notation).sides)


def _count(notation: str, reading: DiceReading) -> int:
    """Returns an upper bound of the number of throws that a reading distinguishes."""
    dice = parse(notation)
    if reading.summed:
        return sum(count * (sides - 1) for count, sides in dice.groups) + 1
    if reading.order:
        return prod(dice.sides)
    return prod(comb(count + len(_sets(sides, reading)) - 1, count) for count, sides in dice.groups)


@lru_cache(maxsize=64)
def _all(notation: str, reading: DiceReading) -> list[tuple[Faces, int]]:
    dice = parse(notation)
    if reading.summed:
        return _by_sum(dice.sides)
    if reading.order:
        return _in_order([_sets(sides, reading) for sides in dice.sides])
    groups = [list(_counted(count, _sets(sides, reading))) for count, sides in dice.groups]
    return [
        (tuple(face for faces, _ in chosen for face in faces), prod(number for _, number in chosen))
        for chosen in product(*groups)
    ]


def _sets(sides: int, reading: DiceReading) -> list[tuple[int, int]]:
    """Returns one face of each set of faces that are not distinguished, with the size of the set."""
    faces = range(lowest(sides), highest(sides) + 1)
    alike = [each for each in (tuple(face for face in faces if face in same) for same in reading.alike) if each]
    alone = [(face,) for face in faces if not any(face in same for same in alike)]
    return [(same[0], len(same)) for same in sorted([*alone, *alike])]


def _in_order(dice: list[list[tuple[int, int]]]) -> list[tuple[Faces, int]]:
    return [(tuple(face for face, _ in chosen), prod(size for _, size in chosen)) for chosen in product(*dice)]


def _counted(count: int, sets: list[tuple[int, int]]) -> Iterator[tuple[Faces, int]]:
    """Yields one throw for each combination of sets, with its number of ways (a multinomial coefficient)."""
    for chosen in combinations_with_replacement(sets, count):
        orders = factorial(count) // prod(map(factorial, Counter(chosen).values()))
        yield tuple(face for face, _ in chosen), orders * prod(size for _, size in chosen)


def _by_sum(dice: tuple[int, ...]) -> list[tuple[Faces, int]]:
    """Returns one throw for each sum, with its number of ways."""
    sums: dict[int, tuple[Faces, int]] = {0: ((), 1)}
    for sides in dice:
        more: dict[int, tuple[Faces, int]] = {}
        for total, (faces, number) in sums.items():
            for face in range(lowest(sides), highest(sides) + 1):
                first, before = more.get(total + face, ((*faces, face), 0))
                more[total + face] = first, before + number
        sums = more
    return [sums[total] for total in sorted(sums)]
