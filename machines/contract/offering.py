"""Offers that all games have in common: other combatants, values of fields, the choice of the next action."""

from collections.abc import Callable, Iterable, Mapping

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Option
from ledger.key import acting
from projections.combat import Combat

END = "end"
"""The option that ends a turn."""
Words = Mapping[str, tuple[str, ...]]
"""The values that are worth offering, by field of a declaration."""
FindWords = Callable[[Combat, Declare], Words]


def others(combat: Combat, who: str, *down: str) -> tuple[str, ...]:
    """Returns the other combatants, those with one of the conditions `down` last; none if `who` never joined."""
    if who not in combat.roster:
        return ()
    found = (other for other in combat.roster.here() if other != who)
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
