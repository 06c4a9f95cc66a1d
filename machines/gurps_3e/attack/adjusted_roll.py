"""A gamemaster's modifier on a roll: its number is counted anew, and with it whether it is a snap shot."""

from ledger.events import ModifierApplied
from machines.contract.chart import Deed
from machines.contract.toolkit import Telling, emit
from machines.gurps_3e.attack.attack_context import attack
from machines.gurps_3e.attack.to_hit import GOOD_ENOUGH
from machines.gurps_3e.profile import profile
from machines.gurps_3e.success_rolls.success import BASE, TARGET, target
from machines.gurps_3e.tables.tables import STANDING_MODIFIERS
from machines.secrecy.part_sources import of_roll
from projections.combat import Combat

SNAP = "snap shot"
SPARED = "no snap shot after all"
_RANGED, _SS = "8", "11"
"""Boxes: where what is ranged begins, and where SS is asked for."""


def retarget(combat: Combat, key: str) -> Deed:
    """The number of an open roll after a modifier; damage and tables have none.

    Source: B 86 Success Rolls, CII 48-51 Flowchart boxes 11, 12; Ruling: G3-N25
    """
    if TARGET.is_at(combat, key):
        combat = yield from _snap_shot(combat, key)
        yield target(combat, key, combat.rolls[key].by)
    return None


def _snap_shot(combat: Combat, key: str) -> Telling:
    """A shot that came to box 11 is a snap shot, or is none any more."""
    if not _asked_for_ss(combat) or attack(combat).hit != key:
        return combat
    now, parts = attack(combat), combat.rolls.modifiers(key)
    counts = sum(part.value for part in parts if part.why in (SNAP, SPARED))
    others = BASE.at(combat, key) + sum(part.value for part in parts) - counts
    row = STANDING_MODIFIERS[SNAP]
    penalty = row.value if now.weapon.snap_shot is None else now.weapon.snap_shot
    should = 0 if GOOD_ENOUGH[profile(combat).snap_shot_at](others, now.weapon.ss) else penalty
    if should != counts:
        changed = ModifierApplied(key, should - counts, SNAP if should else SPARED, row.source)
        combat = yield from emit(combat, of_roll(combat, key, [changed]))
    return combat


def _asked_for_ss(combat: Combat) -> bool:
    """Did the strike that is dealt with come to box 11?"""
    walked = combat.path.walked
    since = len(walked) - walked[::-1].index(_RANGED) if _RANGED in walked else len(walked)
    return _SS in walked[since:]
