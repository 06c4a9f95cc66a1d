"""Recovery: conditions that end when damage and wounds are healed."""

from ledger.events import ConditionLost
from machines.contract.toolkit import Telling, figure
from machines.eclipse_phase.family import care
from machines.eclipse_phase.family.care import harm
from machines.eclipse_phase.family.edition import where
from machines.eclipse_phase.second.harm.injury import BELOW
from machines.eclipse_phase.second.sheet.sheet_access import sheet
from projections.combat import Combat

_CARE = "EP2 12/17 First Aid"


def mend(combat: Combat, who: str, damage: int, wounds: int, source: str) -> Telling:
    """Heals damage and wounds, at most those present."""
    damage = min(damage, combat.health.track(who, "damage").taken)
    return (yield from care.mend(combat, who, damage, min(wounds, combat.wounds.count(who)), source))


def treated(combat: Combat, who: str) -> Telling:
    """Records that the present injuries were treated or are too old for first aid.

    Source: EP2 12/17 First Aid; Ruling: EP2-N26
    """
    for name, left in harm(combat, who).items():
        combat = yield figure(where(combat), name, left, "", _CARE, scope="combatant", who=who)
    return combat


def recover(combat: Combat, who: str) -> Telling:
    """Ends incapacitation below Durability, and forgets treated injuries as far as they are healed.

    Source: EP2 12/16 Durability, 12/17 First Aid
    """
    if combat.health.track(who, "damage").taken < sheet(combat, who).durability:
        for name in ("incapacitated", "unconscious", "bleeding", "stable"):
            if combat.conditions.lasts(who, name):
                combat = yield ConditionLost(who, name, BELOW)
    for name, value in harm(combat, who).items():
        old = combat.figures.of(who, name)
        if old is not None and value < int(old):
            combat = yield figure(where(combat), name, value, "", _CARE, scope="combatant", who=who)
    return combat
