"""The vocabulary of a game: the words in its events, by meaning. Code outside the rulesets compares no other words."""

from collections.abc import Mapping
from functools import cached_property

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """A word for the outcome of a test."""

    word: str
    is_success: bool = False


class Sums(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The names of the figures that make up the sum of a roll."""

    start: str = "base"
    """The figure that the sum starts with, before modifiers."""
    total: str = "target"
    """The figure that is the sum: a number to roll under, a number of dice, a bonus to the dice."""
    against: str = "target"
    """The figure that the result is compared with; may be the sum itself."""
    parts: tuple[str, ...] = ("dice",)
    """Further figures that are parts of a sum: the prefixes of their names, up to a colon."""
    degree: str = "degree"
    """The figure that states the quality of a result in words, in place of a margin."""
    is_added: bool = False
    """Whether the sum is added to the dice, so that the result of a test discloses its parts."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The figures that a roll is compared with or built from, each once."""
        return tuple(dict.fromkeys((self.start, self.against, self.total)))

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """The same figures without the start of the sum."""
        return tuple(dict.fromkeys((self.against, self.total)))

    @property
    def is_disclosed_by_tests(self) -> bool:
        """Whether the result of a test discloses the parts of its sum."""
        return self.is_added or self.total == self.against

    def is_of_one(self, name: str) -> bool:
        """Returns whether a figure is a sum or a part of one."""
        return name in self.names or self.is_further(name)

    def is_further(self, name: str) -> bool:
        """Returns whether a figure is one of the further parts, such as ``dice: claws``."""
        first, colon, _ = name.partition(":")
        return bool(colon) and first in self.parts


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The names of fields of declarations, by role."""

    at: str = "at"
    """The field with the target or targets."""
    distance: str = "distance"
    """The field with the distance of the target."""
    unit: str = "m"
    """The unit of that distance."""
    deed: str = "what"
    """The field with a free description of the action, which the narration quotes."""
    things: tuple[str, ...] = ("using", "also", "weapon", "reload")
    """The fields that name things, even if a combatant has the same name."""
    written: tuple[str, ...] = ("spell", "spells")
    """Further fields that never name a combatant, beside the description."""


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The vocabulary of one game."""

    outcomes: tuple[Outcome, ...] = ()
    """The outcomes of tests."""
    counters: tuple[str, ...] = ()
    """The counters of a combatant beside tracks, such as ``wounds``."""
    down: tuple[str, ...] = ("dead", "unconscious")
    """The conditions that put a combatant out of the fight."""
    sums: Sums = Sums()
    terms: Terms = Terms()
    places: tuple[str, ...] = ("location", "specific target")
    """The figures with the location of a hit."""
    untold: tuple[str, ...] = ("score",)
    """The figures that narration omits because another event repeats them."""
    endings_told: tuple[str, ...] | None = None
    """The kinds of declarations whose outcome is narrated; None: all."""
    taken: Mapping[str, str] = {}
    """Words for what is taken of a track, where the name of the track is read as what is left, such as hit points."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words for the outcomes of tests."""
        return tuple(each.word for each in self.outcomes)

    @cached_property
    def _good(self) -> frozenset[str]:
        return frozenset(each.word for each in self.outcomes if each.is_success)

    def is_success(self, outcome: str) -> bool:
        """Returns whether an outcome is a success."""
        return outcome in self._good

    def harm(self, track: str) -> str:
        """Returns the words for what is taken of a track."""
        return self.taken.get(track, track.replace("_", " "))

    def tells_ending(self, kind: str) -> bool:
        """Returns whether the outcome of this kind of declaration is narrated."""
        return self.endings_told is None or kind in self.endings_told


USUAL = Vocabulary(counters=("wounds", "traumas"))
"""The default vocabulary, used for a log whose ruleset is not installed."""
