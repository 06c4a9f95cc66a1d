"""Counts events in a branch's tally, and finds open numbers in texts that matter."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger import events as e
from replays.odds.engine.branches import DISPLAY_ONLY, Tally
from replays.odds.engine.relevance import TOLD, HiddenValueRead
from replays.odds.engine.symbolic import Unthrown, mark_in

Events = tuple[e.Event, ...]


def count(tally: Tally, event: e.Event) -> None:
    """Adds an event to a tally.

    Args:
        tally: The tally so far; changed in place.
        event: The event.

    Raises:
        HiddenValueRead: A test that was counted already is read again.
    """
    match event:
        case e.DamageTaken():
            _add(tally, ("track", event.who, event.track), event.amount)
        case e.WoundSuffered():
            _add(tally, ("wounds", event.who, event.kind), event.count)
        case e.ConditionGained():
            tally["condition", event.who, event.condition] = True
        case e.TestResolved():
            if tally.get(("test", event.key)) == TOLD:
                raise HiddenValueRead(("test", event.key))
            tally["test", event.key] = event.outcome
            tally["target", event.key] = event.target
        case e.Overruled(figure="outcome"):
            tally["test", event.key] = event.gm_says
        case e.InitiativeScored():
            tally["score", event.who] = event.score
        case e.ExchangeEnded():
            tally["exchange", event.key] = event.outcome


def _add(tally: Tally, key: tuple[str, ...], amount: Any) -> None:
    tally[key] = tally.get(key, 0) + amount


def marked(events: Events) -> str:
    """Returns the first mark of an open number in any field that counts; empty where there is none."""
    return next(filter(None, (mark for event in events for mark in _marks(event))), "")


def _marks(value: Any) -> Iterator[str]:
    if type(value) is Unthrown:
        return
    if isinstance(value, str):
        yield mark_in(value)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            if field not in DISPLAY_ONLY:
                yield from _marks(getattr(value, field))
    elif isinstance(value, Mapping):
        yield from _marks(tuple(value.items()))
    elif isinstance(value, Iterable):
        for each in value:
            yield from _marks(each)
