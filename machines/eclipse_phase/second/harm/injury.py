"""Steps 8 and 9: damage and stress taken, wounds and traumas, and what follows from them at once.

Whatever harms somebody - an attack, a sleight's cost, a fire, a shock to the mind - comes through here. Figures say
whom (`victim`), under which key (`place`) and on which track (`track`) it was.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import (
    ConditionGained,
    ConditionLost,
    DamageTaken,
    Event,
    ModifierApplied,
    RollRequested,
    WoundSuffered,
)
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.toolkit import Telling, figure, floored
from machines.eclipse_phase.family import d100
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import Base, aptitude, check, needed, sheet
from machines.eclipse_phase.second.success_tests.pools import where
from machines.eclipse_phase.second.success_tests.success import prepare, read
from machines.eclipse_phase.second.turn.initiative import lowered
from projections.combat import Combat

_WOUNDS = "EP2 12/16 Wound Effects"
_HEALTH = "EP2 12/16 Durability"
_STEP_8, _STEP_9 = "EP2 12/01 Step 8", "EP2 12/01 Step 9"
BELOW = "damage is below Durability"
"""What ends being out because damage has reached Durability."""


class Track(msgspec.Struct, frozen=True):
    """What a track of harm leads to."""

    wounds: str
    """The word for what a lot of it at once is."""
    threshold: Callable[[Combat, str], int]
    outcomes: Callable[[Combat, str], Iterator[tuple[int, str, str]]]
    """(combat, who): limits that may be reached, with the condition and what ends it, the worst last."""
    source: str
    value: str
    """The book's letters for how much of it there is."""
    bleeds: bool = False
    """Does blood flow where a lot of it is?"""


def _body(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    owner = sheet(combat, who)
    yield INCAPACITATED[profile(combat).incapacitated_at](owner.durability), "incapacitated", BELOW
    yield owner.death, "dead", ""
    if owner.threat_level == "yellow" and ONE_HIT[profile(combat).yellow_threats]:
        yield 1, "incapacitated", BELOW


ONE_HIT: Mapping[str, bool] = {"as_others": False, "one_hit": True}
"""Is the first damage enough for yellow threats, by the profile's field?"""


def _mind(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    owner = sheet(combat, who)
    yield owner.insanity, "mind_lost", ""


TRACKS: Mapping[str, Track] = {
    "damage": Track("wounds", lambda combat, who: sheet(combat, who).threshold, _body, _HEALTH, "DV", bleeds=True),
    "stress": Track("traumas", lambda combat, who: sheet(combat, who).trauma, _mind, "EP2 12/18 Stress Points", "SV"),
}
"""By name: bodies take damage and wounds, minds stress and traumas."""

INCAPACITATED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda durability: durability,
    "exceeded": lambda durability: durability + 1,
}
"""The damage that incapacitates, by the profile's field."""


# ------------------------------------------------------------------------------------------------ 8


def suffer(  # noqa: PLR0917
    combat: Combat, place: str, who: str, dv: int, left: int, track: str, most: int | None = None
) -> Deed:
    """What armor does not stop is taken, and what the total leads to happens.

    Source: EP2 12/01 Step 8, 12/16 Damage Points, 12/18 Stress Points
    """
    why = f"{TRACKS[track].value} {dv}" + (f" less armor {left}" if left or TRACKS[track].bleeds else "")
    through, why = floored(dv - left, why)
    if most is not None and through > most:
        through, why = most, f"{why}, at the most {most}"
    combat = yield figure(place, "damage", through, why, _STEP_8)
    taken = combat.figures.number(place, "damage")
    if taken <= 0:
        return "unharmed"
    for name, value in (("victim", who), ("place", place), ("track", track)):
        combat = yield figure(where(combat), name, value, "", TRACKS[track].source)
    combat = yield DamageTaken(who, track, taken, place, why, TRACKS[track].source)
    yield from limits(combat, who, track, place)
    return "harmed"


def limits(combat: Combat, who: str, track: str, place: str) -> Telling:
    """Conditions of whoever has reached a limit of a track: out, dead, lost.

    Source: EP2 12/16 Durability, Death Rating, 12/18 Insanity Rating
    """
    total = combat.health.track(who, track).taken
    for limit, condition, until in TRACKS[track].outcomes(combat, who):
        if limit and total >= limit and not combat.conditions.lasts(who, condition):
            why = f"{track} {total} has reached {limit}"
            combat = yield ConditionGained(who, condition, None, until, place, why, TRACKS[track].source)
    return combat


# ------------------------------------------------------------------------------------------------ 9


class Hurt(msgspec.Struct, frozen=True):
    """What harm was done, to whom."""

    place: str
    who: str
    track: str
    damage: int
    count: int
    """Wounds or traumas by it."""

    @property
    def row(self) -> Track:
        """What the track leads to."""
        return TRACKS[self.track]

    def role(self, name: str) -> str:
        """The key of one of the rolls that follow."""
        return role(self.place, name)


def done(combat: Combat) -> Hurt:
    """The harm that is dealt with."""
    place, who, track = (combat.figures.word(where(combat), name) for name in ("place", "victim", "track"))
    damage, count = (combat.figures.number(place, name) for name in ("damage", "wounds"))
    return Hurt(place, who, track, damage, count)


def check_can_be_harmed(combat: Combat, who: str, track: str, *, wounds: bool = True) -> None:
    """Refuse harm to somebody whose sheet lacks what its tests need: WIL for stress, a skill for what may crash.

    Raises:
        Incomplete: It lacks that.

    Source: EP2 12/18 Trauma Effects, 12/16 Wound Effects
    """
    if not TRACKS[track].bleeds and sheet(combat, who).stress:
        aptitude(combat, who, "wil")
    elif wounds and sheet(combat, who).piloted:
        needed(combat, who, PILOT)


PILOT = "athletics"


def determine_wounds(combat: Combat) -> Deed:
    """A wound for each full Wound Threshold of this one attack; of stress, a trauma for each Trauma Threshold.

    Source: EP2 12/01 Step 9, 12/16 Wounds, 12/18 Trauma; Ruling: EP2-C9
    """
    now = done(combat)
    threshold = now.row.threshold(combat, now.who)
    why = f"{now.damage} {now.track}, {now.row.wounds.removesuffix('s').title()} Threshold {threshold}"
    counted = WOUNDED[profile(combat).wounded_at](now.damage)
    count = d100.wounds(counted, threshold) if threshold else 0
    combat = yield figure(now.place, "wounds", count, why, _STEP_9)
    now = done(combat)
    if now.count > 0:
        combat = yield WoundSuffered(now.who, now.track, now.count, now.row.wounds, now.place, why, _STEP_9)
        if now.row.bleeds and combat.conditions.has(now.who, "stable"):
            combat = yield ConditionLost(now.who, "stable", "wounded anew")
        yield from lowered(combat, now.who, now.place, now.row.wounds, now.count)
        return now.row.wounds
    return "unwounded"


WOUNDED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda damage: damage,
    "exceeded": lambda damage: damage - 1,
}
"""What of the damage is counted against the threshold, by the profile's field."""


class Danger(msgspec.Struct, frozen=True):
    """What wounds threaten somebody with."""

    purpose: str
    condition: str
    until: str


DANGERS: Mapping[str, Danger] = {
    "knockdown": Danger("stay on their feet", "prone", "standing up"),
    "consciousness": Danger("stay conscious", "unconscious", "woken"),
    "crash": Danger("keep from crashing", "crashed", "righted"),
}
"""By role: what the check is for, the condition if it fails, what ends that."""


def _due(combat: Combat, now: Hurt) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What wounds threaten with: what must be rolled, and what happens without a roll."""
    several = now.count >= 2
    if combat.conditions.has(now.who, "dead") or combat.roster[now.who].thing:
        return (), ()
    if sheet(combat, now.who).piloted:
        return ((), ("crash",)) if several else (("crash",), ())
    rolled, certain = ("consciousness", "knockdown") if several else ("knockdown", "")
    return _still(combat, now.who, rolled), _still(combat, now.who, certain)


def _still(combat: Combat, who: str, name: str) -> tuple[str, ...]:
    """Nobody falls who lies on the ground, or passes out who is unconscious."""
    return (name,) if name and not combat.conditions.lasts(who, DANGERS[name].condition) else ()


def prepare_wound_checks(combat: Combat) -> Deed:
    """A SOM Check to stay on one's feet; after two or more wounds at once one falls, and it is to stay conscious.

    Source: EP2 12/16 Wound Effects; Ruling: EP2-C7
    """
    now = done(combat)
    rolled, certain = _due(combat, now)
    for name in certain:
        combat = yield _falls(now, name, "two wounds at once")
    for name in rolled:
        start = check(combat, now.who, "som") if name != "crash" else _maneuver(combat, now.who)
        fresh = FRESH[profile(combat).fresh_wounds](now.role(name), now.count)
        combat = yield from prepare(combat, now.role(name), now.who, start, _WOUNDS, tuple(fresh))
    return None


def _wait(key: str, count: int) -> Iterator[Event]:
    yield ModifierApplied(key, 10 * count, "the fresh wounds do not count yet", _WOUNDS)


FRESH: Mapping[str, Callable[[str, int], Iterator[Event]]] = {"count": lambda *_: iter(()), "wait": _wait}
"""What the wounds just suffered do to the checks they call for, by the profile's field."""


def _maneuver(combat: Combat, who: str) -> Base:
    pilots = [name for name in sheet(combat, who).skills if name.startswith("pilot")]
    return needed(combat, who, pilots[0] if pilots else PILOT)


def wound_rolls(combat: Combat) -> Iterator[RollRequested]:
    """The wounded rolls.

    Source: EP2 12/16 Wound Effects
    """
    now = done(combat)
    for name in _due(combat, now)[0]:
        yield asked(combat, now.role(name), now.who, DANGERS[name].purpose)


def read_wound_checks(combat: Combat) -> Deed:
    """Each against its target.

    Source: EP2 12/16 Wound Effects
    """
    now = done(combat)
    for name in _due(combat, now)[0]:
        combat = yield from read(combat, now.role(name))
    return None


def fall(combat: Combat) -> Deed:
    """Failing puts them on the ground, or out.

    Source: EP2 12/16 Wound Effects
    """
    now = done(combat)
    for name in _due(combat, now)[0]:
        if not passed(combat, now.role(name)):
            combat = yield _falls(now, name, f"failed to {DANGERS[name].purpose}")
    return None


def _falls(now: Hurt, name: str, why: str) -> Event:
    danger = DANGERS[name]
    return ConditionGained(now.who, danger.condition, None, danger.until, now.place, why, _WOUNDS)
