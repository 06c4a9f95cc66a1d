"""Checks of delayed actions and of taking the initiative."""

from machines.contract.refusals import CannotAct, NotYourTurn
from machines.contract.toolkit import one_of
from machines.eclipse_phase.family import actions as family_actions
from machines.eclipse_phase.second.actions.terms import NoTerms, TakeInitiativeTerms
from machines.eclipse_phase.second.success_tests.pools import purse
from machines.eclipse_phase.second.tables.tables import POOLS
from machines.eclipse_phase.second.turn.turn import went_first
from projections.combat import Combat


def check_act(combat: Combat, by: str, terms: NoTerms) -> None:
    """Rejects a delayed action of a combatant who delayed none, or in their own moment."""
    family_actions.check_act(combat, by, terms)
    if combat.turn.who == by:
        raise NotYourTurn(f"it is {by}'s own moment", where="by", accepts="the moment of another combatant")


def check_take_initiative(combat: Combat, by: str, terms: TakeInitiativeTerms) -> None:
    """Rejects taking the initiative after anyone has acted in this Action Turn."""
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
        problem = "another combatant has acted in this turn already"
        raise NotYourTurn(problem, where="by", accepts="the beginning of a turn")
    if by in (combat.turn.who, *(who for who, _ in combat.turn.outer)):
        raise NotYourTurn(f"it is {by}'s moment already", where="by", accepts="the moment of another combatant")


def _ahead(combat: Combat, by: str) -> str:
    """Returns the acting combatant if a point and a higher Initiative put them ahead; otherwise empty."""
    who, order = combat.turn.who or "", [each for each, _ in combat.initiative.order]
    paid = went_first(combat, who) and who in order and order.index(who) < order.index(by)
    return who if who != by and paid else ""


def _has_begun(combat: Combat, by: str) -> bool:
    """Returns whether a combatant has acted in this turn without paying to go first."""
    turn = combat.turn
    moments = [(turn.who, turn.spent), *turn.outer]
    begun = turn.who is None or any(spent for _, spent in moments)
    frames = (frame.by for frame in combat.exchange.frames)
    return begun or by in turn.acted or not all(went_first(combat, who) for who in (*turn.acted, *frames))
