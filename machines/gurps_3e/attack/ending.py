"""What follows a blow that has ended: further rounds of a group, and queued blows at other targets."""

from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
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

QUEUED = FigureName("blows to come", int)
DEALT = FigureName("blows dealt", int)
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
    nth = QUEUED.at(combat, now.key) + 1
    place = role(now.key, "queued", nth)
    combat = yield QUEUED.found(now.key, nth, "", PAGE)
    combat = yield FOE.found(place, foe, why, PAGE, who=foe)
    for name, value in zip(_PARTS, (parts.get(each, "") for each in _WORDS), strict=True):
        if value:
            combat = yield name.found(place, value, "", PAGE)
    return combat


_WORDS = ("of", "using", "where", "type", "factor", "dice")


def strike_queued(combat: Combat) -> Telling:
    """Begins the first queued blow as the next strike."""
    now = attack(combat)
    nth = DEALT.at(combat, now.key) + 1
    place = role(now.key, "queued", nth)
    combat = yield DEALT.found(now.key, nth, "", PAGE)
    combat = yield from next_strike(now, FOE.at(combat, place), "")
    there = attack(combat).place
    for name in _PARTS:
        if name.is_at(combat, place):
            combat = yield name.found(there, name.at(combat, place), "", PAGE)
    return combat


def blows_to_come(combat: Combat) -> Deed:
    """Begins a queued blow where the attack itself is over; blows at the dead are skipped.

    Ruling: G3-F11
    """
    now = attack(combat)
    while DEALT.at(combat, now.key) < QUEUED.at(combat, now.key):
        combat = yield from strike_queued(combat)
        if not combat.conditions.has(attack(combat).foe, DEAD):
            return "blow"
    return None


def what_is_left(combat: Combat) -> Deed:
    """Begins a further round of the group (after a critical round the target defends first), then queued blows.

    Ruling: G3-F9, G3-N6
    """
    now = attack(combat)
    left = LEFT.at(combat, now.key)
    if left > 1:
        where = location(combat, now.place).name
        critical = CRITICAL_ROUND.is_at(combat, now.place)
        combat = yield LEFT.found(now.key, left - 1, "another round of the group", HERE)
        combat = yield from next_strike(now, now.foe, "")
        yield WHERE.found(attack(combat).place, where, "", PAGE)
        return "defense" if critical else "blow"
    return (yield from blows_to_come(combat))
