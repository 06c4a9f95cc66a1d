"""Damage to shields, where the profile counts it."""

from collections.abc import Iterator, Mapping

from ledger.events import ConditionGained, Event, ResourceOpened, ResourceSpent, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import counted, down, floored, thrown
from machines.gurps_3e.attack.attack_context import Attack, attack, six_sided
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet import Sheet
from machines.gurps_3e.sheet.sheet_access import SHIELD_DESTROYED, from_memory, has_shield, sheet, shield_pd
from machines.gurps_3e.tables.rows import ShieldLine
from machines.gurps_3e.tables.tables import SHIELDS
from machines.gurps_3e.vocabulary import SUCCESS
from projections.combat import Combat

SHIELD, HITS = "shield", "damage-to-shield"
CAUGHT = FigureName("hits to the shield", int)
SUFFER: Mapping[str, bool] = {"ignored": False, "counts": True}
"""Whether shields take damage, by the value of the profile's field."""


def open_shield(combat: Combat, who: str, owner: Sheet) -> Iterator[Event]:
    """Opens the resource that counts the hits of a shield, where the profile counts them."""
    most = SHIELDS[owner.shield.kind].destroyed if owner.shield is not None else 0
    if SUFFER[profile(combat).shield_damage] and combat.resources.resource(who, SHIELD).of != most:
        yield ResourceOpened(who, SHIELD, most, most)


def shield_row(combat: Combat, who: str) -> ShieldLine:
    """Returns the row of a combatant's shield."""
    held = sheet(combat, who).shield
    assert held is not None, f"{who} has no shield"
    return SHIELDS[held.kind]


def is_stopped_by_shield(combat: Combat, now: Attack, key: str) -> bool:
    """Returns whether a defense succeeded only by the passive defense of the shield.

    Source: B 120 Damage to Shields; Ruling: G3-N22
    """
    if not SUFFER[profile(combat).shield_damage] or not has_shield(combat, now.foe):
        return False
    roll = combat.rolls[key]
    return roll.outcome == SUCCESS and roll.margin < shield_pd(combat, now.foe)


def shield_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the damage to the shield."""
    now = attack(combat)
    purpose = f"damage of {now.name} to the shield{from_memory(combat, now.by, now.name)}"
    yield from thrown(combat, now.role(HITS), now.by, six_sided(now.weapon.damage), purpose)


def strike_shield(combat: Combat) -> Deed:
    """Applies damage above the shield's DR; a blow that is hard enough goes through.

    Ruling: G3-N22
    """
    now = attack(combat)
    row = shield_row(combat, now.foe)
    value, why = counted(combat, now.role(HITS), six_sided(now.weapon.damage), down)
    suffers, why = floored(value - row.dr, f"{why}, less DR {row.dr}")
    combat = yield CAUGHT.found(now.place, suffers, why, HERE, who=now.foe)
    suffers = max(0, CAUGHT.at(combat, now.place))
    left = combat.resources.resource(now.foe, SHIELD).left
    if suffers:
        combat = yield ResourceSpent(now.foe, SHIELD, min(left, suffers), now.place, "the shield is struck")
    if suffers >= left:
        yield ConditionGained(now.foe, SHIELD_DESTROYED, None, "", now.place, f"{suffers} hits of {left}", HERE)
    return "pierced" if suffers >= row.penetrated else "holds"
