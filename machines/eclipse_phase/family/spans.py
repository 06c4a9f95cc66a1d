"""How long something still lasts: as a span of time, or until an Action Turn, and what is left of it."""

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
"""By unit; a month has thirty days."""
TURN = 3
"""Seconds of an Action Turn (EP1 119 Action Turns; EP2 03/03 Action Turns)."""
_SPAN = re.compile(r"([0-9]+) (seconds|minutes|hours)")
"""What lasts so long from now on."""


def each_upon_the_last(combat: Combat, telling: Generator[Event, Combat, Combat]) -> Iterator[Event]:
    """What a telling yields, each event upon those before it, where no walk sends what is so.

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
    """Minutes that pass, in hours where they are whole ones.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    return TimePassed(minutes // 60, "hours") if minutes % 60 == 0 else TimePassed(minutes, "minutes")


def ends(combat: Combat, who: str, name: str, condition: Condition, seconds: int) -> Iterator[Event]:
    """What lasts a time is over when so many seconds have passed, or lasts the rest of it; all else stays.

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
    """Until what is said to end does so; None where no clock says it.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    moment, span = moment_of(until), _SPAN.fullmatch(until)
    if moment is not None:
        turns = moment[1] - combat.clock.round if moment[0] == combat.clock.combat else 0
        return max(0, turns) * TURN
    return int(span[1]) * SECONDS[span[2]] if span else None


def as_span(_: Combat, seconds: int) -> str:
    """The rest of a time in the largest whole unit: ``4 minutes``.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    unit = next(unit for unit in ("hours", "minutes", "seconds") if seconds % SECONDS[unit] == 0)
    return f"{seconds // SECONDS[unit]} {unit}"


def as_moment(combat: Combat, seconds: int) -> str:
    """The rest of a time as the Action Turn that ends it.

    Source: EP1 119 Action Turns; EP2 03/03 Action Turns
    """
    return period(combat.clock.combat, combat.clock.round - -(-seconds // -TURN))


LEFT: Mapping[bool, Callable[[Combat, int], str]] = {True: as_span, False: as_moment}
"""The rest of a time, in the way in which it was said: as a span, or as an Action Turn."""
