"""Words that a game uses in its events, by what they mean; readers of events know them by these alone."""

from functools import cached_property

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """A word for how a test came out."""

    word: str
    is_success: bool = False


class Sums(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Names of the figures that the sum of a roll is made of."""

    start: str = "base"
    """What the sum begins with, before modifiers."""
    total: str = "target"
    """What the parts add up to: a number to roll under, dice to throw, a bonus to the dice."""
    against: str = "target"
    """What the dice are held against; it may be the sum itself."""
    parts: tuple[str, ...] = ("dice",)
    """Further figures that are parts of a sum: how their names begin, up to a colon."""
    degree: str = "degree"
    """Says in words how well a test went, in the place of its margin."""
    is_added: bool = False
    """Is the sum added to the dice? Then what a test came to tells of its parts."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The figures against which a roll is read, each once."""
        return tuple(dict.fromkeys((self.start, self.against, self.total)))

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """The same, but for what the sum begins with."""
        return tuple(dict.fromkeys((self.against, self.total)))

    @property
    def is_told_by_tests(self) -> bool:
        """Does a test tell of the parts of its sum?"""
        return self.is_added or self.total == self.against

    def is_of_one(self, name: str) -> bool:
        """Is this figure a part of a sum, or the sum?"""
        return name in self.names or self.is_further(name)

    def is_further(self, name: str) -> bool:
        """Is it one of the further parts, such as ``dice: claws``?"""
        first, colon, _ = name.partition(":")
        return bool(colon) and first in self.parts


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of declarations, by their roles."""

    at: str = "at"
    """Names at whom the action is aimed: one, or several."""
    deed: str = "what"
    """Says in free words what somebody does; the declaration is told by it."""
    things: tuple[str, ...] = ("using", "also", "weapon", "reload")
    """Name things, also where a combatant has the same name."""
    written: tuple[str, ...] = ("spell", "spells")
    """Name nobody, beside the deed."""


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The words of one game."""

    outcomes: tuple[Outcome, ...] = ()
    """Of a test."""
    counters: tuple[str, ...] = ()
    """What is counted of somebody beside tracks, such as ``wounds``."""
    sums: Sums = Sums()
    terms: Terms = Terms()
    places: tuple[str, ...] = ("location", "specific target")
    """Figures that say where somebody was hit."""
    untold: tuple[str, ...] = ("score",)
    """Figures that another event repeats, so that no story tells them."""
    endings_told: tuple[str, ...] | None = None
    """Kinds of declarations whose outcome a story tells; None: all."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words for a test's outcome."""
        return tuple(each.word for each in self.outcomes)

    @cached_property
    def _good(self) -> frozenset[str]:
        return frozenset(each.word for each in self.outcomes if each.is_success)

    def is_success(self, outcome: str) -> bool:
        """Is this the word for a success?"""
        return outcome in self._good

    def tells_ending(self, kind: str) -> bool:
        """Does a story tell how a declaration of this kind ended?"""
        return self.endings_told is None or kind in self.endings_told


USUAL = Vocabulary(counters=("wounds", "traumas"))
"""The usual words: those of a record whose game is not installed."""
