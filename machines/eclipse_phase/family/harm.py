"""What harm does: damage and stress taken, what the totals lead to, and the rolls that wounds call for.

Whatever harms somebody - an attack, a blast, a shock to the mind - comes through here. Figures say whom (`victim`),
under which key (`place`) and on which track (`track`) it was.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import ConditionGained, DamageTaken, Event, RollRequested
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit, floored, frame, key_of
from machines.eclipse_phase.family.edition import Track, declared, edition, where
from machines.eclipse_phase.family.figure_names import DAMAGE_TAKEN, SV, WOUNDS_TAKEN
from machines.eclipse_phase.family.success import asked, passed
from projections.combat import Combat

INCAPACITATED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda durability: durability,
    "exceeded": lambda durability: durability + 1,
}
"""The damage that incapacitates, by the profile's field."""


VICTIM, PLACE, TRACK = FigureName("victim", str), FigureName("place", str), FigureName("track", str)
"""Figures of the harm that is dealt with: whose it is, under which key its own figures are kept, and of which track."""


class Hurt(msgspec.Struct, frozen=True):
    """What harm was done, to whom."""

    row: Track
    """What the track leads to."""
    place: str
    who: str
    track: str
    damage: int
    count: int
    """Wounds or traumas by it."""

    def role(self, name: str) -> str:
        """The key of one of the rolls that follow."""
        return role(self.place, name)


def done(combat: Combat) -> Hurt:
    """The harm that is dealt with.

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
    """What armor does not stop is taken, and what the total leads to happens.

    Args:
        combat: What is so.
        place: The key under which its figures are kept.
        who: Who takes it.
        dv: The damage, or the stress.
        left: What armor stops.
        track: Which of them it is.
        most: More than that nobody takes.

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
    """Conditions of whoever has reached a limit of a track: out, dead, catatonic, lost; and who now bleeds.

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


def limits_of_body(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    """Damage that puts somebody out, and that kills, each with what ends it.

    Source: EP1 207 Durability and Health, Death; EP2 12/16 Durability, Death Rating
    """
    owner, here = edition(combat).sheets.sheet(combat, who), edition(combat)
    out = INCAPACITATED[here.profile(combat).incapacitated_at](owner.durability)
    yield out, "incapacitated", here.words.revived
    yield owner.death, "dead", ""


def limit_of_mind(combat: Combat, who: str) -> tuple[int, str, str]:
    """The stress by which a mind is lost for good.

    Source: EP1 209 Lucidity and Stress; EP2 12/18 Insanity Rating
    """
    return edition(combat).sheets.sheet(combat, who).insanity, "mind_lost", ""


def check_can_be_harmed(combat: Combat, who: str, track: str, *, wounds: bool = True) -> None:
    """Refuse harm to somebody whose sheet lacks what its tests need: WIL for stress, a skill for what may crash.

    Raises:
        Incomplete: It lacks that.

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
    """The wounded rolls."""
    now = done(combat)
    for name in edition(combat).threats(combat, now)[0]:
        yield asked(combat, now.role(name), now.who, edition(combat).dangers[name].purpose)


def read_wounds(combat: Combat) -> Deed:
    """Each against its target."""
    now = done(combat)
    for name in edition(combat).threats(combat, now)[0]:
        combat = yield from edition(combat).read(combat, now.role(name))
    return None


def fall(combat: Combat) -> Deed:
    """Failing puts them on the ground, or out."""
    now = done(combat)
    for name in edition(combat).threats(combat, now)[0]:
        if not passed(combat, now.role(name)):
            combat = yield falls(combat, now, name, f"failed to {edition(combat).dangers[name].purpose}")
    return None


def falls(combat: Combat, now: Hurt, name: str, why: str) -> Event:
    """What wounds threatened somebody with happens.

    Source: EP1 207 Wound Effects; EP2 12/16 Wound Effects
    """
    danger = edition(combat).dangers[name]
    source = edition(combat).printed.wounds
    return ConditionGained(now.who, danger.condition, None, danger.until, now.place, why, source)


# ------------------------------------------------------------------------------------------------ minds

WILLPOWER = "willpower"
"""The role of a test to cope with stress."""


def willpower_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever is shaken rolls."""
    yield asked(combat, key_of(combat, WILLPOWER), frame(combat).by, "cope with it")


def read_willpower(combat: Combat) -> Deed:
    """Against its target."""
    yield from edition(combat).read(combat, key_of(combat, WILLPOWER))
    return None


def stress_value(combat: Combat) -> str:
    """The dice of what shakes somebody: as said, or as the table has it.

    Source: EP1 209 Stress Value; EP2 12/18 Stress Value
    """
    terms = declared(combat)
    return str(terms.sv or edition(combat).experiences[terms.what].sv)


def take_stress(combat: Combat) -> Deed:
    """Nothing stops it."""
    now, sv = frame(combat), SV.at(combat, key_of(combat, "sv"))
    return (yield from suffer(combat, now.key, now.by, sv, 0, "stress"))
