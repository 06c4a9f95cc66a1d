"""Bleeding out, and whether it stops by itself."""

from collections.abc import Iterator

from ledger.events import ConditionGained, RollRequested
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.harm import done
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.second.harm.injury import BELOW
from machines.eclipse_phase.second.sheet.sheet_access import check, sheet, traits
from machines.eclipse_phase.second.success_tests.success import prepare, read
from projections.combat import Combat

STABILIZE = "stabilize"
_BLEEDING = "EP2 12/16 Bleeding Out"


def may_bleed_out(combat: Combat) -> bool:
    """Returns whether a wounded body has now taken as much damage as its Durability."""
    now = done(combat)
    if not now.row.bleeds or combat.conditions.has(now.who, "bleeding", "stable", "dead"):
        return False
    owner, total = sheet(combat, now.who), combat.health.track(now.who, "damage").taken
    flesh = not owner.synthetic and not combat.roster[now.who].thing
    return flesh and combat.wounds.count(now.who) > 0 and total >= owner.durability


def is_stabilized(combat: Combat) -> bool:
    """Returns whether medichines stop the bleeding."""
    return any(trait.stabilizes for trait in traits(combat, done(combat).who))


def be_stable(combat: Combat) -> Deed:
    """Stabilizes the combatant."""
    now = done(combat)
    yield ConditionGained(now.who, "stable", None, BELOW, now.place, "stabilized", HERE)
    return None


def prepare_stabilizing(combat: Combat) -> Deed:
    """Prepares the SOM Check to stop bleeding, with wounds."""
    now = done(combat)
    yield from prepare(combat, now.role(STABILIZE), now.who, check(combat, now.who, "som"), HERE)
    return None


def stabilizing_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the SOM Check to stop bleeding."""
    now = done(combat)
    yield d100_request(combat, now.role(STABILIZE), now.who, "stop bleeding")


def read_stabilizing(combat: Combat) -> Deed:
    """Reads the check to stop bleeding."""
    yield from read(combat, done(combat).role(STABILIZE))
    return None


def stops_bleeding(combat: Combat) -> bool:
    """Returns whether the check to stop bleeding succeeded."""
    return passed(combat, done(combat).role(STABILIZE))


def bleed(combat: Combat) -> Deed:
    """Begins bleeding: a point of damage for each wound in every Action Turn until treated."""
    now = done(combat)
    yield ConditionGained(now.who, "bleeding", None, "treated", now.place, "failed to stop bleeding", _BLEEDING)
    return None
