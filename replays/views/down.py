"""Finds the conditions that keep a combatant out of the fight."""

from machines.registry import vocabulary_of
from projections.combat import Combat


def down_in(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the conditions that keep a combatant out of the fight."""
    words = vocabulary_of(combat.session.ruleset).down
    return tuple(name for name in words if combat.conditions.has(who, name))
