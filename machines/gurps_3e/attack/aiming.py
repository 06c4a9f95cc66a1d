"""The Aim maneuver: counts the turns spent aiming one weapon at one target."""

from ledger.events import ConditionGained
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.gurps_3e.actions.terms import AimTerms
from machines.gurps_3e.attack.attack_context import Attack
from machines.gurps_3e.attack.spending import use_maneuver
from projections.combat import Combat

AIMING = "aiming"
AIMS_AT = FigureName("aims at", str, scope="combatant")
AIMS_WITH = FigureName("aims with", str, scope="combatant")
AIMED_IN = FigureName("aimed in", str, scope="combatant")
"""Figure of a combatant: the turn in which they aimed last."""
AIMED = FigureName("aimed", int)
"""Figure of an attack: the number of turns that were spent aiming it."""


def take_aim(combat: Combat) -> Deed:
    """Adds a turn of aiming; changing target or weapon starts again at one."""
    now = frame(combat)
    terms = typed(now.terms, AimTerms)
    before = combat.conditions.of(now.by).get(AIMING)
    same = (AIMS_AT.of(combat, now.by), AIMS_WITH.of(combat, now.by)) == (terms.at, terms.using)
    turns = 1 + ((before.level or 0) if before is not None and same else 0)
    combat = yield from use_maneuver(now)
    for name, value in ((AIMS_AT, terms.at), (AIMS_WITH, terms.using), (AIMED_IN, combat.clock.period)):
        combat = yield name.found(now.key, value, "", HERE, who=now.by)
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
    meant = (AIMS_AT.of(combat, now.by), AIMS_WITH.of(combat, now.by)) == (now.terms.at, now.name)
    return (aims.level or 0) if aims is not None and meant else AIMED.at(combat, now.key)


def has_aimed(combat: Combat, now: Attack) -> bool:
    """Returns whether at least one turn was spent aiming.

    Source: CII 48-51 Flowchart box 10
    """
    return aimed(combat, now) > 0
