"""Intermediate figures that the books name, by how long they hold."""

from collections.abc import Mapping

import msgspec

from ledger.events import (
    CombatEnded,
    ExchangeEnded,
    FigureFound,
    Overruled,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from projections.fold import Routes

Figure = int | str


class Figures(msgspec.Struct, frozen=True, gc=False):
    """Figures by ``key name``; those that outlive the exchange by ``who name``."""

    exchange: Mapping[str, Figure] = {}
    lasting: Mapping[str, Mapping[str, Figure]] = {}
    """By scope: ``phase``, ``turn``, ``round``, ``combatant``."""

    def number(self, key: str, name: str, default: int = 0) -> int:
        """A figure of the exchange, as a number."""
        value = self.exchange.get(f"{key} {name}", default)
        return value if isinstance(value, int) else default

    def word(self, key: str, name: str, default: str = "") -> str:
        """A figure of the exchange, as a word."""
        return str(self.exchange.get(f"{key} {name}", default))

    def holds(self, key: str, name: str) -> bool:
        """Was this figure found in the exchange?"""
        return f"{key} {name}" in self.exchange

    def of(self, who: str, name: str, default: int = 0) -> int:
        """A figure of somebody's that outlives exchanges."""
        for scope in self.lasting.values():
            value = scope.get(f"{who} {name}")
            if isinstance(value, int):
                return value
        return default


def _found(figures: Figures, event: FigureFound) -> Figures:
    if event.scope == "exchange":
        return Figures({**figures.exchange, f"{event.key} {event.name}": event.value}, figures.lasting)
    scope = {**figures.lasting.get(event.scope, {}), f"{event.who} {event.name}": event.value}
    exchange = {**figures.exchange, f"{event.key} {event.name}": event.value}
    return Figures(exchange, {**figures.lasting, event.scope: scope})


def _overruled(figures: Figures, event: Overruled) -> Figures:
    return Figures({**figures.exchange, f"{event.key} {event.figure}": event.gm_says}, figures.lasting)


def _ended(figures: Figures, event: ExchangeEnded) -> Figures:
    inner = event.key + "/"
    kept = {name: value for name, value in figures.exchange.items() if not name.startswith((inner, event.key + " "))}
    return Figures(kept, figures.lasting)


def _without(figures: Figures, who: str, *scopes: str) -> Figures:
    lasting = {
        scope: {n: v for n, v in values.items() if scope not in scopes or not n.startswith(who + " ")}
        for scope, values in figures.lasting.items()
    }
    return Figures(figures.exchange, lasting)


def _turn_ended(figures: Figures, event: TurnEnded) -> Figures:
    return _without(figures, event.who, "phase") if figures.lasting else figures


def _turn_began(figures: Figures, event: TurnBegan) -> Figures:
    return _without(figures, event.who, "turn") if figures.lasting else figures


def _round(figures: Figures, _: RoundBegan) -> Figures:
    return Figures({}, {scope: values for scope, values in figures.lasting.items() if scope != "round"})


def _over(figures: Figures, _: CombatEnded) -> Figures:
    return Figures({}, {scope: values for scope, values in figures.lasting.items() if scope == "combatant"})


ROUTES: Routes = {
    FigureFound: _found, Overruled: _overruled, ExchangeEnded: _ended, TurnEnded: _turn_ended,
    TurnBegan: _turn_began, RoundBegan: _round, CombatEnded: _over,
}  # fmt: skip
