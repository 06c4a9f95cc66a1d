"""Tombstones: the record that remains of a deleted session, chained so that a removed one is detected.

    digest = SHA-256(03 previous-digest line)

The line is canonical JSON: which session was deleted, who deleted it, when and why, how many entries it had and the
digest of the last one. The first tombstone of a ledger continues from a digest that is the same for all ledgers. The
number of entries and the last digest prove that a kept export is the whole deleted session.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec

from ledger.codec import canonical, shape_of
from ledger.entry import Who
from ledger.errors import BadCommand, Newer, SessionDeleted, TombstoneBroken, Unreadable

SHAPE = 1
"""The shape of the lines written today."""

FIRST = sha256(b"affray tombstones").digest()
"""The digest that the first tombstone continues from."""


class Deletion(msgspec.Struct, frozen=True):
    """The deletion of a session: the person, the time and the reason."""

    by: Who
    at: str
    """RFC 3339 in UTC, to the millisecond."""
    why: str


class Tombstone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The remaining facts about a deleted session."""

    v: int
    """The version of the line's shape."""
    number: int
    """1, 2, 3 … without a gap in each ledger."""
    session: str
    entries: int
    """The number of entries that the session had."""
    last: str
    """The digest of the last entry, in hex; for an empty log, the digest that entry 1 would have continued from."""
    at: str
    """The time of the deletion: RFC 3339 in UTC, to the millisecond."""
    by: Who
    why: str

    def refusal(self) -> SessionDeleted:
        """Returns the error for requests to the deleted session."""
        who = f"{self.by.name} ({self.by.seat.value})"
        return SessionDeleted(
            f"session {self.session!r} was deleted by {who} at {self.at}: {self.why}",
            where="session",
            accepts="another session: the id of a deleted one is never reused",
        )


class TombstoneRecord(msgspec.Struct, frozen=True):
    """A tombstone as it is stored: its line and its digest."""

    number: int
    line: bytes
    digest: bytes


_decoder = msgspec.json.Decoder(Tombstone)


def make(
    session: str, deletion: Deletion, entries: int, last: bytes, before: TombstoneRecord | None
) -> TombstoneRecord:
    """Makes the tombstone that continues a ledger's chain.

    Args:
        session: The id of the session that is deleted.
        deletion: The person, the time and the reason.
        entries: The number of its entries.
        last: The digest of the last entry.
        before: The last tombstone of the ledger; None if this is the first.

    Raises:
        BadCommand: A text could not be read back.
    """
    number, previous = (before.number + 1, before.digest) if before else (1, FIRST)
    stone = Tombstone(SHAPE, number, session, entries, last.hex(), deletion.at, deletion.by, deletion.why)
    try:
        line = canonical(stone)
        _decoder.decode(line)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise BadCommand(f"this deletion cannot be stored: {error}", where="deletion", accepts="plain text") from error
    return TombstoneRecord(number, line, _digest(previous, line))


def decode(line: bytes) -> Tombstone:
    """Decodes the line of a tombstone.

    Raises:
        Newer: The line was written by a newer Affray.
        Unreadable: The line is not a tombstone.
    """
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if _is_newer(line):
            raise Newer("this tombstone was written by a newer Affray", where="v", accepts=f"{SHAPE}") from error
        raise Unreadable(f"this is not a tombstone: {error}", where="tombstone") from error


def check(records: Iterable[TombstoneRecord]) -> Iterator[Tombstone]:
    """Yields the tombstones, each verified.

    Args:
        records: All tombstones of a ledger, in order.

    Raises:
        TombstoneBroken: At the first one that is missing, out of order or altered.
    """
    previous = FIRST
    for expected, record in enumerate(records, 1):
        if record.number != expected:
            raise _broken(expected, "is missing")
        if _digest(previous, record.line) != record.digest:
            raise _broken(expected, "was altered or moved")
        try:
            stone = decode(record.line)
        except Unreadable as error:
            raise _broken(expected, f"is not readable: {error.message}") from error
        if stone.number != expected:
            raise _broken(expected, f"has the number {stone.number}")
        previous = record.digest
        yield stone


def _broken(number: int, what: str) -> TombstoneBroken:
    return TombstoneBroken(f"tombstone {number} {what}", where=f"tombstone {number}")


def _digest(previous: bytes, line: bytes) -> bytes:
    return sha256(b"\x03" + previous + line).digest()


def _is_newer(line: bytes) -> bool:
    try:
        return shape_of(line) > SHAPE
    except Unreadable:
        return False
