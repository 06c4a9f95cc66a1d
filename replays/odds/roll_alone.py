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
    """The chances that a roll succeeds, without what follows from it."""

    target: int
    throws: int
    """How many throws were read, of those that the rules distinguish."""
    outcomes: dict[str, Fraction]
    """Shares of ``succeeds`` and ``fails``; their sum is 1."""


def roll_alone(game: Ruleset, seen: Combat, key: str) -> RollAlone | None:
    """Returns the chances that an open roll succeeds, without what follows from it.

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
        throws = ways(seen.rolls[key].dice, _MOST_THROWS, game.reading(seen, key))
        outcomes = Counter[str]()
        for faces, number in throws:
            outcomes[game.read_alone(_with_faces(seen, key, faces), key).outcome] += number
    except stopped:
        return None
    target = seen.figures.number(key, sums.against)
    return RollAlone(target, len(throws), _success_and_failure(game, outcomes))


def _with_faces(seen: Combat, key: str, faces: tuple[int, ...]) -> Combat:
    """Returns the state after the dice of a roll showed these faces."""
    roll = msgspec.structs.replace(seen.rolls[key], faces=faces)
    return msgspec.structs.replace(
        seen, rolls=msgspec.structs.replace(seen.rolls, rolls={**seen.rolls.rolls, key: roll})
    )


def _success_and_failure(game: Ruleset, outcomes: Counter[str]) -> dict[str, Fraction]:
    """Returns the shares of success and failure among all outcomes."""
    good = sum(count for word, count in outcomes.items() if game.vocabulary.is_success(word))
    shares = {"succeeds": Fraction(good, outcomes.total()), "fails": 1 - Fraction(good, outcomes.total())}
    return {word: share for word, share in shares.items() if share}
