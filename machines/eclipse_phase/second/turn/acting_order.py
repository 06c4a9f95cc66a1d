"""Whether somebody may wait, break in or go first."""

from machines.contract.refusals import CannotAct, NotYourTurn
from machines.contract.toolkit import one_of
from machines.eclipse_phase.family import actions as family_actions
from machines.eclipse_phase.second.actions.terms import NoTerms, TakeInitiativeTerms
from machines.eclipse_phase.second.success_tests.pools import purse
from machines.eclipse_phase.second.tables.tables import POOLS
from machines.eclipse_phase.second.turn.turn import went_first
from projections.combat import Combat


def check_act(combat: Combat, by: str, terms: NoTerms) -> None:
    """A delayed action, by whoever delayed one, in the moment of somebody else."""
    family_actions.check_act(combat, by, terms)
    if combat.turn.who == by:
        raise NotYourTurn(f"it is {by}'s own moment", where="by", accepts="somebody else's")


def check_take_initiative(combat: Combat, by: str, terms: TakeInitiativeTerms) -> None:
    """Before anybody has acted in an Action Turn in which one has one's moment still to come."""
    family_actions.check_is_awake(combat, by)
    fits = tuple(pool for pool in purse(combat, by) if POOLS[pool].first)
    if not fits:
        raise CannotAct(f"{by} has no point that buys it", where="by", accepts="at least 1 point of Vigor or Insight")
    one_of(terms.pool, fits, "pool")
    if by not in (who for who, _ in combat.initiative.order):
        raise NotYourTurn(f"{by} has no Initiative yet", where="by", accepts="when it is rolled")
    ahead = _ahead(combat, by)
    if ahead:
        raise NotYourTurn(f"{ahead} goes before {by} even so", where="by", accepts=f"after {ahead}")
    if _has_begun(combat, by):
        raise NotYourTurn("somebody has acted in this turn already", where="by", accepts="the beginning of a turn")
    if by in (combat.turn.who, *(who for who, _ in combat.turn.outer)):
        raise NotYourTurn(f"it is {by}'s moment already", where="by", accepts="somebody else's")


def _ahead(combat: Combat, by: str) -> str:
    """Whoever's moment it is by a point and a higher Initiative; empty where it is not so."""
    who, order = combat.turn.who or "", [each for each, _ in combat.initiative.order]
    paid = went_first(combat, who) and who in order and order.index(who) < order.index(by)
    return who if who != by and paid else ""


def _has_begun(combat: Combat, by: str) -> bool:
    """Has anybody acted in this turn who did not pay to go first?"""
    turn = combat.turn
    moments = [(turn.who, turn.spent), *turn.outer]
    begun = turn.who is None or any(spent for _, spent in moments)
    frames = (frame.by for frame in combat.exchange.frames)
    return begun or by in turn.acted or not all(went_first(combat, who) for who in (*turn.acted, *frames))
