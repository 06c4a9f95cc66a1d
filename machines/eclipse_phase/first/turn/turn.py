"""The Action Turn: its beginning and end, Action Phases, moments, and interruptions."""

from collections.abc import Iterator

from ledger.events import (
    ConditionLost,
    Event,
    PassBegan,
    ResourceSpent,
    RoundBegan,
    TurnBegan,
)
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import emit, frame
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.family.ambush import AMBUSHED, SURPRISED
from machines.eclipse_phase.family.turn import bleed
from machines.eclipse_phase.first.actions.actions import THIS_PHASE, what_ends_now
from machines.eclipse_phase.first.harm import shock
from machines.eclipse_phase.first.sheet.sheet_access import END_OF_NEXT_PHASE, NEXT_PHASE, UNABLE, situation, speed
from machines.eclipse_phase.first.success_tests.moxie import MOXIE
from projections.combat import Combat

PHASES = 4
"""Action Phases in an Action Turn (EP1 188 Action Turns)."""


FIRST_PHASE = "the first Action Phase is over"


def begin_turn(combat: Combat) -> Deed:
    """Begins an Action Turn of three seconds: timed conditions end and bleeding continues."""
    free = combat.turn.acted  # ambushers, whose moments came before the first Action Turn
    combat = yield RoundBegan(combat.clock.round + 1)
    for who in combat.roster.who:
        combat = yield from emit(combat, _endings(combat, who, fresh=combat.clock.round == 1 and who not in free))
        combat = yield from shock.fade(combat, who)
        combat = yield from bleed(combat, who)
    return None


def _endings(combat: Combat, who: str, *, fresh: bool) -> Iterator[Event]:
    for name, condition in combat.conditions.of(who).items():
        if name == SURPRISED and not _is_caught_off_guard(combat, who):
            yield ConditionLost(who, name, "the ambush is over")
        elif name == AMBUSHED and not _begins_with_an_ambush(combat):
            yield ConditionLost(who, name, "Initiative was rolled")
        elif condition.until in (NEXT_PHASE, THIS_PHASE, END_OF_NEXT_PHASE) and fresh:
            yield ConditionLost(who, name, "that was another fight")
        elif condition.level is None and combat.clock.has_come(condition.until):
            yield ConditionLost(who, name, "its time is over")


def _begins_with_an_ambush(combat: Combat) -> bool:
    return combat.clock.round == 1 and bool(situation(combat).ambushers)


def _is_caught_off_guard(combat: Combat, who: str) -> bool:
    """Returns whether a combatant stays surprised through the first Action Phase because others were not surprised."""
    return _begins_with_an_ambush(combat) and combat.conditions.of(who)[SURPRISED].until == FIRST_PHASE


def begin_phase(combat: Combat) -> Deed:
    """Begins an Action Phase; surprise ends after the first."""
    combat = yield PassBegan(combat.clock.number + 1)
    if combat.clock.number > 1:
        for who in combat.roster.here():
            if combat.conditions.has(who, SURPRISED):
                yield ConditionLost(who, SURPRISED, FIRST_PHASE)
    return None


def next_up(combat: Combat) -> str:
    """Returns whether a combatant is left to act in this phase, another phase follows, or the Action Turn is over.

    A fight ends when no combatant will act again.
    """
    if all(combat.conditions.lasts(who, *UNABLE) for who in combat.roster.here()):
        return "nobody"
    if waiting(combat, combat.clock.number):
        return "someone"
    later = range(combat.clock.number + 1, PHASES + 1)
    return "next_phase" if any(waiting(combat, number, fresh=True) for number in later) else "next_turn"


def waiting(combat: Combat, phase: int, *, fresh: bool = False) -> tuple[str, ...]:
    """Returns the combatants whose moment in an Action Phase is still to come, in order.

    Source: EP1 188 Action Turns, 189 Speed
    """
    return tuple(
        who
        for who, _ in combat.initiative.order
        if speed(combat, who) >= phase
        and (fresh or who not in combat.turn.acted)
        and not combat.conditions.has(who, *UNABLE)
        and (phase > 1 or not combat.conditions.has(who, SURPRISED))
    )


# ------------------------------------------------------------------------------------------------ interruptions


def act_now(combat: Combat) -> Deed:
    """Takes a delayed action; the interrupted moment waits until it is resolved."""
    now = frame(combat)
    yield ConditionLost(now.by, DELAYING, "acts now")
    yield TurnBegan(now.by)
    return None


WENT_FIRST = FigureName("went first", int, scope="round")
"""Figure of a combatant who spent Moxie to go first: the number of the Action Phase."""


def went_first(combat: Combat, who: str) -> bool:
    """Returns whether a combatant spent Moxie to go first in this Action Phase.

    Source: EP1 188 Initiative, Moxie and Criticals
    """
    return WENT_FIRST.is_of(combat, who) and WENT_FIRST.of(combat, who) == combat.clock.number


def act_first(combat: Combat) -> Deed:
    """Spends a point of Moxie to go first in this Action Phase."""
    now = frame(combat)
    combat = yield ResourceSpent(now.by, MOXIE, 1, now.key, "act first")
    source = "EP1 188 Initiative, Moxie and Criticals"
    combat = yield WENT_FIRST.found(now.key, combat.clock.number, "Moxie", source, who=now.by)
    combat = yield from emit(combat, what_ends_now(combat, now.by))
    yield TurnBegan(now.by)
    return None
