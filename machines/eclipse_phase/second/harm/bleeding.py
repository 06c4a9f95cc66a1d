"""Bleeding out: who bleeds, and whether it stops by itself."""

from collections.abc import Iterator

from ledger.events import ConditionGained, RollRequested
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.harm import done
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.second.harm.injury import BELOW
from machines.eclipse_phase.second.sheet.sheet_access import check, sheet, traits
from machines.eclipse_phase.second.success_tests.success import prepare, read
from projections.combat import Combat

STABILIZE = "stabilize"
_BLEEDING = "EP2 12/16 Bleeding Out"


def may_bleed_out(combat: Combat) -> bool:
    """Has a wounded body now taken as much damage as its Durability?"""
    now = done(combat)
    if not now.row.bleeds or combat.conditions.has(now.who, "bleeding", "stable", "dead"):
        return False
    owner, total = sheet(combat, now.who), combat.health.track(now.who, "damage").taken
    flesh = not owner.synthetic and not combat.roster[now.who].thing
    return flesh and combat.wounds.count(now.who) > 0 and total >= owner.durability


def is_stabilized(combat: Combat) -> bool:
    """Do medichines see to it?"""
    return any(trait.stabilizes for trait in traits(combat, done(combat).who))


def be_stable(combat: Combat) -> Deed:
    """No blood is lost."""
    now = done(combat)
    yield ConditionGained(now.who, "stable", None, BELOW, now.place, "stabilized", HERE)
    return None


def prepare_stabilizing(combat: Combat) -> Deed:
    """A SOM Check, wounds counted."""
    now = done(combat)
    yield from prepare(combat, now.role(STABILIZE), now.who, check(combat, now.who, "som"), HERE)
    return None


def stabilizing_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever is bleeding rolls."""
    now = done(combat)
    yield asked(combat, now.role(STABILIZE), now.who, "stop bleeding")


def read_stabilizing(combat: Combat) -> Deed:
    """Against its target."""
    yield from read(combat, done(combat).role(STABILIZE))
    return None


def stops_bleeding(combat: Combat) -> bool:
    """Did the check succeed?"""
    return passed(combat, done(combat).role(STABILIZE))


def bleed(combat: Combat) -> Deed:
    """A point of damage for each wound in every Action Turn, until somebody helps."""
    now = done(combat)
    yield ConditionGained(now.who, "bleeding", None, "treated", now.place, "failed to stop bleeding", _BLEEDING)
    return None
