"""Rows of the modifiers tables that hold."""

from collections.abc import Iterable, Iterator
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
