"""Drawing dice out of a sealed seed: pure arithmetic, so that anybody who is told the seed can do it again.

    commitment = SHA-256(seed)                                        in the log before anything is drawn
    share      = HMAC-SHA-256(seed, the players' nonces)              given after the commitment
    number     = HMAC-SHA-256(share, key, time, sides, nth, attempt)  one for each die

A number of 256 bits is taken only below the highest multiple of the die's sides, else the next attempt is: no face is
likelier than another. `nth` counts the dice of as many sides in one roll, so a larger pool keeps its first faces.
There is no randomness here; `replays/examples/verify_dice.py` is the same without Affray.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from hmac import digest
from itertools import count

from ledger.dice import lowest
from ledger.errors import BadNotation

SEED = 32
"""Bytes of a seed."""
_NUMBERS = 2**256
_MOST_SIDES = 2**63 - 1
"""A face must fit into a line of the log."""


def commitment(seed: bytes) -> str:
    """What is said of a seed before it is used: from this nobody finds it, and no other fits."""
    return sha256(seed).hexdigest()


def faces(
    seed: bytes, nonces: Iterable[tuple[str, str]], key: str, sides: Sequence[int], time: int = 0
) -> tuple[int, ...]:
    """The faces that a seed gives to a roll.

    Args:
        seed: The session's.
        nonces: Pairs of (player, nonce), in the order in which they were given.
        key: Of the roll.
        sides: Of every single die, in the order of the faces.
        time: How often dice of this key were thrown before, where each draw is a new one; else 0.

    Raises:
        BadNotation: A die has more sides than can be written down.

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
    """May a number of 256 bits be taken for a die, so that no face is likelier than another?"""
    return number < _NUMBERS - _NUMBERS % sides
