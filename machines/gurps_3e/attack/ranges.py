"""Looks up the modifiers for speed and range, and for opportunity fire."""

from collections.abc import Iterator

from ledger.events import Event
from machines.contract.assumptions import assume
from machines.gurps_3e.attack.attack_context import Attack
from machines.gurps_3e.sheet.sheet_access import sheet
from machines.gurps_3e.success_rolls.success import modifier_events
from machines.gurps_3e.tables.rows import Watched, part
from machines.gurps_3e.tables.tables import OPPORTUNITY_FIRE, SIZES, SPEED_AND_RANGE
from projections.combat import Combat

LINE = "line"
_SOURCE = "B 201 Size and Speed/Range"
_FARTHEST = list(SPEED_AND_RANGE.values())[-1]
_TEN_TIMES = 6


def range_modifier(yards: int) -> int:
    """Returns the modifier for the sum of speed and range: the next larger line; ten times as far is 6 less.

    Args:
        yards: 0 or more.

    Source: B 201 Size and Speed/Range

    >>> range_modifier(10), range_modifier(50), range_modifier(15000)
    (-4, -9, -23)
    """
    if yards > part(_FARTHEST.yards):
        return range_modifier(-(-yards // 10)) - _TEN_TIMES
    return next(row.value for row in SPEED_AND_RANGE.values() if yards <= part(row.yards))


def effective_range(now: Attack) -> int:
    """Returns the yards to the target, with one more for each yard that it is higher.

    Source: B 117 Speed/Range, GCT Uphill Shots
    """
    yards = now.terms.distances.get(now.foe, now.terms.distance or 0)
    return yards if now.unintended else yards + now.terms.uphill


def size_modifier(combat: Combat, who: str) -> int:
    """Returns the size modifier of a combatant: as the sheet states it, or that of a length, by the next larger line.

    Source: B 201 Size and Speed/Range
    """
    size = sheet(combat, who).size
    if isinstance(size, int):
        return size
    yards, lines = part(size.partition(" ")[0]), SIZES.values()
    return next((row.value for row in lines if yards <= part(row.yards)), list(lines)[-1].value)


def assumed_distance(now: Attack) -> Iterator[Event]:
    """Yields that a combatant who was not meant is as far away as the target, if no other distance is declared.

    Source: B 117 Hitting the Wrong Target; Ruling: G3-N41
    """
    if now.unintended and now.foe not in now.terms.distances:
        yield assume(now.place, "distances", f"{now.foe} is {effective_range(now)} yards away", _SOURCE)


def speed_and_range(now: Attack) -> Iterator[Event]:
    """Yields the modifier for distance and speed."""
    yards = effective_range(now) + (0 if now.unintended else now.terms.speed)
    yield from modifier_events(now.hit, _SOURCE, {f"speed and range, {yards} yards": range_modifier(yards)})


def opportunity(watching: str) -> Watched | None:
    """Returns the line of opportunity fire; None for more hexes than the table has.

    Source: B 118 Opportunity Fire
    """
    if watching == LINE:
        return next(row for row in OPPORTUNITY_FIRE.values() if not row.hexes)
    hexes = int(watching)
    return next((row for row in OPPORTUNITY_FIRE.values() if hexes <= row.hexes), None)
