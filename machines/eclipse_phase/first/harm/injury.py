"""Wounds and traumas, and their immediate consequences.

All harm - an attack, the strain of a sleight, a blast, mental shock - is applied here. Figures of the exchange record
the victim (`victim`), the key prefix (`place`) and the track (`track`).
"""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, Event, RollRequested, WoundSuffered
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family import d100
from machines.eclipse_phase.family.edition import WOUNDS_TAKEN, Danger, HarmTrack
from machines.eclipse_phase.family.harm import Hurt, done, falls, limit_of_mind, limits_of_body
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.family.turn import lower_initiative
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import needed, sheet
from machines.eclipse_phase.first.success_tests.success import prepare, resolve, will_test
from projections.combat import Combat

_WOUNDS = "EP1 207 Wounds"
_HEALTH = "EP1 207 Durability and Health"
_MIND = "EP1 209 Mental Health"


def _mind(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    yield sheet(combat, who).lucid, "catatonic", "stress is below Lucidity"
    yield limit_of_mind(combat, who)


TRACKS: Mapping[str, HarmTrack] = {
    "damage": HarmTrack(
        "wounds", lambda combat, who: sheet(combat, who).threshold, limits_of_body, _HEALTH, "DV", bleeds=True
    ),
    "stress": HarmTrack("traumas", lambda combat, who: sheet(combat, who).trauma, _mind, _MIND, "SV"),
}
"""Tracks by name: bodies take damage and wounds, minds stress and traumas."""


# ------------------------------------------------------------------------------------------------ 8


def determine_wounds(combat: Combat) -> Deed:
    """Counts wounds: one for each full Wound Threshold of this attack; traumas by the Trauma Threshold.

    Ruling: EP1-C11
    """
    now = done(combat)
    threshold = now.row.threshold(combat, now.who)
    why = f"{now.damage} {now.track}, {now.row.wounds.removesuffix('s').title()} Threshold {threshold}"
    count = d100.wounds(now.damage, threshold) if threshold else 0
    combat = yield WOUNDS_TAKEN.found(now.place, count, why, "EP1 192 Step 8")
    now = done(combat)
    if now.count > 0:
        combat = yield WoundSuffered(now.who, now.track, now.count, now.row.wounds, now.place, why, "EP1 192 Step 8")
        combat = yield from lower_initiative(combat, now.who, now.place, now.row.wounds, now.count)
        yield from bleeds(combat, now.who, now.track, now.place)
    return {True: now.row.wounds, False: "unwounded"}[now.count > 0]


def bleeds(combat: Combat, who: str, track: str, place: str) -> Iterator[Event]:
    """Yields bleeding of a wounded biomorph whose damage exceeds Durability."""
    owner, total = sheet(combat, who), combat.health.track(who, "damage").taken
    if not TRACKS[track].bleeds or owner.synthetic or combat.conditions.has(who, "bleeding", "dead"):
        return
    if combat.wounds.count(who) and total >= BLEEDS[profile(combat).bleeding](owner.durability):
        why = f"wounded, and damage is {total} of {owner.durability}"
        yield ConditionGained(who, "bleeding", None, "treated", place, why, "EP1 207 Bleeding")


BLEEDS: Mapping[str, Callable[[int], int]] = {
    "beyond": lambda durability: durability + 1,
    "reached": lambda durability: durability,
}
"""Damage at which a wounded biomorph bleeds, by the profile's field."""


def blood_lost(combat: Combat, who: str) -> int:
    """Returns the bleeding damage in an Action Turn.

    Source: EP1 207 Bleeding
    """
    return BLEEDING_RATES[profile(combat).bleeding_rate](combat.wounds.count(who))


BLEEDING_RATES: Mapping[str, Callable[[int], int]] = {
    "one": lambda _: 1,
    "each_wound": lambda wounds: wounds,
}
"""Bleeding damage in an Action Turn by number of wounds, by the profile's field."""


# ------------------------------------------------------------------------------------------------ tests for wounds


DANGERS: Mapping[str, Danger] = {
    "knockdown": Danger("stay on their feet", "prone", "standing up"),
    "consciousness": Danger("stay conscious", "unconscious", "woken"),
    "crash": Danger("keep from crashing", "crashed", "righted"),
    "disorientation": Danger("keep their wits", "disoriented", "their wits are regained"),
}
"""Consequences by role: the purpose of the test, the condition after failure, and what ends it."""


def threats(combat: Combat, now: Hurt) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the tests that wounds require, and consequences without a test."""
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
"""Two wounds at once, by the profile's field: required tests, and consequences without a test."""


def prepare_wound_tests(combat: Combat) -> Deed:
    """Prepares the tests against knockdown (SOM x 3) and, after two wounds at once, unconsciousness.

    The new wounds modify them.
    """
    now = done(combat)
    rolled, certain = threats(combat, now)
    for name in certain:
        combat = yield falls(combat, now, name, "two wounds at once")
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


# ------------------------------------------------------------------------------------------------ test for traumas


def prepare_disorientation(combat: Combat) -> Deed:
    """Prepares the test against disorientation: WIL x 3, with traumas."""
    now = done(combat)
    yield from will_test(combat, now.role("disorientation"), now.who, HERE)
    return None


def disorientation_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test against disorientation."""
    now = done(combat)
    yield d100_request(combat, now.role("disorientation"), now.who, DANGERS["disorientation"].purpose)


def read_disorientation(combat: Combat) -> Deed:
    """Reads the test against disorientation."""
    yield resolve(combat, done(combat).role("disorientation"))
    return None


def lose_wits(combat: Combat) -> Deed:
    """Applies disorientation after a failure; it costs the next Complex Action."""
    now = done(combat)
    if not passed(combat, now.role("disorientation")):
        yield falls(combat, now, "disorientation", f"failed to {DANGERS['disorientation'].purpose}")
    return None
