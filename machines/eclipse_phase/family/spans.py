"""Durations: the remaining time of a condition, as a span or until an Action Turn."""

import re
from collections.abc import Callable, Generator, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, Event, TimePassed
from ledger.key import moment_of, period
from projections.combat import Combat, evolve
from projections.combatants.conditions import Condition

SECONDS: Mapping[str, int] = {
    "seconds": 1,
    "minutes": 60,
    "hours": 3600,
    "days": 86_400,
    "weeks": 604_800,
    "months": 2_592_000,
}
"""Seconds of each unit; a month has thirty days."""
TURN = 3
"""Seconds of an Action Turn (EP1 119 Action Turns; EP2 03/03 Action Turns)."""
_SPAN = re.compile(r"([0-9]+) (seconds|minutes|hours)")
"""Duration of a condition from now on."""


def each_upon_the_last(combat: Combat, telling: Generator[Event, Combat, Combat]) -> Iterator[Event]:
    """Yields a generator's events, each decided on the state after those before it.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    try:
        event = next(telling)
        while True:
            yield event
            combat = evolve(combat, event)
            event = telling.send(combat)
    except StopIteration:
        return


def passing(minutes: int) -> TimePassed:
    """Returns the passing of time, in hours if they are whole.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    return TimePassed(minutes // 60, "hours") if minutes % 60 == 0 else TimePassed(minutes, "minutes")


def ends(combat: Combat, who: str, name: str, condition: Condition, seconds: int) -> Iterator[Event]:
    """Ends a condition whose time is over, or records the time it has left; a condition without a duration stays.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    left = seconds_left(combat, condition.until)
    if left is None:
        return
    if left <= seconds:
        yield ConditionLost(who, name, "its time is over")
        return
    until = LEFT[moment_of(condition.until) is None](combat, left - seconds)
    if until != condition.until:
        yield ConditionGained(who, name, condition.level, until, "", "the rest of its time", "")


def seconds_left(combat: Combat, until: str) -> int | None:
    """Returns the seconds until a condition ends, or None if it does not end by time.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    moment, span = moment_of(until), _SPAN.fullmatch(until)
    if moment is not None:
        turns = moment[1] - combat.clock.round if moment[0] == combat.clock.combat else 0
        return max(0, turns) * TURN
    return int(span[1]) * SECONDS[span[2]] if span else None


def as_span(_: Combat, seconds: int) -> str:
    """Returns a remaining time in the largest whole unit: ``4 minutes``.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    unit = next(unit for unit in ("hours", "minutes", "seconds") if seconds % SECONDS[unit] == 0)
    return f"{seconds // SECONDS[unit]} {unit}"


def as_moment(combat: Combat, seconds: int) -> str:
    """Returns a remaining time as the Action Turn that ends it.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    return period(combat.clock.combat, combat.clock.round - -(-seconds // -TURN))


LEFT: Mapping[bool, Callable[[Combat, int], str]] = {True: as_span, False: as_moment}
"""Formats a remaining time as it was recorded: as a span, or as an Action Turn."""
