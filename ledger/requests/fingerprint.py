"""The fingerprint of a request, by which a repeated request is recognized.

    fingerprint = SHA-256(canonical JSON of (by, request))

Only the request as it was made is hashed, never what was filled in later (drawn faces, resolved keys), so a repeat has
the same fingerprint at any time. In the log the fingerprint is part of a salted leaf, so a hidden one cannot be
guessed.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ledger.codec import canonical
from ledger.entry import Who


def fingerprint(by: Who, request: Sequence[Any]) -> str:
    """Returns the fingerprint of a request, in hex.

    Args:
        by: The person and the seat that make the request.
        request: A verb and its arguments: any values that canonical JSON can hold.

    >>> fingerprint(Who("ann"), ("undo", "step", "")) == fingerprint(Who("ann"), ["undo", "step", ""])
    True
    >>> fingerprint(Who("ann"), ("undo", "step", "")) == fingerprint(Who("bob"), ("undo", "step", ""))
    False
    """
    return sha256(canonical((by, request))).hexdigest()
