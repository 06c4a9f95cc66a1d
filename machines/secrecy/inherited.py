"""Events and commands that end, spend or settle something secret inherit its audience.

Their names alone would reveal it: a lost condition was there before. So they have the audience of what they end,
regardless of who requested it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ledger.audience import shared
from ledger.commands import Adjust, Command, SettleDispute
from ledger.events import (
    Adjusted,
    Audience,
    ConditionLost,
    DisputeSettled,
    Event,
    ResourceGained,
    ResourceSpent,
)
from projections.combat import Combat

_CONDITION = "conditions."


def of_event(event: Event, before: Combat) -> Audience:
    """Returns who may see what an event ends, spends or settles; None if everyone may, or if it does none of that.

    Args:
        event: The event.
        before: The state before its command.
    """
    find = INHERITING.get(type(event))
    return None if find is None else find(event, before)


def of_command(command: Command, combat: Combat) -> Command:
    """Returns a command that concerns something secret with the audience of that; its words are on record, too.

    Args:
        command: As it was requested.
        combat: The state before it.
    """
    match command:
        case Adjust() if command.what.startswith(_CONDITION):
            audience = _of_condition(combat, command.who, command.what.removeprefix(_CONDITION))
        case SettleDispute():
            audience = _of_dispute(combat, command.dispute)
        case _:
            return command
    seen_by = shared([command.seen_by, audience])
    return command if seen_by == command.seen_by else msgspec.structs.replace(command, seen_by=seen_by)


def _of_condition(combat: Combat, who: str, name: str) -> Audience:
    condition = combat.conditions.of(who).get(name)
    return None if condition is None else condition.seen_by


def _of_dispute(combat: Combat, dispute: str) -> Audience:
    challenge = combat.disputes.open.get(dispute)
    return None if challenge is None else challenge.seen_by


def _of_adjustment(event: Adjusted, before: Combat) -> Audience:
    if not event.what.startswith(_CONDITION):
        return None
    return _of_condition(before, event.who, event.what.removeprefix(_CONDITION))


def _of_resource(event: ResourceSpent | ResourceGained, before: Combat) -> Audience:
    return before.resources.resource(event.who, event.resource).seen_by


INHERITING: Mapping[type[Event], Callable[[Any, Combat], Audience]] = {
    ConditionLost: lambda event, before: _of_condition(before, event.who, event.condition),
    Adjusted: _of_adjustment,
    ResourceSpent: _of_resource,
    ResourceGained: _of_resource,
    DisputeSettled: lambda event, before: _of_dispute(before, event.dispute),
}
"""(event, state before): who may see what an event ends, spends or settles; by the types of event that do so."""
