"""The tracker at the end of each round, and everybody's health over time."""

from collections.abc import Iterator

import msgspec

from projections.combat import Combat
from projections.views.document import CombatantView
from replays.sessions.wording import document, wording


class Row(msgspec.Struct, frozen=True):
    """One who takes part, as it stood."""

    who: str
    one: CombatantView
    score: int | None
    """Initiative, while the fight goes on."""
    counters: tuple[str, ...]
    """What the game counts of somebody, such as wounds."""


class Point(msgspec.Struct, frozen=True):
    """A track after an entry."""

    at: int
    """The entry's place among those that stand, from 0."""
    taken: int
    capacity: int


class Series(msgspec.Struct, frozen=True):
    """One track of one combatant: a point wherever it changed."""

    who: str
    name: str
    track: str
    points: tuple[Point, ...]
    last: int
    """The place until which it is known: they left, or the record ends."""
    is_first: bool
    """Is it the track that the game tells first?"""

    @property
    def was_harmed(self) -> bool:
        """Did it ever take anything?"""
        return any(point.taken for point in self.points)


def rows(combat: Combat) -> tuple[Row, ...]:
    """Everybody who is here, in the order of acting."""
    state = document(combat, "", entries=0, head=0, digest=b"")
    scores = dict(combat.initiative.order if combat.clock.fighting else ())
    order = [*scores, *(who for who in state.combatants if who not in scores)]
    counters = wording(combat.session).vocabulary.counters
    return tuple(Row(who, state.combatants[who], scores.get(who), counters) for who in order if who in state.combatants)


class Health:
    """Everybody's tracks, gathered entry by entry."""

    def __init__(self) -> None:
        self._points: dict[tuple[str, str], list[Point]] = {}
        self._last: dict[tuple[str, str], int] = {}
        self._names: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def take(self, at: int, combat: Combat) -> None:
        """What is so after an entry.

        Args:
            at: The entry's place among those that stand.
            combat: What is so.
        """
        for who, one in combat.roster.who.items():
            self._names[who] = one.name
            for track, has in combat.health.tracks.get(who, {}).items() if one.here else ():
                self._first.setdefault(who, track)
                points = self._points.setdefault((who, track), [])
                if not points or (points[-1].taken, points[-1].capacity) != (has.taken, has.capacity):
                    points.append(Point(at, has.taken, has.capacity))
                self._last[who, track] = at

    def series(self) -> Iterator[Series]:
        """All tracks."""
        for (who, track), points in self._points.items():
            is_first = self._first[who] == track
            yield Series(who, self._names[who], track, tuple(points), self._last[who, track], is_first)
