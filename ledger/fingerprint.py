"""The fingerprint of a request: recognizes a repeat without comparing what came of it.

    fingerprint = SHA-256(canonical JSON of (by, what was asked))

Only the request as it was made goes in, never what was filled in later (drawn faces, resolved keys), so a repeat has
the same fingerprint whenever it comes. In the log it is part of a salted leaf, so a hidden one cannot be guessed.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ledger.codec import canonical
from ledger.entry import Who


def fingerprint(by: Who, asked: Sequence[Any]) -> str:
    """Returns the fingerprint of a request, in hex.

    Args:
        by: The person and the seat that ask.
        asked: What they ask for: a verb and its arguments, anything that canonical JSON can hold.

    >>> fingerprint(Who("ann"), ("undo", "step", "")) == fingerprint(Who("ann"), ["undo", "step", ""])
    True
    >>> fingerprint(Who("ann"), ("undo", "step", "")) == fingerprint(Who("bob"), ("undo", "step", ""))
    False
    """
    return sha256(canonical((by, asked))).hexdigest()
