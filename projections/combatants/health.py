"""The damage tracks of combatants: damage taken and capacity."""

from collections.abc import Mapping

import msgspec

from ledger.events import Adjusted, DamageHealed, DamageTaken, TrackOpened
from projections.fold import Routes


class Track(msgspec.Struct, frozen=True, gc=False):
    """A damage track of a combatant."""

    taken: int = 0
    capacity: int = 0


NO_TRACK = Track()


class Health(msgspec.Struct, frozen=True, gc=False):
    """All damage tracks, by combatant and name."""

    tracks: Mapping[str, Mapping[str, Track]] = {}

    def track(self, who: str, track: str) -> Track:
        """Returns a track; an empty one if the combatant has no such track."""
        return self.tracks.get(who, {}).get(track, NO_TRACK)


def _set(health: Health, who: str, track: str, taken: int, capacity: int) -> Health:
    mine = {**health.tracks.get(who, {}), track: Track(max(0, taken), capacity)}
    return Health({**health.tracks, who: mine})


def _opened(health: Health, event: TrackOpened) -> Health:
    return _set(health, event.who, event.track, health.track(event.who, event.track).taken, event.capacity)


def _taken(health: Health, event: DamageTaken) -> Health:
    track = health.track(event.who, event.track)
    return _set(health, event.who, event.track, track.taken + event.amount, track.capacity)


def _healed(health: Health, event: DamageHealed) -> Health:
    track = health.track(event.who, event.track)
    return _set(health, event.who, event.track, track.taken - event.amount, track.capacity)


def _adjusted(health: Health, event: Adjusted) -> Health:
    kind, _, name = event.what.partition(".")
    if kind != "tracks" or not isinstance(event.after, int):
        return health
    return _set(health, event.who, name, event.after, health.track(event.who, name).capacity)


ROUTES: Routes = {TrackOpened: _opened, DamageTaken: _taken, DamageHealed: _healed, Adjusted: _adjusted}
