"""What every game offers in the same way: whom else there is, the words for a declaration's fields, what to do next."""

from collections.abc import Callable, Iterable, Mapping

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Option
from ledger.key import acting
from projections.combat import Combat

END = "end"
"""The option that ends a turn."""
Words = Mapping[str, tuple[str, ...]]
"""By field of a declaration, values that are worth offering."""
FindWords = Callable[[Combat, Declare], Words]


def others(combat: Combat, who: str, *down: str) -> tuple[str, ...]:
    """Who else is here, those with one of these conditions last; nobody where `who` never joined."""
    if who not in combat.roster:
        return ()
    found = (other for other in combat.roster.here() if other != who)
    return tuple(sorted(found, key=lambda other: combat.conditions.has(other, *down)))


def next_action(
    combat: Combat, options: Iterable[Option], *, within: str = "", in_pass: int | None = None, taken: int = 0
) -> ChoiceRequested:
    """Asks whoever has the turn what to do next; to end it comes last, and is the default.

    It is the only way to offer kinds of declarations: corrections know such a choice by its key.

    Args:
        combat: The state.
        options: What else they may do.
        within: The part of the turn, as its keys name it, such as ``/p2``.
        in_pass: The pass, where the choice's own word names it, as ``act2``.
        taken: Actions of this turn that are not among what was declared in this round.
    """
    who = combat.turn.who or ""
    acts = sum(count for kind, count in combat.exchange.counts.items() if kind.startswith(f"{who}/")) + taken
    key = acting(f"{combat.clock.period}/{who}{within}", acts + 1, in_pass)
    return ChoiceRequested(key, who, (*options, Option(END, END)), END, "what to do")
