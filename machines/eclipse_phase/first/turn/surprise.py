"""Surprise: who notices an ambush, who does not, and the moment that the ambushers have for themselves."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ConditionLost, ModifierApplied, RollRequested, TurnBegan
from ledger.key import role
from machines.contract.chart import Deed
from machines.eclipse_phase.family.ambush import Ambush, check_situation
from machines.eclipse_phase.first.actions.actions import what_ends_now
from machines.eclipse_phase.first.sheet.sheet_access import UNABLE, needed, sheet, situation, skill
from machines.eclipse_phase.first.success_tests.success import prepare, resolve
from machines.eclipse_phase.first.turn.initiative import AMBUSHED, stat
from machines.eclipse_phase.first.turn.turn import FIRST_PHASE, SURPRISED
from projections.combat import Combat

_SURPRISE = "EP1 204 Surprise"
DISTRACTED = -20
"""Whoever does not expect an ambush perceives it only beside other things (EP1 189 Basic Perception)."""


def is_ambush(combat: Combat) -> bool:
    """Does somebody attack out of hiding?

    Source: EP1 204 Surprise

    Raises:
        BadSituation: The fight's beginning names somebody who is not here.
    """
    here, ambush = situation(combat), _ambush(combat)
    check_situation(combat, ambushers=here.ambushers, alert=here.alert, acclimated=here.acclimated)
    return bool(ambush.lurking(combat)) and bool(ambush.walking_in(combat))


def _ambush(combat: Combat) -> Ambush:
    return Ambush(situation(combat).ambushers, UNABLE, _key)


def _lurker(combat: Combat) -> str:
    """Whoever of the ambushers is best at it rolls for all."""

    def value(who: str) -> int:
        found = skill(sheet(combat, who), "infiltration")
        return found[0] if found else 0

    return _ambush(combat).lurker(combat, value)


def _key(combat: Combat, who: str) -> str:
    return role(f"{combat.clock.period}/{who}", "ambush" if who in situation(combat).ambushers else "notice")


def prepare_surprise(combat: Combat) -> Deed:
    """Infiltration against the Perception of everybody else; -20 for whoever is not alert.

    Source: EP1 204 Surprise; Ruling: EP1-N19
    """
    for who in combat.roster.here():
        for name in (SURPRISED, AMBUSHED):
            if combat.conditions.has(who, name):
                combat = yield ConditionLost(who, name, "that was another fight")
    lurker = _lurker(combat)
    value, why = needed(combat, lurker, "infiltration")
    combat = yield from prepare(combat, _key(combat, lurker), lurker, value, why, _SURPRISE)
    for who in _ambush(combat).walking_in(combat):
        value, why = needed(combat, who, "perception")
        distracted = ModifierApplied(_key(combat, who), DISTRACTED, "distracted", "EP1 189 Basic Perception")
        modifiers = () if who in situation(combat).alert else (distracted,)
        combat = yield from prepare(combat, _key(combat, who), who, value, why, _SURPRISE, modifiers)
    return None


def surprise_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Ambushers and ambushed roll.

    Source: EP1 204 Surprise
    """
    lurker = _lurker(combat)
    yield RollRequested(_key(combat, lurker), lurker, "1d100", "lie in ambush", "")
    for who in _ambush(combat).walking_in(combat):
        yield RollRequested(_key(combat, who), who, "1d100", "notice an ambush", "")


def read_surprise(combat: Combat) -> Deed:
    """All surprised: the ambushers have an Action Phase for themselves. None: the ambushed lose Initiative. Else both.

    Source: EP1 204 Surprise; Ruling: EP1-N20
    """
    for key in (_key(combat, who) for who in combat.roster.who):
        if combat.rolls[key].faces:
            combat = yield resolve(combat, key)
    tested, caught = _ambush(combat).tested(combat), _ambush(combat).caught(combat)
    alone = len(caught) == len(tested)
    for who in caught:
        until = "Initiative is rolled" if alone else FIRST_PHASE
        yield ConditionGained(who, SURPRISED, None, until, "", "did not notice the ambush", _SURPRISE)
    for who in () if alone else tested:
        yield ConditionGained(who, AMBUSHED, None, "Initiative is rolled", "", "ambushed", _SURPRISE)
    return "surprised" if alone else "noticed"


def _free(combat: Combat) -> tuple[str, ...]:
    return _ambush(combat).still_free(combat, lambda who: stat(combat, who))


def any_ambusher_left(combat: Combat) -> bool:
    """Has an ambusher still their moment, before Initiative is rolled?

    Source: EP1 204 Surprise
    """
    return bool(_free(combat))


def begin_free_moment(combat: Combat) -> Deed:
    """An ambusher's moment, the higher INIT first.

    Source: EP1 204 Surprise
    """
    who = _free(combat)[0]
    for event in what_ends_now(combat, who):
        combat = yield event
    yield TurnBegan(who)
    return None
