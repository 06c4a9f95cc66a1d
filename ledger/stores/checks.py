"""What every store checks alike before it writes, or instead of writing."""

from collections.abc import Sequence

import msgspec

from ledger.chain import Record, command_of
from ledger.entry import Request
from ledger.errors import Damaged, KeyReused

_MOST = 2**32
"""More entries than a session can have."""


class _Asked(msgspec.Struct, gc=False):
    request: Request | None = None


_asked = msgspec.json.Decoder(_Asked)


def check_numbers(records: Sequence[Record], expected: int) -> None:
    """See that records are numbered on from the last known entry.

    Raises:
        AssertionError: They are not, or there are none: the caller is wrong, not the user.
    """
    if not records:
        raise AssertionError("there is nothing to append")
    for seq, record in enumerate(records, expected + 1):
        if record.seq != seq:
            raise AssertionError(f"record {record.seq} stands where {seq} belongs")


def check_batch(key: str, first: object, count: object) -> None:
    """Refuses what is noted beside an idempotency key and cannot be a stretch of a log.

    Args:
        key: The idempotency key.
        first: The number of its first entry.
        count: How many entries it has.

    Raises:
        Damaged: They are no numbers from 1 on.
    """
    is_stretch = type(first) is int and type(count) is int and 0 < first < _MOST and 0 < count < _MOST
    if not is_stretch:
        raise Damaged(f"what was written under the key {key!r} cannot be found", where="key")


def check_repeat(key: str, stored: Sequence[Record], given: Sequence[Record]) -> Sequence[Record]:
    """Returns what stands under a key that comes a second time.

    The fingerprints of the requests are compared, and where there is none, as in older logs, the commands: a repeat may
    well have other times, dice or secrets, and what stands is what counts.

    Raises:
        KeyReused: It comes with another request.
    """
    if not _is_same(stored, given):
        raise KeyReused(f"the key {key!r} was used for other commands (entry {stored[0].seq})", where="key")
    return stored


def _is_same(stored: Sequence[Record], given: Sequence[Record]) -> bool:
    old, new = _asked.decode(stored[0].line).request, _asked.decode(given[0].line).request
    if old is not None and new is not None:
        return old.fingerprint == new.fingerprint
    return len(stored) == len(given) and all(
        command_of(before.line) == command_of(now.line) for before, now in zip(stored, given, strict=True)
    )
