"""Blasts and cut connections: harm that nobody aims."""

from machines.contract.chart import Deed
from machines.contract.toolkit import figure, frame
from machines.shadowrun_4e.harm.blast import next_victim
from machines.shadowrun_4e.harm.blows import VICTIM_OF_SHOCK, blast_of
from projections.combat import Combat


def next_caught(combat: Combat) -> Deed:
    """The next of those whom it may catch.

    Source: SR4S Grenade Damage Table
    """
    return (yield from next_victim(combat, frame(combat).key, blast_of(combat)))


def cut_off(combat: Combat) -> Deed:
    """Whoever is cut off from the Matrix, and was wholly in it, suffers for it.

    Source: SR4 237 Dumpshock
    """
    now = frame(combat)
    yield figure(now.key, VICTIM_OF_SHOCK, now.by, "", "SR4 237 Dumpshock")
    return None
