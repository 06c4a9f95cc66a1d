"""Recovery: conditions that end when damage and wounds are healed."""

from ledger.events import ConditionLost
from machines.contract.toolkit import Telling
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
        combat = yield name.found(where(combat), left, "", _CARE, who=who)
    return combat


def recover(combat: Combat, who: str) -> Telling:
    """Ends incapacitation below Durability, and forgets treated injuries as far as they are healed.

    Source: EP2 12/16 Durability, 12/17 First Aid
    """
    if combat.health.track(who, "damage").taken < sheet(combat, who).durability:
        for condition in ("incapacitated", "unconscious", "bleeding", "stable"):
            if combat.conditions.lasts(who, condition):
                combat = yield ConditionLost(who, condition, BELOW)
    for name, value in harm(combat, who).items():
        if value < name.of(combat, who):
            combat = yield name.found(where(combat), value, "", _CARE, who=who)
    return combat
