"""Corrects explanations of figures that old logs recorded wrongly; the figures themselves stay."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from ledger.events import FigureFound, Json
from machines.gurps_3e.actions.maneuvers import FEINT
from machines.gurps_3e.harm.damage import DEALT, RESISTS

_MULTIPLIED = r"basic (-?\d+)(.*), x (\d+(?:/\d+)?)"
_PART = r"(?<= )[+-]\d+(?= )"
_AGAINST = r"(, against \D+ rounds) \d+(?!.*divided)"


def reword(rules: Json, found: FigureFound) -> str:
    """Returns the explanation of a figure.

    Args:
        rules: The profile's row, as the session recorded it.
        found: The figure, as it is recorded.
    """
    correct = _CORRECTIONS.get(found.name)
    return correct(rules, found) if correct is not None else found.why


def _damage(rules: Json, found: FigureFound) -> str:
    """Corrects damage whose dice alone are multiplied, which version 1 explained as ``basic 5, x 3`` of 11.

    The sum of the dice and what is added to them follows from the damage.

    Source: GCT Critical Hit Table; Ruling: G3-F12
    """
    match = re.fullmatch(_MULTIPLIED, found.why)
    factor = Fraction(match[3]) if match is not None else Fraction(1)
    if match is None or factor <= 1 or rules.get("critical_multiplier") != "dice":
        return found.why
    basic, extra = int(match[1]), match[2]
    more = sum(map(int, re.findall(_PART, extra)))
    dice = (int(found.value) - basic - more) / (factor - 1)
    if dice.denominator != 1:
        return f"basic {basic}{extra}, of which the dice are multiplied by {factor}"
    return f"{dice} on the dice, x {factor} {basic - int(dice):+d} added to them{extra}"


def _resistance(_: Json, found: FigureFound) -> str:
    """Corrects the DR against ammunition that treats a target without armor as slightly armored.

    Source: CII 48-51 Flowchart box 32
    """
    return re.sub(_AGAINST, lambda match: f"{match[1]} {found.value}", found.why)


def _feint(_: Json, found: FigureFound) -> str:
    """Corrects a feint that failed, which gains nothing however badly the other roll fails.

    Source: B 105 Step and Feint
    """
    return "a feint that misses gains nothing" if found.why.startswith("-") else found.why


_CORRECTIONS: Mapping[str, Callable[[Json, FigureFound], str]] = {
    DEALT.name: _damage,
    RESISTS.name: _resistance,
    FEINT.name: _feint,
}
