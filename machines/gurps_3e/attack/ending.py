"""What follows a blow that has ended: further rounds of a group, and queued blows at other targets."""

from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.toolkit import Telling, figure
from machines.gurps_3e.attack.attack_context import (
    DICE_OF,
    FACTOR,
    FOE,
    LEFT,
    OF,
    PAGE,
    TYPE,
    WHERE,
    WITH,
    Attack,
    attack,
    location,
    next_strike,
)
from machines.gurps_3e.attack.critical import CRITICAL_ROUND
from machines.gurps_3e.sheet.sheet_access import DEAD
from projections.combat import Combat

QUEUED, DEALT = "blows to come", "blows dealt"
_PARTS = (OF, WITH, WHERE, TYPE, FACTOR, DICE_OF)


def queue(combat: Combat, now: Attack, foe: str, why: str, **parts: str) -> Telling:
    """Queues a blow that is resolved when the present one has ended.

    Args:
        combat: The state.
        now: The attack.
        foe: The combatant it strikes.
        why: The reason, in words.
        parts: Figures of the blow: ``of`` (its owner) and ``using`` (the weapon), ``where``, ``type``, ``factor``,
            ``dice``.
    """
    nth = combat.figures.number(now.key, QUEUED) + 1
    place = role(now.key, "queued", nth)
    combat = yield figure(now.key, QUEUED, nth, "", PAGE)
    combat = yield figure(place, FOE, foe, why, PAGE, who=foe)
    for name, value in zip(_PARTS, (parts.get(each, "") for each in _WORDS), strict=True):
        if value:
            combat = yield figure(place, name, value, "", PAGE)
    return combat


_WORDS = ("of", "using", "where", "type", "factor", "dice")


def strike_queued(combat: Combat) -> Telling:
    """Begins the first queued blow as the next strike."""
    now = attack(combat)
    nth = combat.figures.number(now.key, DEALT) + 1
    place = role(now.key, "queued", nth)
    combat = yield figure(now.key, DEALT, nth, "", PAGE)
    combat = yield from next_strike(now, combat.figures.word(place, FOE), "")
    there = attack(combat).place
    for name in _PARTS:
        if combat.figures.holds(place, name):
            combat = yield figure(there, name, combat.figures.word(place, name), "", PAGE)
    return combat


def blows_to_come(combat: Combat) -> Deed:
    """Begins a queued blow where the attack itself is over; blows at the dead are skipped.

    Ruling: G3-F11
    """
    now = attack(combat)
    while combat.figures.number(now.key, DEALT) < combat.figures.number(now.key, QUEUED):
        combat = yield from strike_queued(combat)
        if not combat.conditions.has(attack(combat).foe, DEAD):
            return "blow"
    return None


def what_is_left(combat: Combat) -> Deed:
    """Begins a further round of the group (after a critical round the target defends first), then queued blows.

    Ruling: G3-F9, G3-N6
    """
    now = attack(combat)
    left = combat.figures.number(now.key, LEFT)
    if left > 1:
        where = location(combat, now.place).name
        critical = combat.figures.holds(now.place, CRITICAL_ROUND)
        combat = yield figure(now.key, LEFT, left - 1, "another round of the group", HERE)
        combat = yield from next_strike(now, now.foe, "")
        yield figure(attack(combat).place, WHERE, where, "", PAGE)
        return "defense" if critical else "blow"
    return (yield from blows_to_come(combat))
