"""The conditions of combatants. Only events add and remove them; the clock alone never does."""

from collections.abc import Mapping

import msgspec

from ledger.audience import either
from ledger.events import Adjusted, Audience, ConditionGained, ConditionLost
from ledger.key import moment_of
from projections.fold import Routes, drop


class Condition(msgspec.Struct, frozen=True, gc=False):
    """A condition of a combatant."""

    level: int | None = None
    until: str = ""
    """The period in which it ends, or the game's words for what ends it."""
    seen_by: Audience = None
    """Who may see that the combatant has it."""
    level_seen_by: Audience = None
    """Who may see its level; a part of those who may see the condition."""


class Conditions(msgspec.Struct, frozen=True, gc=False):
    """All conditions, by combatant and name."""

    having: Mapping[str, Mapping[str, Condition]] = {}

    def of(self, who: str) -> Mapping[str, Condition]:
        """Returns the conditions of a combatant, by name."""
        return self.having.get(who, {})

    def has(self, who: str, *names: str) -> bool:
        """Returns whether a combatant has any of these conditions."""
        return not self.having.get(who, {}).keys().isdisjoint(names)

    def lasts(self, who: str, *names: str) -> bool:
        """Returns whether a combatant has any of these conditions without a time limit."""
        mine = self.having.get(who, {})
        return any(moment_of(mine[name].until) is None for name in names if name in mine)


def _gained(conditions: Conditions, event: ConditionGained) -> Conditions:
    before = conditions.of(event.who).get(event.condition)
    seen_by = event.seen_by
    if before is not None and seen_by is not None:  # those who knew of the condition still do
        seen_by = either(before.seen_by, seen_by)
    condition = Condition(event.level, event.until, seen_by, event.seen_by)
    mine = {**conditions.of(event.who), event.condition: condition}
    return Conditions({**conditions.having, event.who: mine})


def _lost(conditions: Conditions, event: ConditionLost) -> Conditions:
    return Conditions({**conditions.having, event.who: drop(conditions.of(event.who), event.condition)})


def _adjusted(conditions: Conditions, event: Adjusted) -> Conditions:
    kind, _, name = event.what.partition(".")
    if kind != "conditions":
        return conditions
    if event.after is None:
        return Conditions({**conditions.having, event.who: drop(conditions.of(event.who), name)})
    level, until = (event.after, "") if isinstance(event.after, int) else (None, event.after)
    condition = Condition(level, until, event.seen_by, event.seen_by)
    return Conditions({**conditions.having, event.who: {**conditions.of(event.who), name: condition}})


ROUTES: Routes = {ConditionGained: _gained, ConditionLost: _lost, Adjusted: _adjusted}
