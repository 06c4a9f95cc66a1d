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
    homes: Mapping[str, tuple[str, str]] = {}
    """Of this exchange's figures that outlive it: (scope, who)."""

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

    def of(self, who: str, name: str) -> Figure | None:
        """A figure of somebody's that outlives exchanges, while it holds."""
        full = f"{who} {name}"
        return next((scope[full] for scope in self.lasting.values() if full in scope), None)


def _found(figures: Figures, event: FigureFound) -> Figures:
    full = f"{event.key} {event.name}"
    exchange = {**figures.exchange, full: event.value}
    if event.scope == "exchange":
        return Figures(exchange, figures.lasting, figures.homes)
    lasting = _lasting(figures, event.scope, f"{event.who} {event.name}", event.value)
    return Figures(exchange, lasting, {**figures.homes, full: (event.scope, event.who)})


def _lasting(figures: Figures, scope: str, name: str, value: Figure) -> Mapping[str, Mapping[str, Figure]]:
    return {**figures.lasting, scope: {**figures.lasting.get(scope, {}), name: value}}


def _overruled(figures: Figures, event: Overruled) -> Figures:
    full = f"{event.key} {event.figure}"
    lasting = figures.lasting
    if full in figures.homes:
        scope, who = figures.homes[full]
        lasting = _lasting(figures, scope, f"{who} {event.figure}", event.gm_says)
    return Figures({**figures.exchange, full: event.gm_says}, lasting, figures.homes)


def _ended(figures: Figures, event: ExchangeEnded) -> Figures:
    inner = event.key + "/"
    kept = {name: value for name, value in figures.exchange.items() if not name.startswith((inner, event.key + " "))}
    return Figures(kept, figures.lasting, {full: home for full, home in figures.homes.items() if full in kept})


def _without(figures: Figures, who: str, *scopes: str) -> Figures:
    lasting = {
        scope: {n: v for n, v in values.items() if scope not in scopes or not n.startswith(who + " ")}
        for scope, values in figures.lasting.items()
    }
    return Figures(figures.exchange, lasting, figures.homes)


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
