"""Success tests: d100 at or under a target."""

from collections.abc import Callable, Mapping

from ledger.events import TestResolved
from machines.eclipse_phase_1e.profile import profile
from machines.eclipse_phase_common.d100 import outcome, succeeds
from projections.combat import Combat

DIE = "1d100"

SUCCESS_MARGINS: Mapping[str, Callable[[int, int], int]] = {
    "target_minus_roll": lambda target, roll: max(0, target - roll),  # 00 succeeds against any target
    "roll": lambda _, roll: roll,
}
"""What a Margin of Success is, by the profile's field."""


def resolve(combat: Combat, key: str) -> TestResolved:
    """Read a d100 against its target.

    Source: EP1 115 Making Tests, 118 Margin of Success
    """
    roll, target = combat.rolls[key].faces[0], combat.figures.number(key, "target")
    result = outcome(roll, target)
    margin = SUCCESS_MARGINS[profile(combat).margin](target, roll) if succeeds(result) else min(0, target - roll)
    base = combat.figures.number(key, "base")
    return TestResolved(key, base, target, roll, margin, result, "EP1 115 Making Tests")


def passed(combat: Combat, key: str) -> bool:
    """Did this test succeed?"""
    return succeeds(combat.rolls[key].outcome)
