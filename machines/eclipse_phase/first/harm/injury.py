"""What harm does: damage and stress taken, wounds and traumas, and what follows from them at once.

Whatever harms somebody - an attack, the strain of a sleight, a blast, a shock to the mind - comes through here. The
exchange's figures say whom (`victim`), under which key (`place`) and on which track (`track`) it was.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import ConditionGained, DamageTaken, Event, RollRequested, WoundSuffered
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.toolkit import Telling, figure, floored, frame
from machines.eclipse_phase.family import d100
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import aptitude, needed, sheet, traits
from machines.eclipse_phase.first.success_tests.success import prepare, resolve, will_test
from machines.eclipse_phase.first.turn.initiative import lowered
from projections.combat import Combat

_WOUNDS = "EP1 207 Wounds"
_HEALTH = "EP1 207 Durability and Health"
_MIND = "EP1 209 Mental Health"


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
    yield INCAPACITATED[profile(combat).incapacitated_at](owner.durability), "incapacitated", "healed"
    yield owner.death, "dead", ""


def _mind(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    owner = sheet(combat, who)
    yield owner.lucid, "catatonic", "stress is below Lucidity"
    yield owner.insanity, "mind_lost", ""


TRACKS: Mapping[str, Track] = {
    "damage": Track("wounds", lambda combat, who: sheet(combat, who).threshold, _body, _HEALTH, "DV", bleeds=True),
    "stress": Track("traumas", lambda combat, who: sheet(combat, who).trauma, _mind, _MIND, "SV"),
}
"""By name: bodies take damage and wounds, minds stress and traumas."""

INCAPACITATED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda durability: durability,
    "exceeded": lambda durability: durability + 1,
}
"""The damage that incapacitates, by the profile's field."""


# ------------------------------------------------------------------------------------------------ taking


def suffer(combat: Combat, place: str, who: str, dv: int, left: int, track: str) -> Deed:  # noqa: PLR0917
    """What armor does not stop is taken, and what the total leads to happens.

    Source: EP1 192 Step 7, 207 Durability and Health, 209 Lucidity and Stress; Ruling: EP1-C10
    """
    now = frame(combat)
    why = f"{TRACKS[track].value} {dv}" + (f" less armor {left}" if left or TRACKS[track].bleeds else "")
    through, why = floored(dv - left, why)
    combat = yield figure(place, "damage", through, why, "EP1 192 Step 7")
    taken = combat.figures.number(place, "damage")
    if taken <= 0:
        return "unharmed"
    for name, value in (("victim", who), ("place", place), ("track", track)):
        combat = yield figure(now.key, name, value, "", TRACKS[track].source)
    combat = yield DamageTaken(who, track, taken, place, why, TRACKS[track].source)
    yield from limits(combat, who, track, place)
    return "harmed"


def limits(combat: Combat, who: str, track: str, place: str) -> Telling:
    """Conditions of whoever has reached a limit of a track: out, dead, catatonic, lost; and who now bleeds.

    Source: EP1 207 Durability and Health, 209 Lucidity and Stress
    """
    total = combat.health.track(who, track).taken
    for limit, condition, until in TRACKS[track].outcomes(combat, who):
        if limit and total >= limit and not combat.conditions.lasts(who, condition):
            why = f"{track} {total} has reached {limit}"
            combat = yield ConditionGained(who, condition, None, until, place, why, TRACKS[track].source)
    for event in _bleeding(combat, who, track, place):
        combat = yield event
    return combat


# ------------------------------------------------------------------------------------------------ 8


class Hurt(msgspec.Struct, frozen=True):
    """What harm was done, to whom."""

    key: str
    """Of the exchange."""
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
    now = frame(combat)
    place, who, track = (combat.figures.word(now.key, name) for name in ("place", "victim", "track"))
    damage, count = (combat.figures.number(place, name) for name in ("damage", "wounds"))
    return Hurt(now.key, place, who, track, damage, count)


def check_can_be_harmed(combat: Combat, who: str, track: str, *, wounds: bool = True) -> None:
    """Refuse harm to somebody whose sheet lacks what its tests need: WIL for stress, Pilot for what may crash.

    Raises:
        Incomplete: It lacks that.

    Source: EP1 209 Mental Health, 196 Crashing
    """
    if not TRACKS[track].bleeds:
        aptitude(combat, who, "wil")
    elif wounds and sheet(combat, who).piloted:
        needed(combat, who, "pilot")


def determine_wounds(combat: Combat) -> Deed:
    """A wound for each full Wound Threshold of this one attack; of stress, a trauma for each Trauma Threshold.

    Source: EP1 192 Step 8, 207 Wounds, 209 Trauma; Ruling: EP1-C11
    """
    now = done(combat)
    threshold = now.row.threshold(combat, now.who)
    why = f"{now.damage} {now.track}, {now.row.wounds.removesuffix('s').title()} Threshold {threshold}"
    count = d100.wounds(now.damage, threshold) if threshold else 0
    combat = yield figure(now.place, "wounds", count, why, "EP1 192 Step 8")
    now = done(combat)
    if now.count > 0:
        combat = yield WoundSuffered(now.who, now.track, now.count, now.row.wounds, now.place, why, "EP1 192 Step 8")
        combat = yield from lowered(combat, now.who, now.place, now.row.wounds, now.count)
        yield from _bleeding(combat, now.who, now.track, now.place)
    return {True: now.row.wounds, False: "unwounded"}[now.count > 0]


def _bleeding(combat: Combat, who: str, track: str, place: str) -> Iterator[Event]:
    """A wounded biomorph beyond Durability bleeds until somebody helps."""
    owner, total = sheet(combat, who), combat.health.track(who, "damage").taken
    stopped = owner.synthetic or any(trait.stops_bleeding for trait in traits(combat, who))
    if not TRACKS[track].bleeds or stopped or combat.conditions.has(who, "bleeding", "dead"):
        return
    if combat.wounds.count(who) and total >= BLEEDS[profile(combat).bleeding](owner.durability):
        why = f"wounded, and damage is {total} of {owner.durability}"
        yield ConditionGained(who, "bleeding", None, "treated", place, why, "EP1 207 Bleeding")


BLEEDS: Mapping[str, Callable[[int], int]] = {
    "beyond": lambda durability: durability + 1,
    "reached": lambda durability: durability,
}
"""The damage from which on a wounded biomorph bleeds, by the profile's field."""


def blood_lost(combat: Combat, who: str) -> int:
    """Damage that whoever bleeds takes in an Action Turn.

    Source: EP1 207 Bleeding
    """
    return BLEEDING_RATES[profile(combat).bleeding_rate](combat.wounds.count(who))


BLEEDING_RATES: Mapping[str, Callable[[int], int]] = {
    "one": lambda _: 1,
    "each_wound": lambda wounds: wounds,
}
"""Damage from bleeding in an Action Turn by the number of wounds, by the profile's field."""


# ------------------------------------------------------------------------------------------------ wounds' tests


class Danger(msgspec.Struct, frozen=True):
    """What wounds threaten somebody with."""

    purpose: str
    condition: str
    until: str


DANGERS: Mapping[str, Danger] = {
    "knockdown": Danger("stay on their feet", "prone", "standing up"),
    "consciousness": Danger("stay conscious", "unconscious", "woken"),
    "crash": Danger("keep from crashing", "crashed", "righted"),
    "disorientation": Danger("keep their wits", "disoriented", "their wits are regained"),
}
"""By role: what the test is for, the condition if it fails, what ends that."""


def _due(combat: Combat, now: Hurt) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What wounds threaten with: what must be rolled, and what happens without a roll."""
    several = now.count >= 2
    if combat.conditions.has(now.who, "dead"):
        return (), ()
    if sheet(combat, now.who).piloted:
        return ((), ("crash",)) if several else (("crash",), ())
    if not several:
        return ("knockdown",), ()
    return TWO_WOUNDS[profile(combat).two_wounds]


TWO_WOUNDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "two_tests": (("knockdown", "consciousness"), ()),
    "prone_and_test": (("consciousness",), ("knockdown",)),
}
"""Two wounds at once, by the profile's field: what must be rolled, and what happens without a roll."""


def prepare_wound_tests(combat: Combat) -> Deed:
    """SOM x 3 to stay on one's feet; after two or more wounds at once also to stay conscious. New wounds count.

    Source: EP1 207 Wound Effects, 196 Crashing
    """
    now = done(combat)
    rolled, certain = _due(combat, now)
    for name in certain:
        combat = yield _falls(now, name, "two wounds at once")
    for name in rolled:
        value, why = _stamina(combat, now.who) if name != "crash" else _piloting(combat, now.who)
        combat = yield from prepare(combat, now.role(name), now.who, value, why, _WOUNDS)
    return None


def _stamina(combat: Combat, who: str) -> tuple[int, str]:
    som = sheet(combat, who).aptitudes.som
    return som * 3, f"SOM {som} x 3"


def _piloting(combat: Combat, who: str) -> tuple[int, str]:
    value, why = needed(combat, who, "pilot")
    handling = sheet(combat, who).handling
    return value + handling, f"{why}, handling {handling:+d}"


def wound_rolls(combat: Combat) -> Iterator[RollRequested]:
    """The wounded rolls.

    Source: EP1 207 Wound Effects
    """
    now = done(combat)
    for name in _due(combat, now)[0]:
        yield asked(combat, now.role(name), now.who, DANGERS[name].purpose)


def read_wound_tests(combat: Combat) -> Deed:
    """Each against its target.

    Source: EP1 207 Wound Effects
    """
    now = done(combat)
    for name in _due(combat, now)[0]:
        combat = yield resolve(combat, now.role(name))
    return None


def fall(combat: Combat) -> Deed:
    """Failing puts them on the ground, or out.

    Source: EP1 207 Wound Effects
    """
    now = done(combat)
    for name in _due(combat, now)[0]:
        if not passed(combat, now.role(name)):
            combat = yield _falls(now, name, f"failed to {DANGERS[name].purpose}")
    return None


def _falls(now: Hurt, name: str, why: str) -> Event:
    danger = DANGERS[name]
    return ConditionGained(now.who, danger.condition, None, danger.until, now.place, why, _WOUNDS)


# ------------------------------------------------------------------------------------------------ traumas' test


def prepare_disorientation(combat: Combat) -> Deed:
    """WIL x 3, traumas counted, to keep one's wits.

    Source: EP1 209 Trauma Effects
    """
    now = done(combat)
    yield from will_test(combat, now.role("disorientation"), now.who, "EP1 209 Trauma Effects")
    return None


def disorientation_roll(combat: Combat) -> Iterator[RollRequested]:
    """The shaken rolls.

    Source: EP1 209 Trauma Effects
    """
    now = done(combat)
    yield asked(combat, now.role("disorientation"), now.who, DANGERS["disorientation"].purpose)


def read_disorientation(combat: Combat) -> Deed:
    """Against its target.

    Source: EP1 209 Trauma Effects
    """
    yield resolve(combat, done(combat).role("disorientation"))
    return None


def lose_wits(combat: Combat) -> Deed:
    """Failing costs the next Complex Action.

    Source: EP1 209 Trauma Effects
    """
    now = done(combat)
    if not passed(combat, now.role("disorientation")):
        yield _falls(now, "disorientation", f"failed to {DANGERS['disorientation'].purpose}")
    return None
