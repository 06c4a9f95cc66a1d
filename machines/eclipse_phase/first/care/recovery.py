"""Recovery: conditions that end when damage and wounds are healed."""

from collections.abc import Iterator, Mapping

from ledger.events import ConditionLost, Event
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.care import harm
from machines.eclipse_phase.family.edition import where
from machines.eclipse_phase.first.harm.injury import TRACKS
from projections.combat import Combat

_CARE = "EP1 208 Medical Care"


def recover(combat: Combat, who: str) -> Telling:
    """Ends incapacitation below its limit, and forgets treated injuries as far as they are healed.

    Source: EP1 207 Durability and Health, Wound Effects, 209 Lucidity and Stress; Ruling: EP1-N36
    """
    for track, conditions in REVIVED.items():
        limit, *_ = next(TRACKS[track].outcomes(combat, who))
        if combat.health.track(who, track).taken < limit:
            for name in conditions:
                if combat.conditions.lasts(who, name):
                    combat = yield ConditionLost(who, name, f"{track} is below {limit}")
    combat = yield from emit(combat, _forgotten(combat, who))
    return combat


REVIVED: Mapping[str, tuple[str, ...]] = {"damage": ("incapacitated", "unconscious"), "stress": ("catatonic",)}
"""Conditions that end when enough of a track is healed, unless they end by time."""


def _forgotten(combat: Combat, who: str) -> Iterator[Event]:
    """Yields lower records of treated injuries, so that new ones can be treated."""
    for name, value in harm(combat, who).items():
        if name.is_of(combat, who) and value < name.of(combat, who):
            yield name.found(where(combat), value, "", _CARE, who=who)
