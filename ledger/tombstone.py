"""Tombstones: what is left of a deleted session, chained so that removing one is seen.

    digest = SHA-256(03 previous-digest line)

The line is canonical JSON: which session was deleted, by whom, when and why, how many entries it had and the digest of
the last one. The first tombstone of a ledger continues from a digest that is the same for all ledgers. The number of
entries and the last digest allow whoever kept an export to prove that it is the deleted session, whole.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec

from ledger.codec import canonical
from ledger.entry import Who
from ledger.errors import BadCommand, Newer, SessionDeleted, TombstoneBroken, Unreadable

SHAPE = 1
"""The shape of the lines written today."""

FIRST = sha256(b"affray tombstones").digest()
"""What the first tombstone continues from."""


class Deletion(msgspec.Struct, frozen=True):
    """Who deletes a session, when and why."""

    by: Who
    at: str
    """RFC 3339 in UTC, to the millisecond."""
    why: str


class Tombstone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a deleted session."""

    v: int
    """The shape of the line."""
    number: int
    """1, 2, 3 … without a gap in each ledger."""
    session: str
    entries: int
    """How many entries the session had."""
    last: str
    """The digest of the last entry, in hex; of an empty log, what the first entry would have continued from."""
    at: str
    """When it was deleted: RFC 3339 in UTC, to the millisecond."""
    by: Who
    why: str

    def refusal(self) -> SessionDeleted:
        """Returns the refusal for whoever asks for the session."""
        who = f"{self.by.name} ({self.by.seat.value})"
        return SessionDeleted(
            f"session {self.session!r} was deleted by {who} at {self.at}: {self.why}",
            where="session",
            accepts="another session: the id of a deleted one is never used again",
        )


class TombstoneRecord(msgspec.Struct, frozen=True):
    """A tombstone as it is stored: its line and its digest."""

    number: int
    line: bytes
    digest: bytes


_decoder = msgspec.json.Decoder(Tombstone)


class _Version(msgspec.Struct):
    v: int


def make(
    session: str, deletion: Deletion, entries: int, last: bytes, before: TombstoneRecord | None
) -> TombstoneRecord:
    """Makes the tombstone that continues a ledger's chain.

    Args:
        session: The id of the session that is deleted.
        deletion: By whom, when and why.
        entries: How many entries it has.
        last: The digest of the last entry.
        before: The ledger's last tombstone; None where this is the first.

    Raises:
        BadCommand: A word is no text that could be read again.
    """
    number, previous = (before.number + 1, before.digest) if before else (1, FIRST)
    stone = Tombstone(SHAPE, number, session, entries, last.hex(), deletion.at, deletion.by, deletion.why)
    try:
        line = canonical(stone)
        _decoder.decode(line)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise BadCommand(f"this deletion cannot be written: {error}", where="deletion", accepts="plain text") from error
    return TombstoneRecord(number, line, _digest(previous, line))


def decode(line: bytes) -> Tombstone:
    """Reads a tombstone's line.

    Raises:
        Newer: It was written by a newer Affray.
        Unreadable: It is no tombstone.
    """
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if _version(line) > SHAPE:
            raise Newer("this tombstone was written by a newer Affray", where="v", accepts=f"{SHAPE}") from error
        raise Unreadable(f"this is no tombstone: {error}", where="tombstone") from error


def check(records: Iterable[TombstoneRecord]) -> Iterator[Tombstone]:
    """Passes tombstones on, each verified.

    Args:
        records: All tombstones of a ledger, in their order.

    Raises:
        TombstoneBroken: At the first that is missing, out of place or altered.
    """
    previous = FIRST
    for expected, record in enumerate(records, 1):
        if record.number != expected:
            raise _broken(expected, "is missing")
        if _digest(previous, record.line) != record.digest:
            raise _broken(expected, "is not what was written, or its place is not")
        try:
            stone = decode(record.line)
        except Unreadable as error:
            raise _broken(expected, f"is not readable: {error.message}") from error
        if stone.number != expected:
            raise _broken(expected, f"is called {stone.number}")
        previous = record.digest
        yield stone


def _broken(number: int, what: str) -> TombstoneBroken:
    return TombstoneBroken(f"tombstone {number} {what}", where=f"tombstone {number}")


def _digest(previous: bytes, line: bytes) -> bytes:
    return sha256(b"\x03" + previous + line).digest()


def _version(line: bytes) -> int:
    try:
        return msgspec.json.decode(line, type=_Version).v
    except (msgspec.DecodeError, UnicodeDecodeError):
        return 0
