"""Counts events in a branch's tally, and finds open numbers in texts that matter."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from ledger import events as e
from replays.odds.engine.forgotten import HiddenValueRead
from replays.odds.engine.relevance import TOLD
from replays.odds.engine.shapes import DISPLAY_ONLY, Tally
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
    return _first_mark(events)


_NUMBERS = frozenset({Unthrown, int, bool, type(None)})


def _mark(value: Any) -> str:
    """Returns the first mark in a value; empty where there is none."""
    kind = type(value)
    if kind in _NUMBERS:
        return ""
    if kind is str:
        return mark_in(value)
    if isinstance(value, msgspec.Struct):
        return _first_mark([getattr(value, field) for field in _counting(type(value))])
    if isinstance(value, Mapping):
        return _first_mark(value.items())
    return _first_mark(value) if isinstance(value, Iterable) else ""


def _first_mark(values: Iterable[Any]) -> str:
    return next(filter(None, map(_mark, values)), "")


@cache
def _counting(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Returns the fields of a type that are not only displayed."""
    return tuple(field for field in kind.__struct_fields__ if field not in DISPLAY_ONLY)
