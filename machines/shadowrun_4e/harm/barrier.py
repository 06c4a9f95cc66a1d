"""Barriers that are shot through: each takes its own damage in the attack that pierces it."""

from machines.contract.chart import HERE, Deed
from machines.contract.toolkit import frame
from machines.shadowrun_4e.harm.blows import BEHIND, BLOW, blow
from machines.shadowrun_4e.harm.damage import ARMOR, AUTOFIRE, DV, pierces, record_armor
from machines.shadowrun_4e.sheet.printed_codes import penetrated
from machines.shadowrun_4e.sheet.sheet_access import is_barrier
from projections.combat import Combat


def modified_armor(combat: Combat) -> Deed:
    """Records the modified Armor Value (4B), and decides whether a barrier in between is pierced.

    Ruling: SR4-N39, SR4-N50
    """
    now = blow(combat)
    combat = yield from record_armor(combat, now)
    assert ARMOR.is_at(combat, now.place), "4B records the armor"
    if not now.through or is_barrier(combat, now.at):
        return "plain"
    compared = DV.at(combat, now.place) - AUTOFIRE.at(combat, now.place)
    pierced = pierces(combat, compared, penetrated(now.barrier_armor, now.ap))
    return "through" if pierced else "plain"


def strike_barrier(combat: Combat) -> Deed:
    """Makes the barrier in between the victim of the blow, before the target."""
    yield BLOW.found(frame(combat).key, BEHIND, "", HERE)
    return None


def strike_target(combat: Combat) -> Deed:
    """Makes the target behind the barrier the victim of the blow again."""
    yield BLOW.found(frame(combat).key, frame(combat).kind, "", HERE)
    return None
