"""Bounds of figures: what the gamemaster may put in the place of a figure that the rules found."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import msgspec

from ledger.dice import parse
from ledger.errors import BadNotation
from ledger.events import FigureFound
from machines.contract.refusals import ImpossibleFigure
from projections.combat import Combat

Value = int | str
MOST = 1_000
"""The highest number of a figure that has no bound by the rules."""


class Bounds(Protocol):
    """What a figure may be."""

    def accepted(self, combat: Combat, found: FigureFound) -> str:
        """Describes the values that are possible."""

    def allows(self, value: Value, combat: Combat, found: FigureFound) -> bool:
        """Is this value possible? It is of the type of what was found."""


class Number(msgspec.Struct, frozen=True):
    """A whole number from a lowest to a highest."""

    low: int = 0
    high: int = MOST

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Names the lowest and the highest."""
        return f"a number from {self.low} to {self.high}"

    def allows(self, value: Value, _: Combat, __: FigureFound) -> bool:
        """Is it between them?"""
        return isinstance(value, int) and self.low <= value <= self.high


class Words(msgspec.Struct, frozen=True):
    """One of a closed set of words."""

    words: tuple[str, ...]

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Lists the words."""
        return ("; " if any("," in word for word in self.words) else ", ").join(self.words)

    def allows(self, value: Value, _: Combat, __: FigureFound) -> bool:
        """Is it one of them?"""
        return value in self.words


class Named(msgspec.Struct, frozen=True):
    """A word of a set that depends on the state of the fight: who takes part, which weapons there are."""

    words: Callable[[Combat, FigureFound], Iterable[str]]
    several: bool = False
    """May it be several of them, separated by commas, or none?"""

    def accepted(self, combat: Combat, found: FigureFound) -> str:
        """Lists the words."""
        listed = ", ".join(self.words(combat, found)) or "nothing"
        return f"some of {listed}" if self.several else listed

    def allows(self, value: Value, combat: Combat, found: FigureFound) -> bool:
        """Is it one of them, or several?"""
        words = tuple(self.words(combat, found))
        if not self.several:
            return value in words
        return not value or all(each in words for each in str(value).split(", "))


class Notation(msgspec.Struct, frozen=True):
    """Dice, or a plain number."""

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Shows a notation."""
        return "dice such as 2d10+2"

    def allows(self, value: Value, _: Combat, __: FigureFound) -> bool:
        """Can it be read as dice?"""
        try:
            parse(str(value))
        except BadNotation:
            return False
        return True


class Settled(msgspec.Struct, frozen=True):
    """A figure that repeats or follows from something else, which has to be changed instead."""

    instead: str

    def accepted(self, _: Combat, __: FigureFound) -> str:
        """Names what to change instead."""
        return self.instead

    def allows(self, _: Value, __: Combat, ___: FigureFound) -> bool:
        """Nothing is possible but what was found."""
        return False


def people(combat: Combat, _: FigureFound) -> tuple[str, ...]:
    """Lists the ids of all who are here, things among them."""
    return tuple(who for who, one in combat.roster.who.items() if one.here)


PERSON = Named(people)
PEOPLE = Named(people, several=True)
YES = Words(("yes",))
COUNT = Number(0, 100)
MODIFIED = Number(-MOST, MOST)
"""A sum that may come to less than nothing."""


OF_A_TEST = " of a test"
"""How the declaration of a test's figure ends where the same word is also another figure."""


def bounds_of(figures: Mapping[str, Bounds], name: str, *, test: bool = False) -> Bounds | None:
    """Returns the bounds that are declared for a figure: by its name, or by how it begins, followed by a ``*``."""
    if test and name + OF_A_TEST in figures:
        return figures[name + OF_A_TEST]
    if name in figures:
        return figures[name]
    begins = (each for each in figures if each.endswith("*") and name.startswith(each[:-1]))
    return next((figures[each] for each in begins), None)


def check(bounds: Bounds | None, combat: Combat, found: FigureFound, value: Value) -> None:
    """Refuse what a figure cannot be; what the rule found is always possible.

    Raises:
        ImpossibleFigure: With what is accepted.
    """
    is_number = isinstance(found.value, int)
    if type(value) is not type(found.value):
        kind = "a number" if is_number else "a word"
        accepts = bounds.accepted(combat, found) if bounds is not None else kind
        raise ImpossibleFigure(f"{found.name} is {kind}, here {found.value!r}", where="value", accepts=accepts)
    if bounds is not None and value != found.value and not bounds.allows(value, combat, found):
        accepts = bounds.accepted(combat, found)
        raise ImpossibleFigure(f"{found.name} cannot be {value!r}", where="value", accepts=accepts)
