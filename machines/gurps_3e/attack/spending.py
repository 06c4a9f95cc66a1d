"""What an attack costs: the maneuver of a turn, rounds, and what lasts until the next turn."""

from ledger.events import ActionSpent, ConditionGained, ConditionLost, ResourceSpent
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.gurps_3e.attack.attack_context import WATCHING, Attack
from machines.gurps_3e.attack.firing import FIRED_WITH, GROUP, ROUNDS, SHOT
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import NEXT_TURN, arms, kind_of, spoiled, thing
from projections.combat import Combat
from projections.exchange import Frame

MANEUVER = "maneuver"
ATTACKS_LEFT = FigureName("attacks left", int, scope="turn")
"""The figure of whoever attacks: further blows or rounds of this turn."""
ATTACKS_WITH = FigureName("attacks with", str, scope="turn")
"""The figure of whoever fires: with what they may go on."""
ALL_OUT = "all_out_attack"
"""The condition of whoever has no active defense until their next turn."""
WAITING = "waiting"
WATCHES = FigureName("watches", str, scope="combatant")
FIRES = FigureName("fires from waiting", str, scope="turn")
"""The figure of whoever has begun to fire while waiting."""
FORM = FigureName("form", str, scope="turn")
"""The figure of whoever attacks all out: in which form."""
TWO_ATTACKS, AFTER_FEINT = "two_attacks", "feint"
"""Forms of an All-Out Attack: twice, and after a feint in the same turn."""
_ALL_OUT = "B 105 All-Out Attack"
_FIRE = "B 119 Rate of Fire"


def use_maneuver(now: Frame) -> Telling:
    """The turn's maneuver is used."""
    return (yield ActionSpent(now.by, MANEUVER, 1))


def attacks_left(combat: Combat, who: str) -> int:
    """Further blows or rounds that somebody has in this turn.

    Source: B 105 All-Out Attack, 119 Rate of Fire
    """
    return ATTACKS_LEFT.of(combat, who)


def rounds_of(combat: Combat, who: str, name: str, said: int | None) -> int:
    """Rounds that an attack fires: those of a group, as many as there are, or one.

    Source: B 119 Automatic Fire
    """
    weapon = arms(combat, who)[name]
    if not weapon.automatic:
        return 1
    magazine = combat.resources.resource(who, thing(name, weapon))
    held = max(1, magazine.left) if magazine.of else GROUP
    left = attacks_left(combat, who) or weapon.rof
    return min(GROUP, left, held) if said is None else said


def begin(combat: Combat, now: Attack) -> Telling:
    """What the first strike of an attack costs: the maneuver, or what is left of it, and rounds."""
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
        gone = spoiled(thing(now.name, now.weapon), "dropped")
        combat = yield ConditionGained(now.by, gone, None, "readied", now.key, "has thrown it", "B 117 Thrown Weapons")
    if now.weapon.needs_readying:
        unready = spoiled(thing(now.name, now.weapon), "unready")
        combat = yield ConditionGained(now.by, unready, None, "readied", now.key, "has struck", "B 104 Ready Weapons")
    return combat


def _several(now: Attack) -> int:
    """How many blows or rounds the maneuver gives."""
    return 2 if now.terms.all_out == TWO_ATTACKS else rate(now.weapon)


def rate(weapon: Weapon) -> int:
    """Shots or rounds of a turn; one blow.

    Source: B 119 Rate of Fire
    """
    return weapon.rof if kind_of(weapon).ranged else 1


def _from_waiting(combat: Combat, now: Attack) -> Telling:
    """Whoever fires at what they have waited for."""
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
    """Rounds leave the weapon; which shot of the turn it is."""
    if not now.kind.ranged:
        return combat
    shots = FIRED_WITH[thing(now.name, now.weapon)]
    shot = shots.of(combat, now.by) + 1
    combat = yield SHOT.found(now.key, shot, "", _FIRE)
    combat = yield ROUNDS.found(now.key, rounds, f"RoF {now.weapon.rof}" if now.weapon.automatic else "", _FIRE)
    combat = yield shots.found(now.key, shot, "", _FIRE, who=now.by)
    if combat.resources.resource(now.by, thing(now.name, now.weapon)).of:
        combat = yield ResourceSpent(now.by, thing(now.name, now.weapon), rounds, now.key, "fires")
    return combat
