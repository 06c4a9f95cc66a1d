"""Open rolls: what is read of their dice, and their number after the gamemaster's modifier (snap shots)."""

from ledger.events import ModifierApplied
from ledger.key import role_of
from machines.contract.chart import Deed
from machines.contract.dice_reading import EACH, SUM, THE_TOTAL, DiceReading
from machines.contract.toolkit import Telling, emit
from machines.gurps_3e.attack.aiming import keeps_figures
from machines.gurps_3e.attack.attack_context import DAMAGE, attack
from machines.gurps_3e.attack.modifiers import SNAP, SPARED, snap_shot_of
from machines.gurps_3e.attack.to_hit import GOOD_ENOUGH
from machines.gurps_3e.harm.damage import SIXES
from machines.gurps_3e.profile import profile
from machines.gurps_3e.success_rolls.success import BASE, DICE, TARGET, target
from machines.gurps_3e.tables.tables import STANDING_MODIFIERS
from machines.secrecy.part_sources import of_roll
from projections.combat import Combat

OF_DAMAGE = DiceReading(order=False, counts=(THE_TOTAL, SIXES))
"""Of damage the sum is read, and sixes, which hurt through flexible armor."""
_RANGED, _SS = "8", "11"
"""The box where ranged attacks begin, and the box that compares the skill with SS."""


def retarget(combat: Combat, key: str) -> Deed:
    """Recalculates the number of an open roll after a modifier; rolls of damage and on tables have none.

    Source: B 86 Success Rolls, CII 48-51 Flowchart boxes 11, 12; Ruling: G3-N25
    """
    if TARGET.is_at(combat, key):
        combat = yield from _snap_shot(combat, key)
        yield target(combat, key, combat.rolls[key].by)
    return None


def reading(combat: Combat, key: str) -> DiceReading:
    """Returns what is read of a roll: the sum of three dice; of damage also sixes."""
    if role_of(key) == DAMAGE:
        return OF_DAMAGE
    return SUM if combat.rolls[key].dice == DICE else EACH


def _snap_shot(combat: Combat, key: str) -> Telling:
    """Adds or removes the snap shot penalty of a shot that passed box 11."""
    if not _asked_for_ss(combat) or attack(combat).hit != key:
        return combat
    now, parts = attack(combat), combat.rolls.modifiers(key)
    if now.unintended and keeps_figures(combat):
        return combat
    counts = snap_shot_of(combat, key)
    others = BASE.at(combat, key) + sum(part.value for part in parts) - counts
    row = STANDING_MODIFIERS[SNAP]
    penalty = row.value if now.weapon.snap_shot is None else now.weapon.snap_shot
    should = 0 if GOOD_ENOUGH[profile(combat).snap_shot_at](others, now.weapon.ss) else penalty
    if should != counts:
        changed = ModifierApplied(key, should - counts, SNAP if should else SPARED, row.source)
        combat = yield from emit(combat, of_roll(combat, key, [changed]))
    return combat


def _asked_for_ss(combat: Combat) -> bool:
    """Returns whether the present strike passed box 11."""
    walked = combat.path.walked
    since = len(walked) - walked[::-1].index(_RANGED) if _RANGED in walked else len(walked)
    return _SS in walked[since:]
