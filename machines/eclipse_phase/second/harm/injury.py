"""Steps 8 and 9: damage and stress, wounds and traumas, and their immediate consequences.

All harm - an attack, a sleight's cost, a fire, mental shock - is applied here. Figures record the victim (`victim`),
the key prefix (`place`) and the track (`track`).
"""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ConditionLost,
    Event,
    ModifierApplied,
    WoundSuffered,
)
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family import d100
from machines.eclipse_phase.family.edition import WOUNDS_TAKEN, Danger, HarmTrack
from machines.eclipse_phase.family.harm import Hurt, done, falls, limit_of_mind, limits_of_body
from machines.eclipse_phase.family.turn import lower_initiative
from machines.eclipse_phase.second.harm.effects import was_checked
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import Base, check, needed, sheet
from machines.eclipse_phase.second.success_tests.success import prepare
from projections.combat import Combat

_WOUNDS = "EP2 12/16 Wound Effects"
_HEALTH = "EP2 12/16 Durability"
BELOW = "damage is below Durability"
"""What ends being incapacitated because damage has reached Durability."""


def _body(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    yield from limits_of_body(combat, who)
    if sheet(combat, who).threat_level == "yellow" and ONE_HIT[profile(combat).yellow_threats]:
        yield 1, "incapacitated", BELOW


ONE_HIT: Mapping[str, bool] = {"as_others": False, "one_hit": True}
"""Whether any damage incapacitates yellow threats, by the profile's field."""


def _mind(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    yield limit_of_mind(combat, who)


TRACKS: Mapping[str, HarmTrack] = {
    "damage": HarmTrack("wounds", lambda combat, who: sheet(combat, who).threshold, _body, _HEALTH, "DV", bleeds=True),
    "stress": HarmTrack(
        "traumas", lambda combat, who: sheet(combat, who).trauma, _mind, "EP2 12/18 Stress Points", "SV"
    ),
}
"""Tracks by name: bodies take damage and wounds, minds stress and traumas."""


# ------------------------------------------------------------------------------------------------ 9


PILOT = "athletics"


def determine_wounds(combat: Combat) -> Deed:
    """Counts wounds: one for each full Wound Threshold of this attack; traumas by the Trauma Threshold.

    Ruling: EP2-C9
    """
    now = done(combat)
    threshold = now.row.threshold(combat, now.who)
    why = f"{now.damage} {now.track}, {now.row.wounds.removesuffix('s').title()} Threshold {threshold}"
    counted = WOUNDED[profile(combat).wounded_at](now.damage)
    count = d100.wounds(counted, threshold) if threshold else 0
    combat = yield WOUNDS_TAKEN.found(now.place, count, why, HERE)
    now = done(combat)
    if now.count > 0:
        combat = yield WoundSuffered(now.who, now.track, now.count, now.row.wounds, now.place, why, HERE)
        if now.row.bleeds and combat.conditions.has(now.who, "stable"):
            combat = yield ConditionLost(now.who, "stable", "wounded anew")
        yield from lower_initiative(combat, now.who, now.place, now.row.wounds, now.count)
        return now.row.wounds
    return "unwounded"


WOUNDED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda damage: damage,
    "exceeded": lambda damage: damage - 1,
}
"""Damage that is compared with the threshold, by the profile's field."""


DANGERS: Mapping[str, Danger] = {
    "knockdown": Danger("stay on their feet", "prone", "standing up"),
    "wound-knockdown": Danger("stay on their feet", "prone", "standing up"),
    "consciousness": Danger("stay conscious", "unconscious", "woken"),
    "crash": Danger("keep from crashing", "crashed", "righted"),
}
"""Consequences by role: the purpose of the check, the condition after failure, and what ends it."""


def threats(combat: Combat, now: Hurt) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the checks that wounds require, and consequences without a check.

    Where the weapon has required a check against knockdown already, that of the wound is another roll with its own key.
    """
    several = now.count >= 2
    if combat.conditions.has(now.who, "dead") or combat.roster[now.who].thing:
        return (), ()
    if sheet(combat, now.who).piloted:
        return ((), ("crash",)) if several else (("crash",), ())
    knockdown = "wound-knockdown" if was_checked(combat, now.place, "knockdown") else "knockdown"
    rolled, certain = ("consciousness", knockdown) if several else (knockdown, "")
    return _still(combat, now.who, rolled), _still(combat, now.who, certain)


def _still(combat: Combat, who: str, name: str) -> tuple[str, ...]:
    """Returns the consequence, unless the combatant is already prone or unconscious."""
    return (name,) if name and not combat.conditions.lasts(who, DANGERS[name].condition) else ()


def prepare_wound_checks(combat: Combat) -> Deed:
    """Prepares the SOM Check against knockdown; after two wounds at once, against unconsciousness.

    Ruling: EP2-C7
    """
    now = done(combat)
    rolled, certain = threats(combat, now)
    for name in certain:
        combat = yield falls(combat, now, name, "two wounds at once")
    for name in rolled:
        start = check(combat, now.who, "som") if name != "crash" else _maneuver(combat, now.who)
        fresh = FRESH[profile(combat).fresh_wounds](now.role(name), now.count)
        combat = yield from prepare(combat, now.role(name), now.who, start, HERE, tuple(fresh))
    return None


def _wait(key: str, count: int) -> Iterator[Event]:
    yield ModifierApplied(key, 10 * count, "the fresh wounds do not count yet", _WOUNDS)


FRESH: Mapping[str, Callable[[str, int], Iterator[Event]]] = {"count": lambda *_: iter(()), "wait": _wait}
"""Effect of fresh wounds on the checks that they require, by the profile's field."""


def _maneuver(combat: Combat, who: str) -> Base:
    pilots = [name for name in sheet(combat, who).skills if name.startswith("pilot")]
    return needed(combat, who, pilots[0] if pilots else PILOT)


def blood_lost(combat: Combat, who: str) -> int:
    """Returns the bleeding damage in an Action Turn.

    Source: EP2 12/16 Bleeding Out
    """
    return max(1, combat.wounds.count(who))
