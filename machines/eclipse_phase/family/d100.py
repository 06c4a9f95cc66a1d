"""Reads percentile dice: outcomes, opposed tests, the cap on modifiers, wounds."""

from machines.contract.dice_reading import pure
from projections.vocabulary import Outcome, Vocabulary

LOWEST, HIGHEST = 0, 99

CRITICAL_SUCCESS = "critical success"
SUCCESS = "success"
FAILURE = "failure"
CRITICAL_FAILURE = "critical failure"
OUTCOMES = (CRITICAL_SUCCESS, SUCCESS, FAILURE, CRITICAL_FAILURE)
VOCABULARY = Vocabulary(
    outcomes=(
        Outcome(CRITICAL_SUCCESS, is_success=True),
        Outcome(SUCCESS, is_success=True),
        Outcome(FAILURE),
        Outcome(CRITICAL_FAILURE),
    ),
    counters=("wounds", "traumas"),
    down=("dead", "mind_lost", "incapacitated", "unconscious", "catatonic"),
    endings_told=("attack",),
)
"""Outcomes and counters of both editions."""

CAP = 60


def is_double(roll: int) -> bool:
    """Returns whether both digits are equal: 00, 11, 22 … 99.

    Source: EP1 117 Criticals; EP2 03/01
    """
    return roll % 11 == 0


@pure
def outcome(roll: int, target: int) -> str:
    """Returns the outcome of a roll: a success at or under the target, critical on doubles.

    00 always succeeds and 99 never does.

    Args:
        roll: 0 to 99.
        target: The target after modifiers; it may lie outside 1 to 98.

    Source: EP1 117 Criticals; EP2 03/01

    >>> outcome(22, 37), outcome(99, 120)
    ('critical success', 'critical failure')
    """
    succeeds = roll == LOWEST or (roll <= target and roll != HIGHEST)
    if is_double(roll):
        return CRITICAL_SUCCESS if succeeds else CRITICAL_FAILURE
    return SUCCESS if succeeds else FAILURE


def flipped(roll: int) -> int:
    """Returns the roll with its digits swapped.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools

    >>> flipped(83)
    38
    """
    return roll % 10 * 10 + roll // 10


@pure
def succeeds(result: str) -> bool:
    """Returns whether an outcome is a success.

    Source: EP1 115 Making Tests; EP2 03/01
    """
    return result in (SUCCESS, CRITICAL_SUCCESS)


@pure
def could_succeed(turned: int, rolled: int, result: str) -> bool:
    """Returns whether swapped digits could succeed against a target of which only the first outcome is known.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools

    >>> could_succeed(14, 41, "failure"), could_succeed(41, 14, "failure"), could_succeed(41, 14, "success")
    (True, False, True)
    """
    return succeeds(result) or turned < rolled


def attacker_prevails(attack: tuple[str, int], defense: tuple[str, int] | None) -> bool:
    """Returns whether the attacker wins the opposed test.

    If both succeed, a critical beats a plain success, then the higher roll wins; equal rolls miss.

    Args:
        attack: (outcome, roll).
        defense: (outcome, roll), or None without a defense.

    Source: EP1 118 Opposed Tests, 192 step 5; EP2 03/02, 12/01 step 5

    >>> attacker_prevails(("success", 8), ("success", 28))
    False
    """
    if not succeeds(attack[0]):
        return False
    if defense is None or not succeeds(defense[0]):
        return True
    if attack[0] != defense[0]:
        return attack[0] == CRITICAL_SUCCESS
    return attack[1] > defense[1]


def capped(modifiers: int) -> int:
    """Returns the sum of modifiers, limited to 60 either way.

    Source: EP1 116 Difficulty and Modifiers; EP2 03/01
    """
    return max(-CAP, min(CAP, modifiers))


def wounds(damage: int, threshold: int) -> int:
    """Returns the number of wounds: one for each full Wound Threshold of one attack's damage.

    Args:
        damage: Damage of one attack after armor; 0 or more.
        threshold: The Wound Threshold; 1 or more.

    Source: EP1 207 Wounds; EP2 12/16

    >>> wounds(21, 10)
    2
    """
    return damage // threshold
