"""What an attack costs: the maneuver, rounds, and conditions that last until the next turn."""

from ledger.events import ActionSpent, ConditionGained, ConditionLost, ResourceSpent
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.gurps_3e.attack.attack_context import WATCHING, Attack
from machines.gurps_3e.attack.firing import FIRED_WITH, GROUP, ROUNDS, SHOT
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import NEXT_TURN, item_of, kind_of, unready_condition, weapons_of
from projections.combat import Combat
from projections.exchange import Frame

MANEUVER = "maneuver"
ATTACKS_LEFT = FigureName("attacks left", int, scope="turn")
"""Figure of an attacker: further blows or rounds of this turn."""
ATTACKS_WITH = FigureName("attacks with", str, scope="turn")
"""Figure of an attacker: the weapon of those further attacks."""
ALL_OUT = "all_out_attack"
"""Condition of a combatant without active defense until the next turn."""
WAITING = "waiting"
WATCHES = FigureName("watches", str, scope="combatant")
FIRES = FigureName("fires from waiting", str, scope="turn")
"""Figure of a combatant who has begun to fire while waiting."""
FORM = FigureName("form", str, scope="turn")
"""Figure of an attacker: the form of the All-Out Attack."""
TWO_ATTACKS, AFTER_FEINT = "two_attacks", "feint"
"""Forms of an All-Out Attack: two attacks, and an attack after a feint in the same turn."""
_ALL_OUT = "B 105 All-Out Attack"
_FIRE = "B 119 Rate of Fire"


def use_maneuver(now: Frame) -> Telling:
    """Spends the maneuver of the turn."""
    return (yield ActionSpent(now.by, MANEUVER, 1))


def attacks_left(combat: Combat, who: str) -> int:
    """Returns the number of further blows or rounds that a combatant has in this turn.

    Source: B 105 All-Out Attack, 119 Rate of Fire
    """
    return ATTACKS_LEFT.of(combat, who)


def rounds_of(combat: Combat, who: str, name: str, declared: int | None) -> int:
    """Returns the rounds that an attack fires: the declared number, or the largest possible group.

    Source: B 119 Automatic Fire
    """
    weapon = weapons_of(combat, who)[name]
    if not weapon.automatic:
        return 1
    magazine = combat.resources.resource(who, item_of(name, weapon))
    held = max(1, magazine.left) if magazine.of else GROUP
    left = attacks_left(combat, who) or weapon.rof
    return min(GROUP, left, held) if declared is None else declared


def begin(combat: Combat, now: Attack) -> Telling:
    """Pays for the first strike of an attack: the maneuver, or a further attack of it, and rounds."""
    fresh = not attacks_left(combat, now.by)
    combat = yield from _from_waiting(combat, now)
    rounds = rounds_of(combat, now.by, now.name, now.terms.rounds)
    if fresh:
        combat = yield ActionSpent(now.by, MANEUVER, 1)
        combat = yield from _all_out(combat, now)
    before = _several(now) if fresh else attacks_left(combat, now.by)
    form = now.terms.all_out or FORM.of(combat, now.by)
    combat = yield ATTACKS_LEFT.found(now.key, max(0, before - rounds), "", _FIRE, who=now.by)
    combat = yield ATTACKS_WITH.found(now.key, now.name, "", _FIRE, who=now.by)
    combat = yield FORM.found(now.key, form, "", _FIRE, who=now.by)
    combat = yield from _fire(combat, now, rounds)
    if now.kind.leaves_hand and not now.weapon.shots:
        gone = unready_condition(item_of(now.name, now.weapon), "dropped")
        combat = yield ConditionGained(now.by, gone, None, "readied", now.key, "has thrown it", "B 117 Thrown Weapons")
    if now.weapon.needs_readying:
        unready = unready_condition(item_of(now.name, now.weapon), "unready")
        combat = yield ConditionGained(now.by, unready, None, "readied", now.key, "has struck", "B 104 Ready Weapons")
    return combat


def _several(now: Attack) -> int:
    """Returns the number of blows or rounds that the maneuver allows."""
    return 2 if now.terms.all_out == TWO_ATTACKS else rate(now.weapon)


def rate(weapon: Weapon) -> int:
    """Returns the shots or rounds of a turn; 1 for a blow.

    Source: B 119 Rate of Fire
    """
    return weapon.rof if kind_of(weapon).ranged else 1


def _from_waiting(combat: Combat, now: Attack) -> Telling:
    """Ends the waiting of a combatant who attacks in another's turn."""
    if combat.turn.who == now.by or not combat.conditions.has(now.by, WAITING):
        return combat
    watching = now.terms.watching or WATCHES.of(combat, now.by) or 1
    source = "B 118 Opportunity Fire"
    combat = yield WATCHING.found(now.key, str(watching), "", source)
    combat = yield FIRES.found(now.key, "yes", "", source, who=now.by)
    return (yield ConditionLost(now.by, WAITING, "attacks"))


def _all_out(combat: Combat, now: Attack) -> Telling:
    if now.terms.all_out and not combat.conditions.has(now.by, ALL_OUT):
        words = f"attacks all out: {now.terms.all_out.replace('_', ' ')}"
        combat = yield ConditionGained(now.by, ALL_OUT, None, NEXT_TURN, now.key, words, _ALL_OUT)
    return combat


def _fire(combat: Combat, now: Attack, rounds: int) -> Telling:
    """Spends rounds, and counts the shots of the turn."""
    if not now.kind.ranged:
        return combat
    shots = FIRED_WITH[item_of(now.name, now.weapon)]
    shot = shots.of(combat, now.by) + 1
    combat = yield SHOT.found(now.key, shot, "", _FIRE)
    combat = yield ROUNDS.found(now.key, rounds, f"RoF {now.weapon.rof}" if now.weapon.automatic else "", _FIRE)
    combat = yield shots.found(now.key, shot, "", _FIRE, who=now.by)
    if combat.resources.resource(now.by, item_of(now.name, now.weapon)).of:
        combat = yield ResourceSpent(now.by, item_of(now.name, now.weapon), rounds, now.key, "fires")
    return combat
