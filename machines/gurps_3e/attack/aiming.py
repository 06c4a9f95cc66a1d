"""The Aim maneuver: counts the turns spent aiming one weapon at one target."""

from collections.abc import Mapping

from ledger.events import ConditionGained, ConditionLost
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame
from machines.gurps_3e.actions.terms import AimTerms
from machines.gurps_3e.attack.attack_context import Attack
from machines.gurps_3e.attack.spending import use_maneuver
from machines.gurps_3e.profile import profile
from projections.combat import Combat

AIMING = "aiming"
AIMS_AT = FigureName("aims at", str, scope="combatant")
AIMS_WITH = FigureName("aims with", str, scope="combatant")
AIMED_IN = FigureName("aimed in", str, scope="combatant")
"""Figure of a combatant: the turn in which they aimed last."""
AIMED = FigureName("aimed", int)
"""Figure of an attack: the number of turns that were spent aiming it."""
SHOTS_AIMED = FigureName("shots aimed", int, scope="turn")
"""Figure of an attacker: the number of turns that were spent aiming the shots of this turn."""


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

    An attack on an unintended target keeps the aim of the attack that strayed, or has none, by the profile.

    Source: B 116 Aiming; Ruling: G3-N20, G3-N27
    """
    if now.unintended and not keeps_figures(combat):
        return 0
    aims = combat.conditions.of(now.by).get(AIMING)
    meant = (AIMS_AT.of(combat, now.by), AIMS_WITH.of(combat, now.by)) == (now.terms.at, now.name)
    if aims is not None and meant:
        return aims.level or 0
    earlier = SHOTS_AIMED.of(combat, now.by) if meant else 0
    return AIMED.at(combat, now.key) or earlier


def keeps_figures(combat: Combat) -> bool:
    """Returns whether an attack on an unintended target keeps the aim, or snap shot, of the attack that strayed.

    Source: CII 48-51 Flowchart box 20; Ruling: G3-N27
    """
    return AS_STRAYED[profile(combat).stray_attacks]


AS_STRAYED: Mapping[str, bool] = {"anew": False, "as_strayed": True}
"""By the value of the profile's field."""


def use_up_aim(combat: Combat, now: Attack) -> Telling:
    """Ends the aim of an attacker; by the profile it counts for the further shots of the same attack.

    Ruling: G3-N20
    """
    source, turns = "B 116 Aiming", aimed(combat, now)
    combat = yield AIMED.found(now.key, turns, "", source)
    if WHOLE_ATTACK[profile(combat).aim_lasts] and turns:
        combat = yield SHOTS_AIMED.found(now.key, turns, "", source, who=now.by)
    return (yield ConditionLost(now.by, AIMING, "attacks"))


WHOLE_ATTACK: Mapping[str, bool] = {"first_shot": False, "whole_attack": True}
"""Whether an aim counts for all shots of the attack, by the value of the profile's field."""


def has_aimed(combat: Combat, now: Attack) -> bool:
    """Returns whether at least one turn was spent aiming.

    Source: CII 48-51 Flowchart box 10
    """
    return aimed(combat, now) > 0
