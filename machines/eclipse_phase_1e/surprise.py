"""Surprise: who notices an ambush, who does not, and the moment that the ambushers have for themselves."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ConditionLost, ModifierApplied, RollRequested, TurnBegan
from ledger.key import role
from machines import refusals as no
from machines.chart import Deed
from machines.eclipse_phase_1e.initiative import AMBUSHED, stat
from machines.eclipse_phase_1e.moment import what_ends_now
from machines.eclipse_phase_1e.reading import UNABLE, needed, sheet, situation, skill
from machines.eclipse_phase_1e.success import prepare, resolve
from machines.eclipse_phase_1e.turn import FIRST_PHASE, SURPRISED
from machines.eclipse_phase_common.d100 import attacker_prevails
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
    for field in ("ambushers", "alert", "acclimated"):
        for who in getattr(situation(combat), field):
            if who not in combat.roster.here():
                accepts = ", ".join(combat.roster.here())
                raise no.BadSituation(f"there is no {who!r} here", where=f"begin.{field}", accepts=accepts)
    return bool(_ambushers(combat)) and bool(_ambushed(combat))


def _awake(combat: Combat) -> tuple[str, ...]:
    """Who could lie in ambush, or notice one."""
    return tuple(who for who in combat.roster.here() if not combat.conditions.has(who, *UNABLE))


def _ambushers(combat: Combat) -> tuple[str, ...]:
    return tuple(who for who in _awake(combat) if who in situation(combat).ambushers)


def _ambushed(combat: Combat) -> tuple[str, ...]:
    return tuple(who for who in _awake(combat) if who not in situation(combat).ambushers)


def _lurker(combat: Combat) -> str:
    """Whoever of the ambushers is best at it rolls for all."""
    return max(_ambushers(combat), key=lambda who: (skill(sheet(combat, who), "infiltration") or (0, ""))[0])


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
    for who in _ambushed(combat):
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
    for who in _ambushed(combat):
        yield RollRequested(_key(combat, who), who, "1d100", "notice an ambush", "")


def read_surprise(combat: Combat) -> Deed:
    """All surprised: the ambushers have an Action Phase for themselves. None: the ambushed lose Initiative. Else both.

    Source: EP1 204 Surprise; Ruling: EP1-N20
    """
    (lurker,), tested = _tested(combat)
    combat, caught = (yield resolve(combat, lurker)), []
    for who, key in tested.items():
        combat = yield resolve(combat, key)
        if not _notices(combat, lurker, key):
            caught.append(who)
    alone = len(caught) == len(tested)
    for who in caught:
        until = "Initiative is rolled" if alone else FIRST_PHASE
        yield ConditionGained(who, SURPRISED, None, until, "", "did not notice the ambush", _SURPRISE)
    for who in () if alone else tested:
        yield ConditionGained(who, AMBUSHED, None, "Initiative is rolled", "", "ambushed", _SURPRISE)
    return "surprised" if alone else "noticed"


def _tested(combat: Combat) -> tuple[list[str], dict[str, str]]:
    """The key of the ambushers' roll, and by who was ambushed the keys of theirs: of those who did roll."""
    keys = {who: _key(combat, who) for who in combat.roster.who}
    rolled = {who: key for who, key in keys.items() if combat.rolls[key].faces}
    lurking = [key for who, key in rolled.items() if who in situation(combat).ambushers]
    return lurking, {who: key for who, key in rolled.items() if key not in lurking}


def _notices(combat: Combat, lurker: str, notice: str) -> bool:
    """Perception wins an opposed test against Infiltration."""
    mine, theirs = combat.rolls[notice], combat.rolls[lurker]
    return attacker_prevails((mine.outcome, mine.rolled), (theirs.outcome, theirs.rolled))


def _still_free(combat: Combat) -> tuple[str, ...]:
    free = (who for who in _ambushers(combat) if who not in combat.turn.acted)
    return tuple(sorted(free, key=lambda who: -stat(combat, who)))


def any_ambusher_left(combat: Combat) -> bool:
    """Has an ambusher still their moment, before Initiative is rolled?

    Source: EP1 204 Surprise
    """
    return bool(_still_free(combat))


def begin_free_moment(combat: Combat) -> Deed:
    """An ambusher's moment, the higher INIT first.

    Source: EP1 204 Surprise
    """
    who = _still_free(combat)[0]
    for event in what_ends_now(combat, who):
        combat = yield event
    yield TurnBegan(who)
    return None
