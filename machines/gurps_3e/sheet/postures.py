"""Changes of posture."""

from ledger.events import ConditionGained, ConditionLost
from machines.contract.toolkit import Telling
from machines.gurps_3e.sheet.sheet_access import PRONE, STANDING
from machines.gurps_3e.tables.tables import POSTURES
from projections.combat import Combat


def take_posture(combat: Combat, who: str, name: str, key: str, why: str, source: str) -> Telling:  # noqa: PLR0917
    """Puts a combatant in a posture, and ends any other."""
    for other in POSTURES:
        if other != name and combat.conditions.has(who, other):
            combat = yield ConditionLost(who, other, why)
    if name != STANDING and not combat.conditions.has(who, name):
        combat = yield ConditionGained(who, name, None, "standing up", key, why, source)
    return combat


def fall(combat: Combat, who: str, key: str, why: str, source: str) -> Telling:
    """Puts a combatant on the ground."""
    return (yield from take_posture(combat, who, PRONE, key, why, source))
