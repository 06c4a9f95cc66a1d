"""Offers that all games have in common: other combatants, values of fields, the choice of the next action."""

from collections.abc import Callable, Collection, Iterable, Mapping

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Option
from ledger.key import acting
from projections.combat import Combat

END = "end"
"""The option that ends a turn."""
Words = Mapping[str, tuple[str, ...]]
"""The values that are worth offering, by field of a declaration."""
FindWords = Callable[[Combat, Declare], Words]


DEAD = "dead"
"""The condition of combatants who are offered as a target no more."""


def others(combat: Combat, who: str, *down: str, gone: Collection[str] = (DEAD,)) -> tuple[str, ...]:
    """Returns the other combatants who are worth offering as targets; none if `who` never joined.

    Args:
        combat: The state.
        who: The combatant who acts.
        down: The conditions of those who come last.
        gone: The conditions of those who are omitted.
    """
    if who not in combat.roster:
        return ()
    found = (other for other in combat.roster.here() if other != who and not combat.conditions.has(other, *gone))
    return tuple(sorted(found, key=lambda other: combat.conditions.has(other, *down)))


def next_action(
    combat: Combat, options: Iterable[Option], *, within: str = "", in_pass: int | None = None, taken: int = 0
) -> ChoiceRequested:
    """Returns the choice of the acting combatant's next action. Ending the turn is the last option and the default.

    Kinds of declarations may only be offered by this function: corrections recognize such a choice by its key.

    Args:
        combat: The state.
        options: The other options.
        within: The part of the turn, as in its keys, such as ``/p2``.
        in_pass: The pass, if the role of the choice contains it, as in ``act2``.
        taken: The number of actions of this turn that were not declared in this round.
    """
    who = combat.turn.who or ""
    acts = sum(count for kind, count in combat.exchange.counts.items() if kind.startswith(f"{who}/")) + taken
    key = acting(f"{combat.clock.period}/{who}{within}", acts + 1, in_pass)
    return ChoiceRequested(key, who, (*options, Option(END, END)), END, "what to do")
