"""Ranges: bands by the weapon's range rating, and distance modifiers of psi."""

from collections.abc import Iterator

import msgspec

from ledger.events import Event
from machines.contract.assumptions import assume
from machines.contract.refusals import BadTerms
from machines.eclipse_phase.second.attack.attack_context import Attack
from machines.eclipse_phase.second.sheet.sheet import Weapon, half_up
from machines.eclipse_phase.second.sheet.sheet_access import gravity, sheet, situation
from machines.eclipse_phase.second.tables.rows import Range
from machines.eclipse_phase.second.tables.tables import ATTACK_KINDS, RANGES
from projections.combat import Combat

POINT_BLANK, CLOSE, FAR, BEYOND = RANGES
MOST_MULTIPLES = 1000
TOUCHING = "touching the target"
_PSI = 10
"""Modifier of a sleight for each further step of two meters (EP2 14/04 Psi Range)."""


class Distance(msgspec.Struct, frozen=True):
    """A range band, and the number of times that its modifier counts."""

    row: Range
    times: int = 1

    @property
    def modifier(self) -> int:
        """Modifier to hit.

        Source: EP2 12/04 Range
        """
        return self.row.modifier * self.times


def band(combat: Combat, now: Attack) -> Distance:
    """Returns the band of the distance, or the declared band, or close range.

    Source: EP2 12/04 Range
    """
    terms = now.terms
    known = not terms.range or now.weapon.range is not None or now.kind.by_som
    if terms.distance is not None and known:
        return band_at(combat, now.by, now.weapon, terms.distance)
    row = RANGES[terms.range or CLOSE]
    return Distance(row, 2 if row.beyond else 1)


def assumed_range(now: Attack) -> Iterator[Event]:
    """Yields the range that is assumed if neither range nor distance was declared.

    Source: EP2 12/04 Range, 14/04 Psi Range; Ruling: EP2-N36
    """
    if now.terms.range or now.terms.distance is not None:
        return
    if now.kind.needs_range:
        yield assume(now.key, "range", CLOSE, "EP2 12/04 Range")
    elif now.kind.minds and TOUCHING not in now.terms.modifiers:
        yield assume(now.key, "distance", CLOSE, "EP2 14/04 Psi Range")


def band_at(combat: Combat, by: str, weapon: Weapon, meters: int) -> Distance:
    """Returns the band of a distance; beyond the range rating, each multiple or part of one counts.

    Source: EP2 12/04 Range, Range and Gravity; Ruling: EP2-N3
    """
    for row in RANGES.values():
        if row.upto is not None and meters <= row.upto:
            return Distance(row)
    rating = reach(combat, by, weapon)
    if rating is None or meters <= rating:
        return Distance(RANGES[FAR])
    return Distance(RANGES[BEYOND], min(MOST_MULTIPLES, -(-meters // max(1, rating))))


def check_distance(combat: Combat, now: Attack) -> None:
    """Rejects a distance without meaning for the weapon, and one that contradicts the range band.

    Source: EP2 12/04 Range
    """
    meters, declared, weapon = now.terms.distance, now.terms.range, now.weapon
    if declared and not now.kind.needs_range:
        raise BadTerms(f"{now.name} has no range bands", where="range", accepts="distance, or none")
    if meters is None or not now.kind.needs_range:
        return
    near = any(row.upto is not None and meters <= row.upto for row in RANGES.values())
    unknown = weapon.range is None and not now.kind.by_som and not near
    if unknown and not declared:
        problem = f"{now.name} has no range rating: {meters} m is in no range band"
        raise BadTerms(problem, where="distance", accepts="range, or a weapon with range")
    found = band_at(combat, now.by, weapon, meters).row.name
    if declared and (declared not in (FAR, BEYOND) if unknown else declared != found):
        expected = f"{FAR} or {BEYOND}" if unknown else found
        raise BadTerms(f"{meters} m is {expected}, and not {declared}", where="range", accepts=f"{expected}, or none")


def reach(combat: Combat, by: str, weapon: Weapon) -> int | None:
    """Returns the range rating under this fight's gravity; None for unlimited.

    Source: EP2 12/04 Range and Gravity, Beam Weapons and Vacuum, 12/07 Thrown Weapons
    """
    by_som = ATTACK_KINDS[weapon.kind].by_som and weapon.range is None
    rating = sheet(combat, by).aptitudes.som if by_som else weapon.range
    here = situation(combat)
    if rating is None or (not weapon.gravity and here.vacuum):
        return None
    if not weapon.gravity:
        return rating
    return None if gravity(combat).weightless else max(1, half_up(rating * 100, max(1, here.gravity)))


def psi_distance(now: Attack, against_async: bool) -> tuple[int, str]:
    """Returns the distance modifier of a sleight, with its reason; ranges grow against asyncs and when pushed.

    Source: EP2 14/04 Psi Range, Pushing Sleights
    """
    meters = now.terms.distance
    if meters is None or TOUCHING in now.terms.modifiers:
        return 0, ""
    times = 1 + against_async + (now.terms.push == "range")
    if meters <= 2 * times:
        return _PSI, "point-blank"
    beyond = -(-(meters - 10 * times) // 2)
    return (-_PSI * beyond if beyond > 0 else 0), f"{meters} meters"
