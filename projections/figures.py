"""The figures that rules have found, by how long they are valid."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from ledger.events import (
    Audience,
    CombatEnded,
    ExchangeEnded,
    FigureFound,
    Overruled,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from projections.fold import Routes, outside
from projections.views.stand_ins import HIDDEN

Figure = int | str


class Figures(msgspec.Struct, frozen=True, gc=False):
    """Figures by ``key name``; those that outlive the exchange by ``who name``."""

    exchange: Mapping[str, Figure] = {}
    lasting: Mapping[str, Mapping[str, Figure]] = {}
    """By scope: ``phase``, ``turn``, ``round``, ``combatant``."""
    homes: Mapping[str, tuple[str, str]] = {}
    """Of this exchange's figures that outlive it: (scope, who)."""
    hidden: Mapping[str, Audience] = {}
    """Who may see each figure that is hidden from some: by ``key name``, lasting ones also by ``who name``."""

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

    def partly(self, key: str, goals: Iterable[str]) -> Figure | None:
        """Returns the value shown for the hidden parts of a roll's sum; None if no part or the whole sum is hidden.

        Args:
            key: Of the roll.
            goals: The figures against which it is read.
        """
        mine = self.hidden.get(f"{key} {HIDDEN}")
        whole = any(self.hidden.get(f"{key} {name}") != mine for name in goals if self.holds(key, name))
        return None if whole else self.exchange.get(f"{key} {HIDDEN}")

    def of(self, who: str, name: str) -> Figure | None:
        """Returns a valid figure of a combatant that outlives exchanges; None if there is none."""
        full = f"{who} {name}"
        for scope in self.lasting.values():
            if full in scope:
                return scope[full]
        return None


class Finding(msgspec.Struct, gc=False):
    """The working copy of `Figures`."""

    exchange: dict[str, Figure]
    lasting: dict[str, dict[str, Figure]]
    homes: dict[str, tuple[str, str]]
    hidden: dict[str, Audience]
    found: list[FigureFound]
    """The latest figures, which are not yet in the other fields."""


def thaw(figures: Figures) -> Finding:
    """Returns a working copy."""
    lasting = {scope: dict(values) for scope, values in figures.lasting.items()}
    return Finding(dict(figures.exchange), lasting, dict(figures.homes), dict(figures.hidden), [])


def collector(now: Finding) -> Callable[[FigureFound], None]:
    """Returns the function that collects one more figure in a working copy; it stays valid."""
    return now.found.append


def freeze(now: Finding) -> Figures:
    """Returns the projection of a working copy."""
    _add(now)
    return Figures(now.exchange, now.lasting, now.homes, now.hidden)


def _found(now: Finding, event: FigureFound) -> Finding:
    now.found.append(event)
    return now


def _add(now: Finding) -> None:
    """Adds the latest figures, together because a fifth of all events are figures."""
    exchange, hidden = now.exchange, now.hidden
    for event in now.found:
        full = f"{event.key} {event.name}"
        exchange[full] = event.value
        is_secret = event.seen_by is not None or bool(hidden)
        if is_secret:
            _keep(hidden, full, event.seen_by)
        if event.scope != "exchange":
            lasting = f"{event.who} {event.name}"
            if is_secret:
                _keep(hidden, lasting, event.seen_by)
            now.lasting.setdefault(event.scope, {})[lasting] = event.value
            now.homes[full] = event.scope, event.who
    now.found.clear()


def _keep(hidden: dict[str, Audience], full: str, seen_by: Audience) -> None:
    if seen_by is not None:
        hidden[full] = seen_by
    else:
        hidden.pop(full, None)


def _overruled(now: Finding, event: Overruled) -> Finding:
    _add(now)
    full = f"{event.key} {event.figure}"
    now.exchange[full] = event.gm_says
    if full in now.homes:
        scope, who = now.homes[full]
        now.lasting.setdefault(scope, {})[f"{who} {event.figure}"] = event.gm_says
    return now


def _ended(now: Finding, event: ExchangeEnded) -> Finding:
    key, inner, size = event.key, event.key + "/", len(event.key) + 1
    # Figures that end before anything reads them, which most do, are not even added.
    now.found[:] = [
        each for each in now.found if each.scope != "exchange" or (each.key[:size] != inner and each.key != key)
    ]
    _add(now)
    ended = key + " ", inner
    now.exchange = outside(now.exchange, size, ended)
    now.homes = outside(now.homes, size, ended)
    now.hidden = outside(now.hidden, size, ended)
    return now


def _without(now: Finding, who: str, scope: str) -> Finding:
    _add(now)
    if scope in now.lasting:
        values = now.lasting[scope].items()
        now.lasting[scope] = {name: value for name, value in values if not name.startswith(who + " ")}
    return now


def _lasting(now: Finding) -> dict[str, Audience]:
    """Returns the audiences of figures that outlive exchanges: a key contains a slash, an id does not."""
    return {full: seen_by for full, seen_by in now.hidden.items() if "/" not in full.partition(" ")[0]}


def _turn_ended(now: Finding, event: TurnEnded) -> Finding:
    return _without(now, event.who, "phase")


def _turn_began(now: Finding, event: TurnBegan) -> Finding:
    return _without(now, event.who, "turn")


def _round(now: Finding, _: RoundBegan) -> Finding:
    _add(now)
    now.lasting.pop("round", None)
    return _without_exchange(now)


def _over(now: Finding, _: CombatEnded) -> Finding:
    _add(now)
    now.lasting = {scope: values for scope, values in now.lasting.items() if scope == "combatant"}
    return _without_exchange(now)


def _without_exchange(now: Finding) -> Finding:
    now.exchange, now.homes, now.hidden = {}, {}, _lasting(now)
    return now


ROUTES: Routes = {
    FigureFound: _found, Overruled: _overruled, ExchangeEnded: _ended, TurnEnded: _turn_ended,
    TurnBegan: _turn_began, RoundBegan: _round, CombatEnded: _over,
}  # fmt: skip


def _found_alone(figures: Figures, event: FigureFound) -> Figures:
    if event.seen_by is not None or figures.hidden:
        return freeze(_found(thaw(figures), event))
    full, scope, lasting, homes = f"{event.key} {event.name}", event.scope, figures.lasting, figures.homes
    if scope != "exchange":
        lasting = {**lasting, scope: {**lasting.get(scope, {}), f"{event.who} {event.name}": event.value}}
        homes = {**homes, full: (scope, event.who)}
    return Figures({**figures.exchange, full: event.value}, lasting, homes, figures.hidden)


ALONE: Routes = {FigureFound: _found_alone}
"""The same for one event by itself, where no working copy is worth making."""
