"""Bounds of figures: the values that the gamemaster may put in the place of a figure that the rules found."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import msgspec

from ledger.dice import parse
from ledger.errors import BadNotation
from ledger.events import FigureFound
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.refusals import ImpossibleFigure
from projections.combat import Combat

Value = int | str
MOST = 1_000
"""The highest number of a figure that has no bound by the rules."""


class Bounds(Protocol):
    """The values that a figure may have."""

    def accepted(self, combat: Combat, found: FigureFound) -> str:
        """Describes the possible values."""

    def allows(self, value: Value, combat: Combat, found: FigureFound) -> bool:
        """Returns whether a value is possible; it is of the type of the figure that was found."""


class Number(msgspec.Struct, frozen=True):
    """A whole number from a lowest to a highest."""

    low: int = 0
    high: int = MOST

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Names the lowest and the highest number."""
        return f"a number from {self.low} to {self.high}"

    def allows(self, value: Value, _: Combat, __: FigureFound) -> bool:
        """Returns whether a value is a number between them."""
        return isinstance(value, int) and self.low <= value <= self.high


class Words(msgspec.Struct, frozen=True):
    """One of a fixed set of words."""

    words: tuple[str, ...]

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Lists the words."""
        return ("; " if any("," in word for word in self.words) else ", ").join(self.words)

    def allows(self, value: Value, _: Combat, __: FigureFound) -> bool:
        """Returns whether a value is one of the words."""
        return value in self.words


class Named(msgspec.Struct, frozen=True):
    """A word of a set that depends on the state of the fight: the combatants, the weapons."""

    words: Callable[[Combat, FigureFound], Iterable[str]]
    several: bool = False
    """Whether a value may be several words, separated by commas, or none."""

    def accepted(self, combat: Combat, found: FigureFound) -> str:
        """Lists the words."""
        listed = ", ".join(self.words(combat, found)) or "nothing"
        return f"some of {listed}" if self.several else listed

    def allows(self, value: Value, combat: Combat, found: FigureFound) -> bool:
        """Returns whether a value is one of the words, or several where that is possible."""
        words = tuple(self.words(combat, found))
        if not self.several:
            return value in words
        return not value or all(each in words for each in str(value).split(", "))


class Notation(msgspec.Struct, frozen=True):
    """Dice, or a plain number."""

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Shows an example of the notation."""
        return "dice such as 2d10+2"

    def allows(self, value: Value, _: Combat, __: FigureFound) -> bool:
        """Returns whether a value can be read as dice."""
        try:
            parse(str(value))
        except BadNotation:
            return False
        return True


class Settled(msgspec.Struct, frozen=True):
    """A figure that repeats something else or follows from it: that has to be changed instead."""

    instead: str

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Names what to change instead."""
        return self.instead

    def allows(self, _: Value, __: Combat, ___: FigureFound) -> bool:
        """Returns False: only the value that was found is possible."""
        return False


def people(combat: Combat, _: FigureFound) -> tuple[str, ...]:
    """Returns the ids of the combatants who are present, including things."""
    return tuple(who for who, one in combat.roster.who.items() if one.here)


PERSON = Named(people)
PEOPLE = Named(people, several=True)
YES = Words(("yes",))
COUNT = Number(0, 100)
MODIFIED = Number(-MOST, MOST)
"""A sum that may be negative."""


OF_A_TEST = " of a test"
"""The ending that marks the bounds of a test's figure where another figure has the same name."""


class FigureOfTest(msgspec.Struct, frozen=True):
    """The name of a figure of every test, such as its margin: a field of the test, and no `FigureFound`."""

    name: str


AnyFigure = FigureName[int] | FigureName[str] | FigureNames[int] | FigureNames[str] | FigureOfTest


def bounds_by_name(bounds: Mapping[AnyFigure, Bounds]) -> Mapping[str, Bounds]:
    """Returns the bounds of a game's figures by their names; those of names that begin alike end with ``*``.

    Raises:
        ValueError: Two figures have the same name and different bounds.
    """
    found: dict[str, Bounds] = {}
    for figure, each in sorted(bounds.items(), key=lambda pair: isinstance(pair[0], FigureOfTest)):
        name = f"{figure.prefix}*" if isinstance(figure, FigureNames) else figure.name
        if isinstance(figure, FigureOfTest) and name in found:
            name += OF_A_TEST
        if found.setdefault(name, each) != each:
            raise ValueError(f"{name!r} has two bounds: {found[name]} and {each}")
    return found


def bounds_of(figures: Mapping[str, Bounds], name: str, *, test: bool = False) -> Bounds | None:
    """Returns the bounds of a figure: by its name, or by a beginning that ends with ``*``; None where it has none.

    Args:
        figures: The bounds, as made by `bounds_by_name`.
        name: The figure's name.
        test: Whether it is a figure of a test, such as its margin.
    """
    if test and name + OF_A_TEST in figures:
        return figures[name + OF_A_TEST]
    if name in figures:
        return figures[name]
    begins = (each for each in figures if each.endswith("*") and name.startswith(each[:-1]))
    return next((figures[each] for each in begins), None)


def check(bounds: Bounds | None, combat: Combat, found: FigureFound, value: Value) -> None:
    """Rejects a value that a figure cannot have; the value that the rules found is always possible.

    Raises:
        ImpossibleFigure: The value is out of bounds, or of another type; `accepts` describes the bounds.
    """
    is_number = isinstance(found.value, int)
    if type(value) is not type(found.value):
        kind = "a number" if is_number else "a word"
        accepts = bounds.accepted(combat, found) if bounds is not None else kind
        raise ImpossibleFigure(f"{found.name} is {kind}, here {found.value!r}", where="value", accepts=accepts)
    if bounds is not None and value != found.value and not bounds.allows(value, combat, found):
        accepts = bounds.accepted(combat, found)
        raise ImpossibleFigure(f"{found.name} cannot be {value!r}", where="value", accepts=accepts)
