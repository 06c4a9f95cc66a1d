"""Applies rows of a modifiers table."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from ledger.events import ModifierApplied


class Situation(Protocol):
    """A row of a modifiers table."""

    @property
    def name(self) -> str:
        """Name of the circumstance.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """

    @property
    def value(self) -> int:
        """Value of the modifier.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """

    @property
    def group(self) -> str:
        """Group of rows of which only one counts; empty for none.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """

    @property
    def source(self) -> str:
        """Citation.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """


def applied(key: str, situations: Iterable[Situation]) -> Iterator[ModifierApplied]:
    """Yields the modifiers of rows; only the first row of a group counts.

    Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
    """
    counted: set[str] = set()
    for row in situations:
        if row.group not in counted:
            counted |= {row.group} - {""}
            yield ModifierApplied(key, row.value, row.name, row.source)


class Applying:
    """Applies rows of a modifiers table by their names.

    Args:
        rows: The edition's modifiers table.
    """

    def __init__(self, rows: Mapping[str, Situation]) -> None:
        self._rows = rows

    def __call__(self, key: str, name: str, times: int = 1) -> ModifierApplied:
        """Returns the modifier of a row, multiplied."""
        row = self._rows[name]
        return ModifierApplied(key, row.value * times, row.name, row.source)
