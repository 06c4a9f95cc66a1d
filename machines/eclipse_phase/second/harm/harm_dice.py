"""Dice of harm: rolled, or their average."""

from collections.abc import Iterator, Mapping

from ledger.dice import parse
from ledger.events import RollRequested
from machines.contract.toolkit import counted
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet import half_up
from projections.combat import Combat

STATIC: Mapping[str, bool] = {"rolled": False, "average": True}
"""Whether damage is the average of the dice, by the profile's field."""


def harm_dice(combat: Combat, key: str, by: str, notation: str, purpose: str) -> Iterator[RollRequested]:
    """Requests dice of harm, unless damage is their average.

    Source: EP2 12/16 Damage Value
    """
    if not STATIC[profile(combat).damage] and parse(notation).groups:
        now = combat.exchange.frame
        yield RollRequested(key, by, notation, purpose, now.key if now else "")


def harm_of(combat: Combat, key: str, notation: str) -> tuple[int, str]:
    """Returns the total of dice of harm, rolled or average, and its derivation.

    Source: EP2 12/16 Damage Value
    """
    if STATIC[profile(combat).damage]:
        return average(notation), f"{notation} is {average(notation)} on the average"
    return counted(combat, key, notation, half_up)


def average(notation: str) -> int:
    """Returns the printed average of dice, rounded to the nearest, halves up.

    Source: EP2 12/16 Damage Value

    >>> average("2d10+5"), average("1d10+1d6"), average("1d6")
    (16, 9, 4)
    """
    rolled = parse(notation)
    return half_up(sum(sides + 1 for sides in rolled.sides) + 2 * rolled.add, 2)
