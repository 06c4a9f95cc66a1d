"""Checkpoints: what follows from a log up to an entry, stored beside the log, so that a long session opens at once.

A checkpoint is a cache, and never trusted over the log. It names the entry that it stands on, with that entry's digest.
Opening a log checks that this entry has this digest, and that all later entries are chained to it; otherwise, and where
another version of Affray wrote it, the checkpoint is ignored, and everything is folded from the log. A person who can
write into the store can also forge a checkpoint: `affray verify` folds the log again and compares.

    stored = SHA-256(body) body        body: version, line end, the encoded `Checkpoint`
"""

from copy import deepcopy
from functools import cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, get_args

import msgspec

from ledger.events import Audience
from projections.combat import Combat
from projections.history.draws import Draws
from projections.history.timeline import Timeline

FOLD = 2
"""The version of the folds. Count it up when a fold leads to another state from the same entries: `tests/golden` fails
until then. The types of the state are not part of it; see `version`."""
EVERY = 64
"""How many entries a log grows until its next checkpoint."""
_DIGEST = 32


class Checkpoint(msgspec.Struct, frozen=True, array_like=True):
    """What follows from the entries of a log up to one of them."""

    seq: int
    """The number of the last entry."""
    digest: bytes
    """Its digest in the log."""
    size: int
    rules_version: int
    corrections: list[int]
    settled: int
    """As `Log.settled`."""
    timeline: Timeline
    draws: Draws
    disclosures: int
    """The number of disclosures."""
    audiences: dict[int, dict[int, Audience]]
    """The disclosed parts of each entry."""
    states: dict[int, Combat]
    """The state after the last entry in force, and after some of those before it, by their numbers."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Checkpoint)


def independent(checkpoint: Checkpoint) -> Checkpoint:
    """Returns a checkpoint that shares nothing with its log that the log changes."""
    parts = ("corrections", "timeline", "draws", "audiences")
    return msgspec.structs.replace(checkpoint, **{part: deepcopy(getattr(checkpoint, part)) for part in parts})


def encode(checkpoint: Checkpoint) -> bytes:
    """Returns a checkpoint as it is stored.

    Raises:
        OverflowError: It has a number that is too large, as only forged entries have.
    """
    body = version() + _encoder.encode(checkpoint)
    return sha256(body).digest() + body


def decode(stored: bytes) -> Checkpoint | None:
    """Returns a stored checkpoint; None if it is damaged, or another version of Affray wrote it."""
    body = stored[_DIGEST:]
    if not is_current(stored) or sha256(body).digest() != stored[:_DIGEST]:
        return None
    try:
        found = _decoder.decode(body[len(version()) :])
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if _is_sound(found) else None


def is_current(stored: bytes) -> bool:
    """Returns whether this version of Affray wrote a stored checkpoint, which may be damaged since."""
    return stored.startswith(version(), _DIGEST)


def _is_sound(found: Checkpoint) -> bool:
    """Returns whether its numbers are those of entries, each of which stands on an earlier one, so that walks end."""
    timeline, last = found.timeline, found.seq
    branches, forks = timeline.branches, timeline.forks
    return (
        timeline.last == last
        and timeline.head in found.states
        and all(0 < seq <= last for seq in (*found.states, *found.corrections))
        and all(0 < head < seq <= last for seq, head in timeline.rewinds.items())
        and 0 <= found.settled <= last
        and branches[:1] == [1]
        and len(branches) == len(forks)
        and all(before < after for before, after in pairwise(branches))
        and all(0 <= fork < branch for branch, fork in zip(branches, forks, strict=True))
    )


@cache
def version() -> bytes:
    """Identifies the folds and the types of what they lead to: a checkpoint with other types cannot be read."""
    types: dict[str, str] = {}
    _describe(Checkpoint, types)
    return f"{FOLD} {sha256(repr(types).encode()).hexdigest()}\n".encode()


def _describe(kind: Any, types: dict[str, str]) -> None:
    """Adds the fields of a struct, and of all structs in them."""
    for inner in get_args(kind):
        _describe(inner, types)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and str(kind) not in types:
        fields = {name: of for base in reversed(kind.__mro__) for name, of in _annotations(base).items()}
        types[str(kind)] = repr([(name, fields[name]) for name in kind.__struct_fields__])
        for of in fields.values():
            _describe(of, types)


def _annotations(kind: type) -> dict[str, Any]:
    found: dict[str, Any] = vars(kind).get("__annotations__", {})
    return found
