"""Runs the answer loop: answers each rest by key, and stops where there is no answer.

Play, scripts, rehearsals, corrections, what-ifs and overrules differ only in the source of the answers
(`replays.scripts.stock_answers`) and in what `perform` does with them.
"""

from collections.abc import Callable
from typing import Protocol

from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.sessions.intent import Intent


class Answers(Protocol):
    """A source of answers."""

    def next(self, game: Ruleset | None, combat: Combat) -> Intent | None:
        """Returns what to perform next; None where there is no answer."""


Perform = Callable[[Intent], Combat]
"""Performs a command and returns the state after it."""


def run(game: Callable[[], Ruleset | None], combat: Combat, answers: Answers, perform: Perform) -> Combat:
    """Performs answers until there is none; returns the state then.

    Args:
        game: Returns the rules; called each time, because a script begins before its session has any.
        combat: The present state.
        answers: The source of the answers.
        perform: Performs each answer.
    """
    while (intent := answers.next(game(), combat)) is not None:
        combat = perform(intent)
    return combat
