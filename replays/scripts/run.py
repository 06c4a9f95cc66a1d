"""The one loop: at each rest look the answer up; stop where there is none.

Play, script, rehearsal, correction, what-if and overruling differ only in where the answers come from
(`replays.scripts.stock_answers`) and in what `perform` does with them.
"""

from collections.abc import Callable
from typing import Protocol

from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.sessions.intent import Intent


class Answers(Protocol):
    """Where answers come from."""

    def next(self, game: Ruleset | None, combat: Combat) -> Intent | None:
        """What to perform now, or None where there is no answer."""


Perform = Callable[[Intent], Combat]
"""Performs a command and returns what is so then."""


def run(game: Callable[[], Ruleset | None], combat: Combat, answers: Answers, perform: Perform) -> Combat:
    """Go on until there is no answer.

    Args:
        game: The rules, asked for anew each time: a script begins before its session has any.
        combat: What is so.
        answers: Where answers come from.
        perform: What to do with each.
    """
    while (asked := answers.next(game(), combat)) is not None:
        combat = perform(asked)
    return combat
