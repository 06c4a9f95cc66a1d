"""The Aim maneuver: counts the turns spent aiming one weapon at one target."""

from ledger.events import ConditionGained
from machines.contract.chart import HERE, Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import figure, frame
from machines.gurps_3e.actions.terms import AimTerms
from machines.gurps_3e.attack.attack_context import Attack
from machines.gurps_3e.attack.spending import use_maneuver
from projections.combat import Combat

AIMING, AIMS_AT, AIMS_WITH = "aiming", "aims at", "aims with"
AIMED_IN = "aimed in"
"""Figure of a combatant: the turn in which they aimed last."""
AIMED = "aimed"
"""Figure of an attack: the number of turns that were spent aiming it."""


def take_aim(combat: Combat) -> Deed:
    """Adds a turn of aiming; changing target or weapon starts again at one."""
    now = frame(combat)
    terms = typed(now.terms, AimTerms)
    before = combat.conditions.of(now.by).get(AIMING)
    same = (combat.figures.of(now.by, AIMS_AT), combat.figures.of(now.by, AIMS_WITH)) == (terms.at, terms.using)
    turns = 1 + ((before.level or 0) if before is not None and same else 0)
    combat = yield from use_maneuver(now)
    for name, value in ((AIMS_AT, terms.at), (AIMS_WITH, terms.using), (AIMED_IN, combat.clock.period)):
        combat = yield figure(now.key, name, value, "", HERE, scope="combatant", who=now.by)
    yield ConditionGained(now.by, AIMING, turns, "another maneuver", now.key, f"at {terms.at}", HERE)
    return None


def aimed(combat: Combat, now: Attack) -> int:
    """Returns the number of turns spent aiming this weapon at this target.

    It is 0 for a stray attack: the combatant it meets was not aimed at.

    Source: B 116 Aiming
    """
    if now.unintended:
        return 0
    aims = combat.conditions.of(now.by).get(AIMING)
    meant = (combat.figures.of(now.by, AIMS_AT), combat.figures.of(now.by, AIMS_WITH)) == (now.terms.at, now.name)
    return (aims.level or 0) if aims is not None and meant else combat.figures.number(now.key, AIMED)


def has_aimed(combat: Combat, now: Attack) -> bool:
    """Returns whether at least one turn was spent aiming.

    Source: CII 48-51 Flowchart box 10
    """
    return aimed(combat, now) > 0
