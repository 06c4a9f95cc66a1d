"""What every game offers in the same way: whom else there is, and the words for a declaration's fields."""

from collections.abc import Callable, Mapping

from ledger.commands import Declare
from projections.combat import Combat

Words = Mapping[str, tuple[str, ...]]
"""By field of a declaration, values that are worth offering."""
FindWords = Callable[[Combat, Declare], Words]


def others(combat: Combat, who: str, *down: str) -> tuple[str, ...]:
    """Who else is here, those with one of these conditions last; nobody where `who` never joined."""
    if who not in combat.roster:
        return ()
    found = (other for other in combat.roster.here() if other != who)
    return tuple(sorted(found, key=lambda other: combat.conditions.has(other, *down)))


def fitting_words(combat: Combat, declared: Declare, common: Words, by_kind: Mapping[str, FindWords]) -> Words:
    """For fields of a declaration, the words that fit.

    Args:
        combat: The state.
        declared: The declaration, as far as it is known.
        common: The words for every kind of declaration.
        by_kind: Finds those for one kind, which go before the others.
    """
    find = by_kind.get(declared.kind)
    return {**common, **(find(combat, declared) if find else {})}
