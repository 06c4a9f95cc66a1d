"""What is as secret as something before it: whatever ends, spends or settles what somebody may not see.

Its name alone tells that it was there: a condition that is lost was had before. So it has the audience of what it
ends, whoever asked for it and however.
"""

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
    """Who may see what an event ends, spends or settles; None where everybody may, or it does nothing of that.

    Args:
        event: The event.
        before: What was so before its command.
    """
    match event:
        case ConditionLost():
            return _of_condition(before, event.who, event.condition)
        case Adjusted() if event.what.startswith(_CONDITION):
            return _of_condition(before, event.who, event.what.removeprefix(_CONDITION))
        case ResourceSpent() | ResourceGained():
            return before.resources.resource(event.who, event.resource).seen_by
        case DisputeSettled():
            return _of_dispute(before, event.dispute)
        case _:
            return None


def of_command(command: Command, combat: Combat) -> Command:
    """A command about something secret, as secret as that: its words are on record, too.

    Args:
        command: As it was asked.
        combat: What is so before it.
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
