"""Applies harm: damage and stress, the limits of a track, and the tests that wounds require.

All harm - an attack, a blast, mental shock - is applied here. Figures record the victim (`victim`), the key prefix
(`place`) and the track (`track`).
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import ConditionGained, ConditionLost, DamageTaken, Event, RollRequested
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit, floored, frame, key_of
from machines.eclipse_phase.family.edition import DAMAGE_TAKEN, SV, WOUNDS_TAKEN, HarmTrack, declared, edition, where
from machines.eclipse_phase.family.success import d100_request, passed
from projections.combat import Combat

INCAPACITATED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda durability: durability,
    "exceeded": lambda durability: durability + 1,
}
"""Damage that incapacitates, by the value of the profile's field."""


VICTIM, PLACE, TRACK = FigureName("victim", str), FigureName("place", str), FigureName("track", str)
"""Figures of the harm that is dealt with: whose it is, under which key its own figures are kept, and of which track."""


class Hurt(msgspec.Struct, frozen=True):
    """Harm that a combatant has taken."""

    row: HarmTrack
    """The track's limits."""
    place: str
    who: str
    track: str
    damage: int
    count: int
    """Wounds or traumas that it caused."""

    def role(self, name: str) -> str:
        """Returns the key of a roll that follows."""
        return role(self.place, name)


def done(combat: Combat) -> Hurt:
    """Returns the harm being resolved.

    Source: EP1 192 Step 8; EP2 12/01 Step 9
    """
    key = where(combat)
    place, track = PLACE.at(combat, key), TRACK.at(combat, key)
    damage, count = DAMAGE_TAKEN.at(combat, place), WOUNDS_TAKEN.at(combat, place)
    return Hurt(edition(combat).tracks[track], place, VICTIM.at(combat, key), track, damage, count)


# ------------------------------------------------------------------------------------------------ taking


def suffer(  # noqa: PLR0917
    combat: Combat, place: str, who: str, dv: int, left: int, track: str, most: int | None = None
) -> Deed:
    """Applies the damage or stress that armor does not stop, and what its total causes.

    Args:
        combat: The state.
        place: Key prefix of its figures.
        who: The victim.
        dv: The damage or stress.
        left: The armor that counts.
        track: Name of the track.
        most: Upper limit of the harm; None for no limit.

    Source: EP1 192 Step 7, 207 Durability and Health, 209 Lucidity and Stress; EP2 12/01 Step 8, 12/16 Damage Points,
        12/18 Stress Points; Ruling: EP1-C10
    """
    row = edition(combat).tracks[track]
    why = f"{row.value} {dv}" + (f" less armor {left}" if left or row.bleeds else "")
    through, why = floored(dv - left, why)
    if most is not None and through > most:
        through, why = most, f"{why}, at the most {most}"
    combat = yield DAMAGE_TAKEN.found(place, through, why, edition(combat).printed.step_of_damage)
    taken = DAMAGE_TAKEN.at(combat, place)
    if taken <= 0:
        return "unharmed"
    for name, value in ((VICTIM, who), (PLACE, place), (TRACK, track)):
        combat = yield name.found(where(combat), value, "", row.source)
    combat = yield DamageTaken(who, track, taken, place, why, row.source)
    yield from limits(combat, who, track, place)
    return "harmed"


def limits(combat: Combat, who: str, track: str, place: str) -> Telling:
    """Applies the conditions of limits that a track has reached, and bleeding.

    Source: EP1 207 Durability and Health, 209 Lucidity and Stress; EP2 12/16 Durability, Death Rating, 12/18 Insanity
        Rating
    """
    row, total = edition(combat).tracks[track], combat.health.track(who, track).taken
    for limit, condition, until in row.outcomes(combat, who):
        if limit and total >= limit and not combat.conditions.lasts(who, condition):
            why = f"{track} {total} has reached {limit}"
            combat = yield ConditionGained(who, condition, None, until, place, why, row.source)
    combat = yield from emit(combat, edition(combat).bleeds(combat, who, track, place))
    return combat


def follow_tracks(combat: Combat, who: str) -> Deed:
    """Applies what follows from a track that the gamemaster set: limits that it reaches, or is now below.

    Source: EP1 207 Durability and Health, 209 Mental Health; EP2 12/16 Durability, Death Rating, 12/18 Stress Points
    """
    for track in edition(combat).tracks:
        if track in combat.health.tracks.get(who, {}):
            combat = yield from limits(combat, who, track, "")
            combat = yield from emit(combat, _no_longer_reached(combat, who, track))
    return None


def _no_longer_reached(combat: Combat, who: str, track: str) -> Iterator[Event]:
    total = combat.health.track(who, track).taken
    for limit, condition, until in edition(combat).tracks[track].outcomes(combat, who):
        has = combat.conditions.of(who).get(condition)
        if has is not None and until and has.until == until and total < limit:
            yield ConditionLost(who, condition, f"{track} is below {limit}")


def limits_of_body(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    """Yields the damage that incapacitates and that kills, each with its condition and what ends it.

    Source: EP1 207 Durability and Health, Death; EP2 12/16 Durability, Death Rating
    """
    owner, here = edition(combat).sheets.sheet(combat, who), edition(combat)
    out = INCAPACITATED[here.profile(combat).incapacitated_at](owner.durability)
    yield out, "incapacitated", here.words.revived
    yield owner.death, "dead", ""


def limit_of_mind(combat: Combat, who: str) -> tuple[int, str, str]:
    """Returns the stress by which a mind is permanently lost, with its condition.

    Source: EP1 209 Lucidity and Stress; EP2 12/18 Insanity Rating
    """
    return edition(combat).sheets.sheet(combat, who).insanity, "mind_lost", ""


def check_can_be_harmed(combat: Combat, who: str, track: str, *, wounds: bool = True) -> None:
    """Rejects harm to a combatant whose sheet lacks what the tests need.

    Stress needs WIL; wounds to a vehicle need a skill to pilot it.

    Raises:
        Incomplete: The sheet lacks it.

    Source: EP1 209 Mental Health, 196 Crashing; EP2 12/18 Trauma Effects, 12/16 Wound Effects
    """
    here = edition(combat)
    owner = here.sheets.sheet(combat, who)
    if not here.tracks[track].bleeds and owner.shakable:
        here.sheets.aptitude(combat, who, "wil")
    elif wounds and owner.piloted:
        here.needed(combat, who, here.words.pilot)


# ------------------------------------------------------------------------------------------------ wounds


def wound_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests the tests that wounds require."""
    now = done(combat)
    for name in edition(combat).threats(combat, now)[0]:
        yield d100_request(combat, now.role(name), now.who, edition(combat).dangers[name].purpose)


def read_wounds(combat: Combat) -> Deed:
    """Reads the tests that wounds require, each against its target."""
    now = done(combat)
    for name in edition(combat).threats(combat, now)[0]:
        combat = yield from edition(combat).read(combat, now.role(name))
    return None


def fall(combat: Combat) -> Deed:
    """Applies the consequences of failed tests: prone or unconscious."""
    now = done(combat)
    for name in edition(combat).threats(combat, now)[0]:
        if not passed(combat, now.role(name)):
            combat = yield falls(combat, now, name, f"failed to {edition(combat).dangers[name].purpose}")
    return None


def falls(combat: Combat, now: Hurt, name: str, why: str) -> Event:
    """Returns the condition that wounds cause.

    Source: EP1 207 Wound Effects; EP2 12/16 Wound Effects
    """
    danger = edition(combat).dangers[name]
    source = edition(combat).printed.wounds
    return ConditionGained(now.who, danger.condition, None, danger.until, now.place, why, source)


# ------------------------------------------------------------------------------------------------ minds

WILLPOWER = "willpower"
"""Role of a test to cope with stress."""


def willpower_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the Willpower test of a combatant under stress."""
    yield d100_request(combat, key_of(combat, WILLPOWER), frame(combat).by, "cope with it")


def read_willpower(combat: Combat) -> Deed:
    """Reads the Willpower test against its target."""
    yield from edition(combat).read(combat, key_of(combat, WILLPOWER))
    return None


def stress_value(combat: Combat) -> str:
    """Returns the stress dice: as declared, or of the listed experience.

    Source: EP1 209 Stress Value; EP2 12/18 Stress Value
    """
    terms = declared(combat)
    return str(terms.sv or edition(combat).experiences[terms.what].sv)


def take_stress(combat: Combat) -> Deed:
    """Applies stress; no armor reduces it."""
    now, sv = frame(combat), SV.at(combat, key_of(combat, "sv"))
    return (yield from suffer(combat, now.key, now.by, sv, 0, "stress"))
