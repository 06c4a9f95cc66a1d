"""An itemized number: each part with its reason and its page."""

from collections.abc import Iterable

import msgspec


class Modifier(msgspec.Struct, frozen=True, array_like=True):
    """One part of a sum."""

    value: int
    """Signed, in the game's own steps."""
    why: str
    """The reason, in the words of the table: ``smartlink``, ``two wounds``."""
    source: str = ""
    """The page, or empty where the gamemaster said so."""


def listed(modifiers: Iterable[Modifier]) -> str:
    """Returns the parts as the end of a figure's reason, after what they are added to.

    >>> listed([Modifier(10, "smartlink"), Modifier(-20, "two wounds")])
    ' +10 smartlink -20 two wounds'
    """
    return "".join(f" {part.value:+d} {part.why}" for part in modifiers)


def total(modifiers: Iterable[Modifier]) -> int:
    """What the parts come to.

    >>> total([Modifier(10, "smartlink"), Modifier(-20, "two wounds")])
    -10
    """
    return sum(modifier.value for modifier in modifiers)
