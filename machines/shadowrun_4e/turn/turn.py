"""The Combat Turn: its beginning, passes, Action Phases and delayed actions."""

from collections.abc import Iterator

from ledger.events import ConditionLost, Event, PassBegan, RoundBegan, TurnBegan, TurnEnded
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import NotYourTurn
from machines.contract.toolkit import Telling, check_in_a_fight, emit, frame
from machines.shadowrun_4e.actions.action_costs import earn_free
from machines.shadowrun_4e.harm.injury import OVERFLOW, fill, limits
from machines.shadowrun_4e.sheet.sheet_access import DELAYING, UNABLE, check_able, sheet
from machines.shadowrun_4e.turn.initiative import any_pass_left, initiative, tied_with, waiting
from machines.shadowrun_4e.turn.surprise import is_over, is_surprise
from projections.combat import Combat

NEXT_PHASE = "their next Action Phase"
"""When full defense, running, aiming, a delay and suppressive fire end."""
DYING_FOR = FigureName("turns dying", int, scope="combatant")
_DYING = "SR4 153 Exceeding the Condition Monitor"


def begin_turn(combat: Combat) -> Deed:
    """Begins a Combat Turn: ends conditions whose time is over, and lets the dying bleed."""
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
    """Gives a dying combatant a box every Body turns, until stabilized.

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
    """Begins the first Initiative Pass."""
    yield PassBegan(1)
    return None


def who_is_next(combat: Combat) -> str:
    """Returns whether a combatant still acts in this pass, as a label."""
    if waiting(combat):
        return "someone"
    return "nobody"


def is_there_another_pass(combat: Combat) -> bool:
    """Returns whether any combatant has one more pass."""
    return any_pass_left(combat)


def begin_next_pass(combat: Combat) -> Deed:
    """Begins the next Initiative Pass and ends all surprise."""
    combat = yield PassBegan(combat.clock.number + 1)
    yield from is_over(combat, f"{combat.clock.period}/p{combat.clock.number}")
    return None


def does_it_go_on(combat: Combat) -> bool:
    """Returns whether any combatant can still act in a later turn."""
    able = (who for who in combat.roster.here() if not combat.conditions.lasts(who, *UNABLE))
    return any(initiative(combat, who).value > 0 for who in able)


def begin_phase(combat: Combat) -> Deed:
    """Begins the next Action Phase: ends what lasted until then, and adds a Free Action."""
    who = waiting(combat)[0]
    combat = yield from emit(combat, tied_with(combat, who))
    combat = yield from emit(combat, what_ends_now(combat, who))
    combat = yield TurnBegan(who)
    yield from earn_free(combat, who, f"{combat.clock.period}/{who}/p{combat.clock.number}")
    return None


def what_ends_now(combat: Combat, who: str) -> Iterator[Event]:
    """Yields the end of conditions that last until a combatant's next Action Phase.

    Source: SR4S Combat Turn Sequence 3
    """
    for name, condition in combat.conditions.of(who).items():
        if condition.until == NEXT_PHASE and name != "aiming":
            yield ConditionLost(who, name, condition.until)


def end_phase(combat: Combat) -> Deed:
    """Ends the Action Phase."""
    yield TurnEnded(combat.turn.who or "")
    return None


# ------------------------------------------------------------------------------------------------ acting later


def check_act(combat: Combat, by: str, _: object) -> None:
    """Rejects a delayed action without a delay, in the own phase, or after dice were thrown."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    if not combat.conditions.has(by, DELAYING):
        raise NotYourTurn(f"{by} has delayed no action", where="by", accepts="delay first, in the own phase")
    if combat.turn.who is None:
        raise NotYourTurn("no Action Phase is going on", where="by", accepts="an Action Phase")
    if combat.turn.who == by:
        raise NotYourTurn(f"it is {by}'s own phase", where="by", accepts="the phase of another combatant")
    now = combat.exchange.frame
    if now is not None and any(roll.is_rolled for key, roll in combat.rolls.rolls.items() if key.startswith(now.key)):
        raise NotYourTurn(
            f"dice of {now.by}'s {now.kind} are thrown already", where="by", accepts="when it is resolved"
        )


def act_now(combat: Combat) -> Deed:
    """Takes a delayed action."""
    now = frame(combat)
    combat = yield ConditionLost(now.by, DELAYING, "acts now")
    yield TurnBegan(now.by)
    return None
