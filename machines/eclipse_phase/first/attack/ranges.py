"""Ranges: bands by weapon and gravity, and distance modifiers of psi."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from ledger.events import Event
from machines.contract.assumptions import assume
from machines.contract.refusals import BadTerms
from machines.eclipse_phase.first.attack.attack_context import Attack
from machines.eclipse_phase.first.sheet.sheet import Weapon
from machines.eclipse_phase.first.sheet.sheet_access import gravity, sheet, situation
from machines.eclipse_phase.first.tables.tables import RANGES, WEAPON_RANGES, Range, WeaponRange
from projections.combat import Combat

POINT_BLANK_METERS = 2
POINT_BLANK, BANDS = "point-blank", ("short", "medium", "long", "extreme")
_EVERYWHERE = 10**9
"""Meters: unlimited."""
_PSI_METERS = 5
"""Meters up to which a sleight has no modifier (EP1 222 Psi Range)."""


def band(combat: Combat, now: Attack) -> Range:
    """Returns the declared range band, or the band of the distance, or short range.

    Source: EP1 203 Range
    """
    if now.terms.range:
        return RANGES[now.terms.range]
    found = band_at(combat, now.by, now.weapon, now.terms.distance)
    return RANGES[found or BANDS[-1]]


def assumed_range(now: Attack) -> Iterator[Event]:
    """Yields the range that is assumed if neither range nor distance was declared.

    Source: EP1 203 Range, 222 Psi Range; Ruling: EP1-N58
    """
    if now.terms.range or now.terms.distance is not None:
        return
    if now.kind.needs_range:
        yield assume(now.key, "range", BANDS[0], "EP1 203 Range")
    elif now.kind.minds and not now.by_touch:
        yield assume(now.key, "distance", f"up to {_PSI_METERS} m", "EP1 222 Psi Range")


def band_at(combat: Combat, by: str, weapon: Weapon, meters: int | None) -> str:
    """Returns the name of the band of a distance; empty beyond the last band and below the weapon's minimum.

    Source: EP1 193 Combat Modifiers, 203 Range
    """
    row = WEAPON_RANGES.get(weapon.range_class)
    if meters is None or (row is not None and meters < row.least):
        return BANDS[0] if meters is None else ""
    if meters <= POINT_BLANK_METERS or row is None:
        return POINT_BLANK if meters <= POINT_BLANK_METERS else BANDS[0]
    limits = reach_of(combat, by, row)
    return next((name for name, limit in zip(BANDS, limits, strict=True) if meters <= limit), "")


def reach_of(combat: Combat, by: str, row: WeaponRange) -> tuple[int, ...]:
    """Returns the last meter of each band under this fight's gravity.

    Source: EP1 203 Range, Gravity and Vacuum
    """
    som = sheet(combat, by).aptitudes.som if row.som else 1
    here = situation(combat).gravity
    limits = tuple(int(Fraction(text) * som) for text in (row.short, row.medium, row.long, row.extreme))
    return _LIMITS_BY_GRAVITY[row.gravity](limits, here, gravity(combat).weightless)


def _limits_of_projectiles(limits: tuple[int, ...], percent: int, weightless: bool) -> tuple[int, ...]:
    """Returns the range limits of a projectile: low gravity extends the last one, high gravity shortens all."""
    if weightless:
        return (*limits[:-1], _EVERYWHERE)
    if percent < 100:
        return (*limits[:-1], limits[-1] * 100 // percent)
    return tuple(limit * 100 // percent for limit in limits)


_LIMITS_BY_GRAVITY: Mapping[str, Callable[[tuple[int, ...], int, bool], tuple[int, ...]]] = {
    "kinetic": _limits_of_projectiles,
    "beam": lambda limits, *_: limits,
}


def psi_distance(now: Attack) -> int:
    """Returns -10 for each meter beyond 5; 0 without a distance.

    Source: EP1 222 Psi Range
    """
    meters = now.terms.distance or 0
    return -10 * max(0, meters - _PSI_METERS)


def check_distance(combat: Combat, now: Attack) -> None:
    """Rejects a distance out of range or without meaning for the weapon, and one that contradicts the range band.

    Source: EP1 193 Ranged Combat Modifiers
    """
    meters, declared, row = now.terms.distance, now.terms.range, WEAPON_RANGES.get(now.weapon.range_class)
    if declared and not now.kind.needs_range:
        raise BadTerms(f"{now.name} has no range bands", where="range", accepts="distance, or none")
    if meters is not None and not now.kind.needs_range and (now.by_touch or not now.kind.minds):
        raise BadTerms(f"{now.name} strikes at arm's length", where="distance", accepts="none")
    if meters is None or not now.kind.needs_range:
        return
    if row is None and meters > POINT_BLANK_METERS and not declared:
        problem = f"{now.name} has no range class: {meters} m is in no range band"
        raise BadTerms(problem, where="distance", accepts="range, or a weapon with range_class")
    found = band_at(combat, now.by, now.weapon, meters)
    if not found:
        raise BadTerms(f"{now.name} does not reach {meters} m", where="distance", accepts="within its range")
    known = row is not None or POINT_BLANK in (found, declared)
    if declared and known and declared != found:
        problem = f"{meters} m is {found} range, and not {declared}"
        raise BadTerms(problem, where="range", accepts=f"{found}, or range or distance alone")
