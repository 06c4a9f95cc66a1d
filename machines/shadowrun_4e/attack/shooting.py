"""Distance, rounds and recoil of ranged attacks."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import Event, ModifierApplied, ResourceSpent
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import Telling
from machines.shadowrun_4e.attack.attack_context import ROUNDS, Attack
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.printed_codes import parse_band
from machines.shadowrun_4e.sheet.sheet import Weapon
from machines.shadowrun_4e.sheet.sheet_access import attribute
from machines.shadowrun_4e.tables.tables import RANGED_MODIFIERS, WEAPON_RANGES
from projections.combat import Combat

BANDS = ("short", "medium", "long", "extreme")
"""The range bands; each costs one die more than the one before."""
FIRED = FigureName("rounds fired in this phase", int, scope="phase")
TIMES_FIRED = FigureNames("times fired: ", int, scope="phase")
"""How often a weapon was fired in a mode in this Action Phase: ``weapon, mode``. Source: SR4 142 Firing Modes."""
RECOIL = FigureName("recoil carried over", int, scope="phase")
USED = FigureName("compensation used", int, scope="phase")
"""Figures of a shooter that hold for an Action Phase; with the weapon's name, those of one weapon."""
_MODES = "SR4 142 Firing Modes"
_RECOIL = "SR4S Ranged Combat Modifiers Table"


class Reach(msgspec.Struct, frozen=True):
    """The range of a class of weapons."""

    minimum: int
    upto: tuple[int, int, int, int]
    """The far end of each band, in meters."""


# ------------------------------------------------------------------------------------------------ distance


def reach(row: str, strength: int) -> Reach:
    """Returns the range bands of a class of weapons.

    Source: SR4S Weapon Range Table

    >>> reach("bow", 4)
    Reach(minimum=0, upto=(4, 40, 120, 240))
    """
    bands = [parse_band(getattr(WEAPON_RANGES[row], name)) for name in BANDS]
    first, second, third, fourth = (band.upto(strength) for band in bands)
    return Reach((bands[0].low or 0) if bands[0].minimum else 0, (first, second, third, fourth))


def reach_of(combat: Combat, who: str, weapon: Weapon) -> Reach:
    """Returns the range of a weapon, with its user's Strength if it depends on that.

    Source: SR4S Weapon Range Table
    """
    by_strength = any(parse_band(getattr(WEAPON_RANGES[weapon.range], name)).strength for name in BANDS)
    return reach(weapon.range, attribute(combat, who, "strength") if by_strength else 0)


def band(combat: Combat, who: str, weapon: Weapon, meters: int) -> str:
    """Returns the band of a distance; empty if it is beyond the last band or below the minimum.

    Source: SR4S Weapon Range Table
    """
    found = reach_of(combat, who, weapon)
    if meters < found.minimum:
        return ""
    return next((name for name, upto in zip(BANDS, found.upto, strict=True) if meters <= upto), "")


def distance(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields the penalty of one die for each band beyond the first; image magnification removes it.

    Source: SR4S Weapon Range Table, Ranged Combat Modifiers Table; Ruling: SR4-E1
    """
    if now.terms.distance is None or not now.weapon.range or now.weapon.magnification:
        return
    found = band(combat, now.by, now.weapon, now.terms.distance)
    less = BANDS.index(found) if found else 0
    if less:
        yield ModifierApplied(key, -less, f"{found} range", "SR4S Weapon Range Table")


# ------------------------------------------------------------------------------------------------ rounds


def rounds(combat: Combat, now: Attack) -> int:
    """Returns the rounds that this strike fires: those of its mode, or those left.

    Source: SR4 142 Firing Modes; Ruling: SR4-N5
    """
    if now.mode is None:
        return 1
    magazine = combat.resources.resource(now.by, now.name)
    return min(now.mode.rounds, magazine.left) if magazine.of else now.mode.rounds


def fire(combat: Combat, now: Attack) -> Telling:
    """Spends the rounds of this strike and counts how often the mode was fired.

    Source: SR4 142 Firing Modes; Ruling: SR4-N5
    """
    fired = rounds(combat, now)
    combat = yield ROUNDS.found(now.place, fired, f"{now.mode.name}" if now.mode else "one", _MODES, who=now.by)
    if now.mode is not None and not now.shared_burst:
        times_fired = TIMES_FIRED[f"{now.name}, {now.mode.name}"]
        times = times_fired.of(combat, now.by) + 1
        combat = yield times_fired.found(now.place, times, "", _MODES, who=now.by)
    if combat.resources.resource(now.by, now.name).of:
        combat = yield ResourceSpent(now.by, now.name, fired, now.key, now.mode.name if now.mode else "fired")
    return combat


def burst(combat: Combat, now: Attack) -> int:
    """Returns what a burst adds to damage or takes from the defense: its rounds less one; 0 for single shots.

    Source: SR4 142 Firing Modes, SR4S Defense Modifiers Table
    """
    bursts = now.mode is not None and now.mode.burst
    return max(0, ROUNDS.at(combat, now.place) - 1) if bursts else 0


# ------------------------------------------------------------------------------------------------ recoil


def recoil(combat: Combat, now: Attack, key: str) -> Telling:
    """Applies the recoil of this attack and what is carried over, less compensation, which counts once a phase.

    Source: SR4S Ranged Combat Modifiers Table, SR4 142 Firing Modes; Ruling: SR4-N4, SR4-N40
    """
    if now.mode is None:
        return combat
    fired = ROUNDS.at(combat, now.place)
    names = tuple(OF_WEAPON[profile(combat).recoil_of](name, now.name) for name in (FIRED, RECOIL, USED))
    before, carried, used = (name.of(combat, now.by) for name in names)
    own = max(0, fired - (0 if before else 1))
    # The first attack of a phase has recoil for all rounds but the first; a later one for all: 1, 3, 6.
    uncompensated = CARRIES[profile(combat).recoil] * carried + own
    compensated = min(max(0, _compensation(combat, now) - used), uncompensated)
    rest = uncompensated - compensated
    for name, value in zip(names, (before + fired, rest, used + compensated), strict=True):
        combat = yield name.found(now.place, value, "", _RECOIL, who=now.by)
    if rest:
        doubled = 2 if now.weapon.heavy else 1
        parts = (
            f" {word} {value}" for word, value in (("carried over", carried), ("compensated", compensated)) if value
        )
        why = f"recoil of {own}{','.join(['', *parts])}{', heavy weapon' if now.weapon.heavy else ''}"
        combat = yield ModifierApplied(key, -rest * doubled, why, _RECOIL)
    return combat


OF_WEAPON: Mapping[str, Callable[[FigureName[int], str], FigureName[int]]] = {
    "weapon": lambda name, weapon: FigureName(f"{name.name}: {weapon}", name.type, name.scope),
    "shooter": lambda name, _: name,
}
"""The name of a figure of recoil, from its plain name and the weapon, by the value of `recoil_of`."""
CARRIES: Mapping[str, int] = {"carries": 1, "each_attack": 0}
"""Whether uncompensated recoil carries over (1 or 0), by the value of `recoil`."""


def _compensation(combat: Combat, now: Attack) -> int:
    """Returns recoil compensation plus the gyro stabilization not used against the modifier for moving.

    Source: SR4S Ranged Combat Modifiers Table
    """
    return now.weapon.recoil + max(0, now.weapon.gyro - moving(combat, now))


def moving(combat: Combat, now: Attack) -> int:
    """Returns the dice that running costs the shooter.

    Source: SR4S Ranged Combat Modifiers Table
    """
    return -RANGED_MODIFIERS["attacker running"].value if combat.conditions.has(now.by, "running") else 0
