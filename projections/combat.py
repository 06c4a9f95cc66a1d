"""The state of a session: all projections together, and the folding of events into them.

Events are routed by type to the projections that they change. Everything is frozen and structurally shared, so a state
is cheap to keep and safe to share. Nothing here knows a game.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ledger.events import EVENTS, Event, FigureFound, ModifierApplied, StepEntered, TestResolved
from projections import (
    clock as _clock,
)
from projections import (
    disputes as _disputes,
)
from projections import (
    exchange as _exchange,
)
from projections import (
    figures as _figures,
)
from projections import (
    initiative as _initiative,
)
from projections import (
    path as _path,
)
from projections import (
    rolls as _rolls,
)
from projections import (
    session as _session,
)
from projections import (
    turn as _turn,
)
from projections.combatants import (
    conditions as _conditions,
)
from projections.combatants import (
    health as _health,
)
from projections.combatants import (
    resources as _resources,
)
from projections.combatants import (
    roster as _roster,
)
from projections.combatants import (
    wounds as _wounds,
)
from projections.fold import Evolve, Freeze, Routes, Thaw


class Combat(msgspec.Struct, frozen=True):
    """The current state, which rules read and people see."""

    session: _session.SessionInfo = _session.SessionInfo()
    roster: _roster.Roster = _roster.Roster()
    health: _health.Health = _health.Health()
    wounds: _wounds.Wounds = _wounds.Wounds()
    conditions: _conditions.Conditions = _conditions.Conditions()
    resources: _resources.Resources = _resources.Resources()
    clock: _clock.Clock = _clock.Clock()
    initiative: _initiative.Initiative = _initiative.Initiative()
    turn: _turn.Turn = _turn.Turn()
    exchange: _exchange.Exchange = _exchange.Exchange()
    figures: _figures.Figures = _figures.Figures()
    rolls: _rolls.Rolls = _rolls.Rolls()
    path: _path.Path = _path.Path()
    disputes: _disputes.Disputes = _disputes.Disputes()

    @property
    def rests(self) -> tuple[_path.Rest, ...]:
        """The open rolls and choices."""
        return self.path.rests


_FOLDS = (
    _session, _roster, _health, _wounds, _conditions, _resources, _clock, _initiative, _turn, _exchange, _figures,
    _rolls, _path, _disputes,
)  # fmt: skip

ROUTES: dict[type[Event], tuple[tuple[int, Evolve], ...]] = {
    event: tuple((place, fold.ROUTES[event]) for place, fold in enumerate(_FOLDS) if event in fold.ROUTES)
    for event in EVENTS
}
"""For each type of event, the projections that it changes, by their position in `Combat`, with their functions."""


_WORKED: dict[int, tuple[Thaw, Freeze]] = {
    place: (fold.thaw, fold.freeze) for place, fold in enumerate(_FOLDS) if fold in (_figures, _rolls, _path)
}
"""The projections that nearly every event changes: they are changed in place, on a private working copy."""


_COLLECTED: dict[type[Event], tuple[int, Callable[[Any], Callable[[Any], None]]]] = {
    StepEntered: (_FOLDS.index(_path), _path.collector),
    FigureFound: (_FOLDS.index(_figures), _figures.collector),
    ModifierApplied: (_FOLDS.index(_rolls), _rolls.collector),
    TestResolved: (_FOLDS.index(_rolls), _rolls.collector),
}
"""The most frequent events: their projections collect them, and add many at once."""

_BY_ITSELF: dict[int, Routes] = {_FOLDS.index(fold): fold.ALONE for fold in (_figures, _rolls, _path)}
"""Functions of these projections for frequent single events, without a working copy."""


def _alone(place: int, event_type: type[Event], evolve_part: Evolve) -> tuple[int, Evolve, Thaw | None, Freeze | None]:
    by_itself = _BY_ITSELF.get(place, {}).get(event_type)
    if by_itself is not None or place not in _WORKED:
        return place, by_itself or evolve_part, None, None
    return place, evolve_part, *_WORKED[place]


_ALONE = {
    event: tuple(_alone(place, event, evolve_part) for place, evolve_part in routes) for event, routes in ROUTES.items()
}
"""As `ROUTES`, for folding a single event, with the functions that make and freeze a working copy if it needs one."""


class Folding:
    """An incremental fold: events change the working state in place, which is frozen at the end.

    Args:
        combat: The state to start from.
    """

    def __init__(self, combat: Combat) -> None:
        self._parts = list(msgspec.structs.astuple(combat))
        for place, (thaw, _) in _WORKED.items():
            self._parts[place] = thaw(self._parts[place])
        self._collected = {event: collect(self._parts[place]) for event, (place, collect) in _COLLECTED.items()}

    def add(self, events: Iterable[Event]) -> None:
        """Folds events, in order, into the working state."""
        parts, collected = self._parts, self._collected
        for event in events:
            collect = collected.get(type(event))
            if collect is not None:
                collect(event)
                continue
            for place, evolve_part in ROUTES[type(event)]:
                parts[place] = evolve_part(parts[place], event)

    def combat(self) -> Combat:
        """Returns the final state; no events can be added after this."""
        for place, (_, freeze) in _WORKED.items():
            self._parts[place] = freeze(self._parts[place])
        return Combat(*self._parts)


def fold(events: Iterable[Event], combat: Combat | None = None) -> Combat:
    """Folds events into a state.

    Args:
        events: The events, in order.
        combat: The state before them; empty by default.
    """
    folding = Folding(combat or Combat())
    folding.add(events)
    return folding.combat()


def evolve(combat: Combat, event: Event) -> Combat:
    """Folds one event into a state."""
    parts = list(msgspec.structs.astuple(combat))
    for place, evolve_part, thaw, freeze in _ALONE[type(event)]:
        if thaw is None or freeze is None:
            parts[place] = evolve_part(parts[place], event)
        else:
            parts[place] = freeze(evolve_part(thaw(parts[place]), event))
    return Combat(*parts)
