"""What time does outside a fight: the bleeding bleed on, shocks fade, and what was to last so long ends."""

import re
from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, DamageTaken, Event, TimePassed
from ledger.key import moment_of, period
from machines.eclipse_phase_1e.injury import blood_lost, limits
from machines.eclipse_phase_1e.reading import sheet
from machines.eclipse_phase_1e.shock import FADES
from machines.eclipse_phase_1e.success import Telling
from projections.combat import Combat, evolve
from projections.conditions import Condition

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
"""Seconds of an Action Turn (EP1 119 Action Turns)."""
_SPAN = re.compile(r"([0-9]+) (seconds|minutes|hours)")
"""What lasts so long from now on."""


def elapse(combat: Combat, passed: TimePassed) -> Iterator[Event]:
    """What follows from time that has passed, each event upon those before it.

    Source: EP1 207 Bleeding, 204 Shock Attacks, 210 Derangements
    """
    telling = time_goes_by(combat, passed.amount * SECONDS[passed.unit])
    try:
        event = next(telling)
        while True:
            yield event
            combat = evolve(combat, event)
            event = telling.send(combat)
    except StopIteration:
        return


def spend(combat: Combat, minutes: int) -> Telling:
    """Time that something takes outside a fight, and what follows from it; none where it takes none."""
    if minutes <= 0:
        return combat
    combat = yield TimePassed(minutes // 60, "hours") if minutes % 60 == 0 else TimePassed(minutes, "minutes")
    return (yield from time_goes_by(combat, minutes * 60))


def time_goes_by(combat: Combat, seconds: int) -> Telling:
    """Everybody in turn: blood lost, then what ends.

    Source: EP1 207 Bleeding, 204 Shock Attacks, 210 Derangements
    """
    for who in combat.roster.who:
        combat = yield from _bleed(combat, who, seconds)
        for name, condition in combat.conditions.of(who).items():
            for event in ENDS.get(name, _ends)(combat, who, name, condition, seconds):
                combat = yield event
    return combat


def _bleed(combat: Combat, who: str, seconds: int) -> Telling:
    """Damage in every Action Turn, until it kills."""
    if not combat.conditions.has(who, "bleeding") or combat.conditions.has(who, "dead"):
        return combat
    rate = blood_lost(combat, who)
    left = sheet(combat, who).death - combat.health.track(who, "damage").taken
    amount = min(left, rate * (seconds // TURN))
    if amount > 0:
        why = f"bleeding, {rate} in an Action Turn"
        combat = yield DamageTaken(who, "damage", amount, "", why, "EP1 207 Bleeding")
        combat = yield from limits(combat, who, "damage", "")
    return combat


def _ends(combat: Combat, who: str, name: str, condition: Condition, seconds: int) -> Iterator[Event]:
    """What lasts a time is over, or lasts the rest of it; all else stays."""
    left = _seconds_left(combat, condition.until)
    if left is None:
        return
    if left <= seconds:
        yield ConditionLost(who, name, "its time is over")
        return
    until = LEFT[moment_of(condition.until) is None](combat, left - seconds)
    if until != condition.until:
        yield ConditionGained(who, name, condition.level, until, "", "the rest of its time", "")


def _seconds_left(combat: Combat, until: str) -> int | None:
    """Until what is said to end does so; None where no clock says it."""
    moment, span = moment_of(until), _SPAN.fullmatch(until)
    if moment is not None:
        turns = moment[1] - combat.clock.round if moment[0] == combat.clock.combat else 0
        return max(0, turns) * TURN
    return int(span[1]) * SECONDS[span[2]] if span else None


def _as_span(_: Combat, seconds: int) -> str:
    unit = next(unit for unit in ("hours", "minutes", "seconds") if seconds % SECONDS[unit] == 0)
    return f"{seconds // SECONDS[unit]} {unit}"


def _as_moment(combat: Combat, seconds: int) -> str:
    return period(combat.clock.combat, combat.clock.round - -(-seconds // -TURN))


LEFT: Mapping[bool, Callable[[Combat, int], str]] = {True: _as_span, False: _as_moment}
"""The rest of a time, in the way in which it was said: as a span, or as an Action Turn."""


def _fades(combat: Combat, who: str, name: str, condition: Condition, seconds: int) -> Iterator[Event]:
    """A shock is 10 less every minute, or every Action Turn where it was resisted.

    Source: EP1 204 Shock Attacks
    """
    every, level = int(combat.figures.of(who, FADES) or 1) * TURN, condition.level or 0
    left = (_seconds_left(combat, condition.until) or 0) - seconds
    while left <= 0 < level:
        left, level = left + every, level - 10
    if level <= 0:
        yield ConditionLost(who, name, "it has faded")
        return
    until = _as_moment(combat, left)
    if (level, until) != (condition.level, condition.until):
        yield ConditionGained(who, name, level, until, "", "fades as time passes", "EP1 204 Shock Attacks")


def _come_round(_: Combat, who: str, name: str, __: Condition, seconds: int) -> Iterator[Event]:
    """The few seconds that it takes to regain one's wits are soon over outside a fight.

    Source: EP1 209 Trauma Effects
    """
    if seconds >= TURN:
        yield ConditionLost(who, name, "wits regained")


ENDS: Mapping[str, Callable[[Combat, str, str, Condition, int], Iterator[Event]]] = {
    "shocked": _fades,
    "disoriented": _come_round,
}
"""Conditions that end in a way of their own."""
