"""Named conditions, as told: gained and lost by events, never by a clock of their own."""

from collections.abc import Mapping

import msgspec

from ledger.audience import either
from ledger.events import Adjusted, Audience, ConditionGained, ConditionLost
from ledger.key import moment_of
from projections.fold import Routes, drop


class Condition(msgspec.Struct, frozen=True, gc=False):
    """One condition of one combatant."""

    level: int | None = None
    until: str = ""
    """The moment it ends, or what ends it."""
    seen_by: Audience = None
    """Who may see that they have it."""
    level_seen_by: Audience = None
    """Who may see its level: all of them see the condition, too."""


class Conditions(msgspec.Struct, frozen=True, gc=False):
    """By combatant, by name."""

    having: Mapping[str, Mapping[str, Condition]] = {}

    def of(self, who: str) -> Mapping[str, Condition]:
        """Somebody's conditions, by name."""
        return self.having.get(who, {})

    def has(self, who: str, *names: str) -> bool:
        """Does somebody have any of these?"""
        return not self.having.get(who, {}).keys().isdisjoint(names)

    def lasts(self, who: str, *names: str) -> bool:
        """Has somebody any of these until something is done about it? Others end by the clock."""
        mine = self.having.get(who, {})
        return any(moment_of(mine[name].until) is None for name in names if name in mine)


def _gained(conditions: Conditions, event: ConditionGained) -> Conditions:
    before = conditions.of(event.who).get(event.condition)
    seen_by = event.seen_by
    if before is not None and seen_by is not None:  # that they have it was told already
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
