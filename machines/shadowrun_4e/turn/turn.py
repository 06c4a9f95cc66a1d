"""The Combat Turn: what begins and ends with it, its passes, whose Action Phase it is, and who acts later."""

from collections.abc import Iterator

from ledger.events import ConditionLost, Event, PassBegan, RoundBegan, TurnBegan, TurnEnded
from machines.contract import refusals as no
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, check_in_a_fight, emit, frame
from machines.shadowrun_4e.actions.action_costs import earn_free
from machines.shadowrun_4e.harm.injury import OVERFLOW, fill, limits
from machines.shadowrun_4e.sheet.sheet_access import DELAYING, UNABLE, check_able, sheet
from machines.shadowrun_4e.turn.initiative import any_pass_left, initiative, waiting
from machines.shadowrun_4e.turn.surprise import is_over, is_surprise
from projections.combat import Combat

NEXT_PHASE = "their next Action Phase"
"""What ends full defense, running, an aim, a delay, suppressive fire."""
DYING_FOR = FigureName("turns dying", int, scope="combatant")
_DYING = "SR4 153 Exceeding the Condition Monitor"


def begin_turn(combat: Combat) -> Deed:
    """A new Combat Turn of three seconds; what was to last until now ends, and whoever is dying bleeds."""
    combat = yield RoundBegan(combat.clock.round + 1)
    key = combat.clock.period
    if combat.clock.round > 1 or not is_surprise(combat):
        combat = yield from is_over(combat, key)
    for who in combat.roster.who:
        combat = yield from emit(combat, _endings(combat, who))
        combat = yield from _bleed(combat, who, f"{key}/{who}")
    return None


def _endings(combat: Combat, who: str) -> Iterator[Event]:
    for name, condition in combat.conditions.of(who).items():
        if combat.clock.has_come(condition.until):
            yield ConditionLost(who, name, "its time is over")
        elif combat.clock.round == 1 and condition.until == NEXT_PHASE:
            yield ConditionLost(who, name, "that was another fight")


def _bleed(combat: Combat, who: str, key: str) -> Telling:
    """Whoever is dying takes a box every Body turns, until stabilized.

    Source: SR4 153 Exceeding the Condition Monitor
    """
    if not combat.conditions.has(who, "dying") or combat.conditions.has(who, "dead"):
        return combat
    turns = DYING_FOR.of(combat, who) + 1
    combat = yield DYING_FOR.found(key, turns, "", _DYING, who=who)
    if turns % max(1, sheet(combat, who).value("body") or 1):
        return combat
    combat = yield from fill(combat, who, OVERFLOW, 1, key, "bleeding")
    return (yield from limits(combat, who, key))


# ------------------------------------------------------------------------------------------------ passes and phases


def begin_first_pass(_: Combat) -> Deed:
    """The first Initiative Pass."""
    yield PassBegan(1)
    return None


def who_is_next(combat: Combat) -> str:
    """Is anybody left in this pass, or is nobody ever to act again?"""
    if waiting(combat):
        return "someone"
    return "nobody"


def is_there_another_pass(combat: Combat) -> bool:
    """Has somebody one more pass?"""
    return any_pass_left(combat)


def begin_next_pass(combat: Combat) -> Deed:
    """The next Initiative Pass; nobody is surprised in it."""
    combat = yield PassBegan(combat.clock.number + 1)
    yield from is_over(combat, f"{combat.clock.period}/p{combat.clock.number}")
    return None


def does_it_go_on(combat: Combat) -> bool:
    """Will anybody ever act again?"""
    able = (who for who in combat.roster.here() if not combat.conditions.lasts(who, *UNABLE))
    return any(initiative(combat, who).value > 0 for who in able)


def begin_phase(combat: Combat) -> Deed:
    """The next in order acts; what they did until now ends, and they have a Free Action more."""
    who = waiting(combat)[0]
    combat = yield from emit(combat, what_ends_now(combat, who))
    combat = yield TurnBegan(who)
    yield from earn_free(combat, who, f"{combat.clock.period}/{who}/p{combat.clock.number}")
    return None


def what_ends_now(combat: Combat, who: str) -> Iterator[Event]:
    """What lasts until somebody's next Action Phase.

    Source: SR4S Combat Turn Sequence 3
    """
    for name, condition in combat.conditions.of(who).items():
        if condition.until == NEXT_PHASE and name != "aiming":
            yield ConditionLost(who, name, condition.until)


def end_phase(combat: Combat) -> Deed:
    """Their Action Phase is over."""
    yield TurnEnded(combat.turn.who or "")
    return None


# ------------------------------------------------------------------------------------------------ acting later


def check_act(combat: Combat, by: str, _: object) -> None:
    """A delayed action, by whoever delayed one, in somebody else's phase."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    if not combat.conditions.has(by, DELAYING):
        raise no.NotYourTurn(f"{by} has delayed no action", where="by", accepts="delay first, in one's own phase")
    if combat.turn.who is None:
        raise no.NotYourTurn("nobody acts now", where="by", accepts="somebody's phase")
    if combat.turn.who == by:
        raise no.NotYourTurn(f"it is {by}'s own phase", where="by", accepts="somebody else's")
    now = combat.exchange.frame
    if now is not None and any(roll.faces for key, roll in combat.rolls.rolls.items() if key.startswith(now.key)):
        raise no.NotYourTurn(f"dice of {now.by}'s {now.kind} lie already", where="by", accepts="when it is resolved")


def act_now(combat: Combat) -> Deed:
    """A delayed action is taken."""
    now = frame(combat)
    combat = yield ConditionLost(now.by, DELAYING, "acts now")
    yield TurnBegan(now.by)
    return None
