"""Parses dice notation and checks faces against it.

A hundred-sided die reads 00 to 99 (00 is zero); every other die reads 1 to its sides. There is no randomness here.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from ledger.errors import BadNotation, ImpossibleFace, WrongCount

_TERM = re.compile(r"([+-]?)([0-9]+)(?:d([0-9]+))?")
_NOTATION = re.compile(r"(?:[+-]?[0-9]+(?:d[0-9]+)?)(?:[+-][0-9]+(?:d[0-9]+)?)*(?:/0*[1-9][0-9]*)?")
_MOST_DICE = 1000
_LONGEST = 300
"""Characters of a notation; Python refuses to parse a number of any length."""
NO_DICE = "no_dice"
"""The option that is chosen for a roll of which no die is left."""


class Dice(msgspec.Struct, frozen=True):
    """Dice as a rulebook writes them: ``2d10+5``, ``3d10+2d6``, ``1d10/2``."""

    groups: tuple[tuple[int, int], ...]
    """Pairs of (how many, sides), in the order in which their faces are given."""
    add: int = 0
    """Added to the faces' sum."""
    divide: int = 1
    """Divides the sum; the ruleset decides how to round."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The number of sides of each die, in the order of the faces."""
        return tuple([sides for count, sides in self.groups for _ in range(count)])

    def __str__(self) -> str:
        text = "+".join(f"{count}d{sides}" for count, sides in self.groups)
        if self.add or not text:
            text += f"{self.add:+d}" if text else str(self.add)
        return text + (f"/{self.divide}" if self.divide != 1 else "")

    def plus(self, other: "Dice") -> "Dice":
        """Returns the sum of both; dice with the same number of sides become one group.

        >>> str(parse("2d10+5").plus(parse("1d10")))
        '3d10+5'
        """
        counts: dict[int, int] = {}
        for count, sides in self.groups + other.groups:
            counts[sides] = counts.get(sides, 0) + count
        groups = tuple((count, sides) for sides, count in counts.items())
        return Dice(groups, self.add + other.add, max(self.divide, other.divide))


@lru_cache(maxsize=4096)  # a longer text is refused
def parse(notation: str) -> Dice:
    """Parses dice notation.

    Args:
        notation: Such as ``1d100``, ``3d6+2``, ``14d6``, ``3d10+2d6+5``, ``1d10/2``.

    Raises:
        BadNotation: The text is not dice notation, has a die without sides, or has more than 1,000 dice.

    >>> parse("3d10+2d6+5").sides
    (10, 10, 10, 6, 6)
    """
    text = notation.replace(" ", "").replace("÷", "/").replace("−", "-")
    if len(notation) > _LONGEST:
        raise BadNotation(
            f"dice notation of {len(notation)} characters is too long",
            where="dice",
            accepts=f"up to {_LONGEST} characters",
        )
    if not _NOTATION.fullmatch(text):
        raise BadNotation(f"{notation!r} is not dice notation", where="dice", accepts="such as 1d100, 3d6+2, 1d10/2")
    body, _, divide = text.partition("/")
    groups, add = [], 0
    for sign, number, sides in _TERM.findall(body):
        if sides and sign != "-":
            groups.append((int(number), int(sides)))
        elif sides:
            raise BadNotation(f"dice cannot be subtracted: {notation!r}", where="dice", accepts="a sum of dice")
        else:
            add += -int(number) if sign == "-" else int(number)
    if sum(count for count, _ in groups) > _MOST_DICE or any(not s or not c for c, s in groups):
        raise BadNotation(f"{notation!r} cannot be thrown", where="dice", accepts="1 to 1,000 dice with sides")
    return Dice(tuple(groups), add, int(divide or 1))


def lowest(sides: int) -> int:
    """Returns the lowest face: 0 for a hundred-sided die, else 1."""
    return 0 if sides == 100 else 1


def highest(sides: int) -> int:
    """Returns the highest face: 99 for a hundred-sided die, else its number of sides."""
    return 99 if sides == 100 else sides


def read(notation: str, number: int) -> str:
    """Returns a result as text, the way players read it: for a single hundred-sided die with two digits.

    >>> read("1d100", 7), read("2d6", 7)
    ('07', '7')
    """
    sides = parse(notation).sides if notation else ()
    digits = 2 if len(sides) == 1 and lowest(sides[0]) == 0 else 1
    return f"{number:0{digits}d}"


def check(notation: str, faces: Sequence[int]) -> tuple[int, ...]:
    """Checks that these dice can show these faces.

    Returns:
        The faces as a tuple.

    Raises:
        WrongCount: The number of faces is not the number of dice.
        ImpossibleFace: A die has no such face; ``100`` is impossible on a d100, which reads 00 to 99.

    >>> check("1d100", [0])
    (0,)
    """
    sides = parse(notation).sides
    if len(faces) != len(sides):
        raise WrongCount(
            f"{notation} takes {len(sides)} face(s), {len(faces)} were given", where="faces", accepts=f"{len(sides)}"
        )
    for face, of in zip(faces, sides, strict=True):
        if not lowest(of) <= face <= highest(of):
            accepts = f"{lowest(of)} to {highest(of)}" + ("; 00 for 100" if face == of == 100 else "")
            raise ImpossibleFace(f"a d{of} has no face {face}", where="faces", accepts=accepts)
    return tuple(faces)
