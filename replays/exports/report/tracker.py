"""The tracker at the end of each round, and the health of all combatants over time."""

from collections.abc import Iterator

import msgspec

from projections.combat import Combat
from projections.views.document import CombatantView
from projections.vocabulary import USUAL, Vocabulary
from replays.sessions.wording import wording
from replays.views.state_document import document


class TrackerRow(msgspec.Struct, frozen=True):
    """A combatant in the tracker."""

    who: str
    one: CombatantView
    score: int | None
    """The initiative score, while a fight is on."""
    words: Vocabulary
    """The words of the game: its counters, and what is taken of its tracks."""


class Point(msgspec.Struct, frozen=True):
    """A track after an entry."""

    at: int
    """The entry's index among those that stand, from 0."""
    taken: int
    capacity: int


class Series(msgspec.Struct, frozen=True):
    """One track of one combatant: a point at each change."""

    who: str
    name: str
    track: str
    harm: str
    """The words for what is taken of it."""
    points: tuple[Point, ...]
    last: int
    """The index up to which it is known: the combatant left, or the record ends."""
    is_first: bool
    """Whether it is the first track in the game's order."""

    @property
    def was_harmed(self) -> bool:
        """Whether it ever took harm."""
        return any(point.taken for point in self.points)


def rows(combat: Combat) -> tuple[TrackerRow, ...]:
    """Returns the combatants who are present, in the order of acting."""
    state = document(combat, "", entries=0, head=0, digest=b"")
    scores = dict(combat.initiative.order if combat.clock.fighting else ())
    order = [*scores, *(who for who in state.combatants if who not in scores)]
    words = wording(combat.session).vocabulary
    present = [who for who in order if who in state.combatants]
    return tuple(TrackerRow(who, state.combatants[who], scores.get(who), words) for who in present)


class TrackHistory:
    """Collects the tracks of all combatants, entry by entry."""

    def __init__(self) -> None:
        self._points: dict[tuple[str, str], list[Point]] = {}
        self._last: dict[tuple[str, str], int] = {}
        self._names: dict[str, str] = {}
        self._first: dict[str, str] = {}
        self._words = USUAL

    def add(self, at: int, combat: Combat) -> None:
        """Adds the state after an entry.

        Args:
            at: The entry's index among those that stand.
            combat: The state after it.
        """
        self._words = wording(combat.session).vocabulary
        for who, one in combat.roster.who.items():
            self._names[who] = one.name
            for track, has in combat.health.tracks.get(who, {}).items() if one.here else ():
                self._first.setdefault(who, track)
                points = self._points.setdefault((who, track), [])
                if not points or (points[-1].taken, points[-1].capacity) != (has.taken, has.capacity):
                    points.append(Point(at, has.taken, has.capacity))
                self._last[who, track] = at

    def series(self) -> Iterator[Series]:
        """Yields the series of all tracks."""
        for (who, track), points in self._points.items():
            name, harm, is_first = self._names[who], self._words.harm(track), self._first[who] == track
            yield Series(who, name, track, harm, tuple(points), self._last[who, track], is_first)
