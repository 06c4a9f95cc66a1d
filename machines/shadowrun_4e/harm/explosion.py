"""Blasts and cut connections: harm that nobody aims."""

from machines.contract.chart import HERE, Deed
from machines.contract.toolkit import frame
from machines.shadowrun_4e.harm.blast import next_victim
from machines.shadowrun_4e.harm.blows import VICTIM_OF_SHOCK, blast_of
from projections.combat import Combat


def next_caught(combat: Combat) -> Deed:
    """The next of those whom it may catch."""
    return (yield from next_victim(combat, frame(combat).key, blast_of(combat)))


def cut_off(combat: Combat) -> Deed:
    """Whoever is cut off from the Matrix, and was wholly in it, suffers for it."""
    now = frame(combat)
    yield VICTIM_OF_SHOCK.found(now.key, now.by, "", HERE)
    return None
