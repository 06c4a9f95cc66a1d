"""Computes the chances of an open roll alone, where what follows it depends on something hidden from the viewer.

They are computed from the target that the viewer sees, by the ruleset's `read_alone`. Only success and failure are
distinguished: what makes an outcome critical may be hidden.
"""

from collections import Counter
from fractions import Fraction

import msgspec

from machines.contract.ruleset import Ruleset
from machines.engine.options import Unknown
from projections.combat import Combat
from replays.odds.engine.dice_space import TooMany, ways
from replays.odds.known_state import STOPPED

_MOST_THROWS = 1_000


class RollAlone(msgspec.Struct, frozen=True):
    """The chances of a roll alone."""

    target: int
    throws: int
    """How many throws were read."""
    outcomes: dict[str, Fraction]
    """Shares of ``succeeds`` and ``fails``; their sum is 1."""


def roll_alone(game: Ruleset, seen: Combat, key: str) -> RollAlone | None:
    """Returns the chances of an open roll alone.

    Args:
        game: The rules.
        seen: The state as the viewer sees it.
        key: The key of the roll.

    Returns:
        None where a part of the target is hidden from the viewer, or the game reads such a roll against other rolls.
    """
    sums = game.vocabulary.sums
    if game.read_alone is None or not seen.figures.holds(key, sums.against):
        return None
    if seen.figures.partly(key, sums.goals) is not None or seen.rolls[key].faces:
        return None
    stopped: Unknown = (TooMany, *STOPPED)
    try:
        throws = ways(seen.rolls[key].dice, _MOST_THROWS)
        outcomes = Counter[str]()
        for faces, number in throws:
            outcomes[game.read_alone(_thrown(seen, key, faces), key).outcome] += number
    except stopped:
        return None
    target = seen.figures.number(key, sums.against)
    return RollAlone(target, len(throws), _plain(game, outcomes))


def _thrown(seen: Combat, key: str, faces: tuple[int, ...]) -> Combat:
    roll = msgspec.structs.replace(seen.rolls[key], faces=faces)
    return msgspec.structs.replace(
        seen, rolls=msgspec.structs.replace(seen.rolls, rolls={**seen.rolls.rolls, key: roll})
    )


def _plain(game: Ruleset, outcomes: Counter[str]) -> dict[str, Fraction]:
    """Adds outcomes up to success and failure."""
    good = sum(count for word, count in outcomes.items() if game.vocabulary.is_success(word))
    shares = {"succeeds": Fraction(good, outcomes.total()), "fails": 1 - Fraction(good, outcomes.total())}
    return {word: share for word, share in shares.items() if share}
