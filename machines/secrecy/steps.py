"""Hides the boxes of an exchange in which nothing visible happens, if something in the exchange is secret.

The path through a procedure reveals what decided it, such as a skill that is high enough. So if a sheet, a roll or a
modifier of the exchange is secret, a viewer sees a box only if they see an event in it; the boxes that run its
procedure are shown with it. Those who may see the secret see the whole path.
"""

from collections.abc import Iterable

import msgspec

from ledger.audience import either, shared
from ledger.events import Audience, Declared, Event, ExchangeEnded, StepEntered


def conceal(events: Iterable[Event], frames: int, known_to: Audience) -> list[Event]:
    """Returns the events with the boxes hidden in which nothing visible happens.

    Args:
        events: The events of a command, each with its audience.
        frames: How many exchanges are open before the command.
        known_to: Who may see every secret of the exchange; None if it has no secret.
    """
    redacted = list(events)
    if known_to is None:
        return redacted
    audiences = _audiences(redacted, frames, known_to)
    return [
        msgspec.structs.replace(event, seen_by=shared([event.seen_by, audiences[place]]))
        if place in audiences
        else event
        for place, event in enumerate(redacted)
    ]


def _audiences(events: list[Event], frames: int, known_to: Audience) -> dict[int, Audience]:
    """Returns who may see each box of an exchange, by the place of the box among the events."""
    audiences: dict[int, Audience] = {}
    around: dict[int, int] = {}
    for place, event in enumerate(events):
        if isinstance(event, StepEntered):
            around = {depth: each for depth, each in around.items() if depth < event.depth} | {event.depth: place}
            if frames:
                audiences[place] = known_to
            continue
        frames += isinstance(event, Declared) - isinstance(event, ExchangeEnded)
        for each in around.values():
            if each in audiences:
                audiences[each] = either(audiences[each], event.seen_by)
    return audiences
