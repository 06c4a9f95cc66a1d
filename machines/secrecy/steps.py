"""Audiences of the boxes that an exchange goes through, where something in it is secret.

The way through a procedure tells what decided it, such as a skill that is high enough. So where a sheet, a roll or a
modifier of the exchange is secret, a box is shown to those alone who see something that happens in it, with the boxes
that run the procedure in which it stands; and the whole way to those who may see the secret.
"""

from collections.abc import Iterable

import msgspec

from ledger.audience import either, shared
from ledger.events import Audience, Declared, Event, ExchangeEnded, StepEntered


def conceal(events: Iterable[Event], frames: int, known_to: Audience) -> list[Event]:
    """Hide the boxes in which nothing happens that is shown.

    Args:
        events: What follows from a command, each with its audience.
        frames: How many exchanges are open before it.
        known_to: Who may see everything that is secret in the exchange; None: nothing is.
    """
    told = list(events)
    if known_to is None:
        return told
    audiences = _audiences(told, frames, known_to)
    return [
        msgspec.structs.replace(event, seen_by=shared([event.seen_by, audiences[place]]))
        if place in audiences
        else event
        for place, event in enumerate(told)
    ]


def _audiences(told: list[Event], frames: int, known_to: Audience) -> dict[int, Audience]:
    """Who may see each box of an exchange, by its place among the events."""
    audiences: dict[int, Audience] = {}
    around: dict[int, int] = {}
    for place, event in enumerate(told):
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
