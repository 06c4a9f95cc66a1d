"""Surprise tests before the first Initiative Pass."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ConditionLost, Event, ModifierApplied, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.refusals import BadSituation
from machines.contract.toolkit import Telling
from machines.shadowrun_4e.sheet.sheet_access import SURPRISED_BY, UNABLE, both, situation
from machines.shadowrun_4e.success_tests.pools import asked, hits, prepare, resolved
from projections.combat import Combat

_SURPRISE = "SR4 155 Surprise"
SURPRISED = "surprised"
FIRST_PASS = "the first Initiative Pass is over"  # noqa: S105  it is a time
ALERT, AMBUSH = 3, 6


def is_surprise(combat: Combat) -> bool:
    """Returns whether the situation calls for surprise tests."""
    begun_as = situation(combat)
    taking_part = combat.roster.here() if not combat.clock.round else tuple(combat.roster.who)
    for who in (*begun_as.ambushers, *begun_as.alert):
        if who not in taking_part:  # a combatant who left later was here at the beginning
            raise BadSituation(f"{who!r} is unknown", where="begin", accepts=", ".join(taking_part))
    return begun_as.surprise or bool(begun_as.ambushers)


def _testing(combat: Combat) -> tuple[str, ...]:
    return tuple(who for who in combat.roster.here() if not combat.conditions.has(who, *UNABLE))


def _key(combat: Combat, who: str) -> str:
    return role(f"{combat.clock.period}/{who}", "surprise")


def prepare_surprise(combat: Combat) -> Deed:
    """Prepares Reaction + Intuition, with a bonus for alert combatants and for ambushers.

    Ruling: SR4-N13
    """
    combat = yield from is_over(combat, combat.clock.period)
    for who in _testing(combat):
        start = both(combat, who, "reaction", "intuition")
        combat = yield from prepare(combat, _key(combat, who), who, start, HERE, _readiness(combat, who))
    return None


def _readiness(combat: Combat, who: str) -> Iterator[Event]:
    begun_as = situation(combat)
    if who in begun_as.ambushers:
        yield ModifierApplied(_key(combat, who), AMBUSH, "lies in wait", _SURPRISE)
    elif who in begun_as.alert:
        yield ModifierApplied(_key(combat, who), ALERT, "alert", _SURPRISE)


def surprise_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice of each combatant."""
    for who in _testing(combat):
        yield from asked(combat, _key(combat, who), who, "surprise")


def read_surprise(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, *(_key(combat, who) for who in _testing(combat)))
    return None


def spring(combat: Combat) -> Deed:
    """Marks each combatant as surprised by those with more hits; ambushers never are."""
    testing = _testing(combat)
    for who in testing:
        mine = hits(combat, _key(combat, who))
        by = [other for other in testing if other != who and hits(combat, _key(combat, other)) > mine]
        if by and who not in situation(combat).ambushers:
            names = ", ".join(by)
            key = _key(combat, who)
            combat = yield SURPRISED_BY.found(key, names, "fewer hits", HERE, who=who)
            combat = yield ConditionGained(who, SURPRISED, None, FIRST_PASS, key, f"by {names}", HERE)
    return None


def is_over(combat: Combat, key: str) -> Telling:
    """Ends all surprise.

    Source: SR4 155 Surprise
    """
    for who in combat.roster.who:
        if combat.conditions.has(who, SURPRISED):
            combat = yield ConditionLost(who, SURPRISED, FIRST_PASS)
        if SURPRISED_BY.of(combat, who):
            combat = yield SURPRISED_BY.found(f"{key}/{who}", "", "", _SURPRISE, who=who)
    return combat
