"""What every store checks alike before it writes, or instead of writing."""

from collections.abc import Sequence

from ledger.chain import Record, command_of
from ledger.errors import KeyReused


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


def check_repeat(key: str, stored: Sequence[Record], given: Sequence[Record]) -> Sequence[Record]:
    """What stands under a key that comes a second time.

    Only the commands are compared: a repeat may well have other times, dice or secrets, and what stands is what counts.

    Raises:
        KeyReused: It comes with other commands.
    """
    if len(stored) != len(given) or any(
        command_of(old.line) != command_of(new.line) for old, new in zip(stored, given, strict=True)
    ):
        raise KeyReused(f"the key {key!r} was used for other commands (entry {stored[0].seq})", where="key")
    return stored
