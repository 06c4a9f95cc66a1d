"""Rows of the modifiers tables that hold."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from ledger.events import ModifierApplied


class Situation(Protocol):
    """A row of a modifiers table."""

    @property
    def name(self) -> str:
        """What holds.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """

    @property
    def value(self) -> int:
        """What it adds.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """

    @property
    def group(self) -> str:
        """Those of which only one counts; empty for none.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """

    @property
    def source(self) -> str:
        """Where it is printed.

        Source: EP1 193 Combat Modifiers; EP2 12/01 Combat Modifiers
        """


def applied(key: str, situations: Iterable[Situation]) -> Iterator[ModifierApplied]:
    """Their modifiers; of those of one group only the first counts.

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
        rows: Of the edition's table.
    """

    def __init__(self, rows: Mapping[str, Situation]) -> None:
        self._rows = rows

    def __call__(self, key: str, name: str, times: int = 1) -> ModifierApplied:
        """The modifier of a row, so many times."""
        row = self._rows[name]
        return ModifierApplied(key, row.value * times, row.name, row.source)
