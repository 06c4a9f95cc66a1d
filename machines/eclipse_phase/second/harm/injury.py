"""Steps 8 and 9: damage and stress taken, wounds and traumas, and what follows from them at once.

Whatever harms somebody - an attack, a sleight's cost, a fire, a shock to the mind - comes through here. Figures say
whom (`victim`), under which key (`place`) and on which track (`track`) it was.
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
from machines.eclipse_phase.family.edition import Danger, Track
from machines.eclipse_phase.family.figure_names import WOUNDS_TAKEN
from machines.eclipse_phase.family.harm import Hurt, done, falls, limit_of_mind, limits_of_body
from machines.eclipse_phase.family.turn import lowered
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import Base, check, needed, sheet
from machines.eclipse_phase.second.success_tests.success import prepare
from projections.combat import Combat

_WOUNDS = "EP2 12/16 Wound Effects"
_HEALTH = "EP2 12/16 Durability"
BELOW = "damage is below Durability"
"""What ends being out because damage has reached Durability."""


def _body(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    yield from limits_of_body(combat, who)
    if sheet(combat, who).threat_level == "yellow" and ONE_HIT[profile(combat).yellow_threats]:
        yield 1, "incapacitated", BELOW


ONE_HIT: Mapping[str, bool] = {"as_others": False, "one_hit": True}
"""Is the first damage enough for yellow threats, by the profile's field?"""


def _mind(combat: Combat, who: str) -> Iterator[tuple[int, str, str]]:
    yield limit_of_mind(combat, who)


TRACKS: Mapping[str, Track] = {
    "damage": Track("wounds", lambda combat, who: sheet(combat, who).threshold, _body, _HEALTH, "DV", bleeds=True),
    "stress": Track("traumas", lambda combat, who: sheet(combat, who).trauma, _mind, "EP2 12/18 Stress Points", "SV"),
}
"""By name: bodies take damage and wounds, minds stress and traumas."""


# ------------------------------------------------------------------------------------------------ 9


PILOT = "athletics"


def determine_wounds(combat: Combat) -> Deed:
    """A wound for each full Wound Threshold of this one attack; of stress, a trauma for each Trauma Threshold.

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
        yield from lowered(combat, now.who, now.place, now.row.wounds, now.count)
        return now.row.wounds
    return "unwounded"


WOUNDED: Mapping[str, Callable[[int], int]] = {
    "reached": lambda damage: damage,
    "exceeded": lambda damage: damage - 1,
}
"""What of the damage is counted against the threshold, by the profile's field."""


DANGERS: Mapping[str, Danger] = {
    "knockdown": Danger("stay on their feet", "prone", "standing up"),
    "consciousness": Danger("stay conscious", "unconscious", "woken"),
    "crash": Danger("keep from crashing", "crashed", "righted"),
}
"""By role: what the check is for, the condition if it fails, what ends that."""


def threats(combat: Combat, now: Hurt) -> tuple[tuple[str, ...], tuple[str, ...]]:
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
"""What the wounds just suffered do to the checks they call for, by the profile's field."""


def _maneuver(combat: Combat, who: str) -> Base:
    pilots = [name for name in sheet(combat, who).skills if name.startswith("pilot")]
    return needed(combat, who, pilots[0] if pilots else PILOT)


def blood_lost(combat: Combat, who: str) -> int:
    """Damage that whoever bleeds takes in an Action Turn.

    Source: EP2 12/16 Bleeding Out
    """
    return max(1, combat.wounds.count(who))
