"""Plays a fight from a state to its end, in memory."""

from collections.abc import Callable
from random import Random

from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.odds.fight.limits import MOST_STEPS, ROUNDS
from replays.odds.fight.policy import Policy
from replays.views.down import down_in


def is_over(combat: Combat, out: frozenset[str]) -> bool:
    """Returns whether a fight has ended: it was ended, or those who stand are of one side.

    Args:
        combat: The state.
        out: The combatants who are out of the fight.
    """
    roster = combat.roster
    here = roster.here()
    standing = [who for who in here if who not in out]
    if not combat.clock.fighting or not combat.session.is_open or len(standing) < 2:
        return True
    has_sides = any(not roster.are_allies(here[0], other) for other in here)
    return has_sides and all(roster.are_allies(standing[0], other) for other in standing)


def out_of(combat: Combat, before: frozenset[str] = frozenset()) -> frozenset[str]:
    """Returns the combatants who are out of the fight: down now, or out before."""
    return before.union(who for who in combat.roster.here() if down_in(combat, who))


def play(game: Ruleset, combat: Combat, random: Random, on_step: Callable[[], None]) -> frozenset[str]:
    """Plays a fight to its end and returns the combatants who are out of it then.

    Args:
        game: The rules.
        combat: The state.
        random: Throws the dice and draws lots.
        on_step: Is called before each run of the rules.

    Raises:
        Refused: The rules cannot go on from this state.
    """
    policy, out, last = Policy(game, random, on_step), out_of(combat), combat.clock.round + ROUNDS
    for _ in range(MOST_STEPS):
        if is_over(combat, out) or combat.clock.round > last or not combat.rests:
            break
        combat = policy.answered(combat, out)
        out = out_of(combat, out)
    return out
