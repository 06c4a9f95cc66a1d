"""Modifiers: the parts of an itemized sum, each with its reason and its source."""

from collections.abc import Iterable

import msgspec


class Modifier(msgspec.Struct, frozen=True, array_like=True):
    """One part of a sum."""

    value: int
    """The signed amount, in the unit of the game."""
    why: str
    """The reason in the words of the rulebook's table: ``smartlink``, ``two wounds``."""
    source: str = ""
    """The page; empty if the gamemaster set the modifier."""


def listed(modifiers: Iterable[Modifier]) -> str:
    """Returns the modifiers as text, to append to the reason of the figure that they change.

    >>> listed([Modifier(10, "smartlink"), Modifier(-20, "two wounds")])
    ' +10 smartlink -20 two wounds'
    """
    return "".join(f" {part.value:+d} {part.why}" for part in modifiers)


def total(modifiers: Iterable[Modifier]) -> int:
    """Returns the sum of the modifiers.

    >>> total([Modifier(10, "smartlink"), Modifier(-20, "two wounds")])
    -10
    """
    return sum(modifier.value for modifier in modifiers)
