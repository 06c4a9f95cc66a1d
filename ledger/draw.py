"""Draws dice from a sealed seed by pure arithmetic, so that anyone who knows the seed can repeat the draw.

    commitment = SHA-256(seed)                                        in the log before anything is drawn
    share      = HMAC-SHA-256(seed, the players' nonces)              given after the commitment
    number     = HMAC-SHA-256(share, key, time, sides, nth, attempt)  one for each die

A number of 256 bits is used only if it is below the highest multiple of the die's sides; otherwise the next attempt is
made. So no face is likelier than another. `nth` counts the dice of one roll that have the same number of sides, so a
larger pool keeps its first faces. This module has no source of randomness. `replays/examples/verify_dice.py` does the
same without Affray.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from hmac import digest
from itertools import count

from ledger.dice import lowest
from ledger.errors import BadNotation

SEED = 32
"""Length of a seed in bytes."""
_NUMBERS = 2**256
_MOST_SIDES = 2**63 - 1
"""The largest integer that msgspec decodes: a face must be readable from the log."""


def commitment(seed: bytes) -> str:
    """Returns the commitment to a seed, which is published before the seed is used and does not reveal it."""
    return sha256(seed).hexdigest()


def faces(
    seed: bytes, nonces: Iterable[tuple[str, str]], key: str, sides: Sequence[int], time: int = 0
) -> tuple[int, ...]:
    """Returns the faces that a seed determines for a roll.

    Args:
        seed: The seed of the session.
        nonces: Pairs of (player, nonce), in the order in which they were given.
        key: The key of the roll.
        sides: The number of sides of each die, in the order of the faces.
        time: The number of earlier draws for this key, if the table agreed on fresh dice for each; else 0.

    Raises:
        BadNotation: A die has more sides than a face in the log can have.

    >>> faces(bytes(32), [("kira", "swordfish")], "r1/kira/initiative", (100, 6, 6))
    (53, 3, 6)
    """
    words = "\n".join(f"{player}\n{nonce}" for player, nonce in nonces)
    share = digest(seed, words.encode(), "sha256")
    found, nth = [], dict.fromkeys(sides, 0)
    for die in sides:
        found.append(_face(share, key, time, die, nth[die]))
        nth[die] += 1
    return tuple(found)


def _face(share: bytes, key: str, time: int, sides: int, nth: int) -> int:
    if sides > _MOST_SIDES:
        raise BadNotation(f"a die of {sides} sides cannot be drawn", where="dice", accepts=f"up to {_MOST_SIDES}")
    for attempt in count():
        text = f"{key}\n{time}\n{sides}\n{nth}\n{attempt}"
        number = int.from_bytes(digest(share, text.encode(), "sha256"), "big")
        if fits(number, sides):
            return lowest(sides) + number % sides
    raise AssertionError("counting does not end")


def fits(number: int, sides: int) -> bool:
    """Returns whether a number of 256 bits may be used for a die without making some faces likelier."""
    return number < _NUMBERS - _NUMBERS % sides
