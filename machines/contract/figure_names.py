"""Typed names of figures: a figure's name, its type and how long it holds, declared once and used to read and find it.

>>> ATTACKS_LEFT = FigureName("attacks left", int, scope="turn")
>>> ATTACKS_LEFT.found("r1/razor/a1", 2, "dual wielding", "B 105", who="razor").scope
'turn'
"""

from typing import Generic, TypeVar

import msgspec

from ledger.events import FigureFound
from projections.combat import Combat

V = TypeVar("V", int, str)


class FigureName(msgspec.Struct, Generic[V], frozen=True):
    """The name of one figure, with the type of its value.

    A figure of an exchange is read at its key, and one that outlives the exchange of its combatant. A figure that is
    not there reads as 0 or as the empty word, unless the reader states another default.
    """

    name: str
    type: type[V]
    scope: str = "exchange"
    """How long it holds: ``exchange``, ``phase``, ``turn``, ``round`` or ``combatant``."""

    def at(self, combat: Combat, key: str, default: V | None = None) -> V:
        """Returns the figure of this key in the current exchange."""
        value = combat.figures.exchange.get(f"{key} {self.name}")
        if isinstance(value, self.type):
            return value
        return self.type() if default is None else default

    def is_at(self, combat: Combat, key: str) -> bool:
        """Returns whether the current exchange has this figure at this key."""
        return f"{key} {self.name}" in combat.figures.exchange

    def keys(self, combat: Combat) -> list[str]:
        """Returns the keys at which the current exchange has this figure, in the order in which it was found."""
        ending = f" {self.name}"
        return [full.removesuffix(ending) for full in combat.figures.exchange if full.endswith(ending)]

    def of(self, combat: Combat, who: str, default: V | None = None) -> V:
        """Returns the figure of this combatant that outlives exchanges."""
        full = f"{who} {self.name}"
        for figures in combat.figures.lasting.values():
            value = figures.get(full)
            if isinstance(value, self.type):
                return value
        return self.type() if default is None else default

    def is_of(self, combat: Combat, who: str) -> bool:
        """Returns whether this combatant has this figure, as one that outlives exchanges."""
        return combat.figures.of(who, self.name) is not None

    def found(self, key: str, value: V, why: str, source: str, *, who: str = "") -> FigureFound:
        """Returns the event that records the figure."""
        return FigureFound(key, self.name, value, why, source, self.scope, who)

    def in_role(self, role: str) -> str:
        """Returns the name preceded by the role of the roll that it belongs to, as `Ruleset.own_figures` lists it."""
        return f"{role} {self.name}"


class FigureNames(msgspec.Struct, Generic[V], frozen=True):
    """Names of figures that begin alike: one for each weapon, target or source of stress.

    >>> FigureNames("fired: ", int, scope="round")["shotgun"].name
    'fired: shotgun'
    """

    prefix: str
    type: type[V]
    scope: str = "exchange"

    def __getitem__(self, rest: str) -> FigureName[V]:
        """Returns the name that ends with this."""
        return FigureName(self.prefix + rest, self.type, self.scope)

    def at(self, combat: Combat, key: str) -> list[V]:
        """Returns the figures of this key in the current exchange, in the order in which they were found."""
        begin = f"{key} {self.prefix}"
        values = (value for name, value in combat.figures.exchange.items() if name.startswith(begin))
        return [value for value in values if isinstance(value, self.type)]
