"""Exports and imports sessions as JSON lines: header first, always the same bytes for the same session.

The header has the session's id and its last digest. Each further line is one entry with what is necessary to verify it.
A part that a seat may not see is replaced by its leaf's digest, so that the chain still verifies.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ledger import chain, codec
from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Broken, Newer, Unreadable
from ledger.stores import Store
from projections.views.seen import hidden_parts
from replays.exports import import_checks
from replays.sessions.log import Log
from replays.sessions.record import bindings, stored_records

FORMAT = 1


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    affray: int
    """The version of the format."""
    session: str
    entries: int
    digest: str
    """The digest of the last entry: the head that others may keep."""
    seat: str
    """The seat it was exported for; only the gamemaster's export can be imported."""


def export(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm") -> Iterator[bytes]:
    """Yields a session as lines, without line ends: all entries that the log has when the first line is taken.

    Args:
        log: The session's log.
        eyes: The viewer.
        seat: The seat's name in the header.
    """
    header = _header(log, seat)
    yield codec.canonical(header)
    for _, line in exported(log, eyes, upto=header.entries):
        yield line


def header_of(log: Log, seat: str = "gm") -> bytes:
    """Returns the first line of an export of all entries that the log has now."""
    return codec.canonical(_header(log, seat))


def _header(log: Log, seat: str) -> Header:
    return Header(FORMAT, log.session, log.last, log.digest.hex(), seat)


def exported(
    log: Log, eyes: Viewer = EVERYTHING, after: int = 0, upto: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a range of entries, without line ends, each with its entry's number.

    Args:
        log: The session's log.
        eyes: The viewer.
        after: The entry before the range.
        upto: Its last entry; by default the last of the log.
    """
    for record in log.store.read(log.session, after, upto):
        yield record.seq, chain.export(record, () if eyes == EVERYTHING else _hidden(log, record, eyes))


def _hidden(log: Log, record: chain.Record, eyes: Viewer) -> tuple[int, ...]:
    return (*hidden_parts(log.disclosures.entry(stored_records.entry(record)), eyes), chain.REQUEST)


def check(lines: Iterable[bytes], head: str | None = None) -> Header:
    """Verifies an exported session from the file alone.

    Args:
        lines: The lines of the file.
        head: A digest that a client kept; it must be part of the log.

    Raises:
        Unreadable: It is not an export.
        Broken: It is not what was recorded.
    """
    rest = iter(lines)
    header = read_header(next(rest, b""))
    count, digest, known = 0, chain.genesis(header.session).hex(), head is None
    try:
        for line in chain.check_exported(rest, header.session):
            count, digest = count + 1, msgspec.json.decode(line, type=_Digest).digest
            known = known or digest == head
    except RecursionError as error:
        raise stored_records.too_deep(count + 1) from error
    if (count, digest) != (header.entries, header.digest):
        raise Broken(f"the file ends after {count} of {header.entries} entries", seq=count + 1)
    if not known:
        raise Broken(f"no entry of this log has the digest {head}", seq=count)
    return header


def bring_in(lines: Iterable[bytes], store: Store) -> Header:
    """Imports an exported session into a ledger, whole or not at all.

    Args:
        lines: The lines of the file.
        store: The ledger.

    Raises:
        Unreadable: It is not an export, or parts of it are hidden.
        Broken: It is not what was recorded.
        SessionExists: The ledger already has the session.
        Refused: An entry is impossible; the message has its line.
    """
    kept = list(lines)
    header = check(kept)
    if header.seat != "gm":
        raise Unreadable(f"line 1: it was exported for {header.seat!r:.60}", where="line 1, seat", accepts="gm")
    records = [chain.imported(line) for line in kept[1:]]
    import_checks.check_session(header.session, records)
    store.create(header.session, records, sealed={bindings.ELSEWHERE: b""}, keys=bindings.keys_of(records))
    return header


class _Digest(msgspec.Struct):
    digest: str


def read_header(line: bytes) -> Header:
    """Returns the header from the first line of an export.

    Raises:
        Unreadable: It is not a header.
        Newer: It was written by a newer Affray.
    """
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"line 1: this is not an exported session: {error}", where="line 1") from error
    if header.affray < 1 or (header.affray <= FORMAT and codec.canonical(header) != line):
        raise Unreadable("line 1 is not as it was written", where="line 1")
    if header.affray > FORMAT:
        raise Newer(f"line 1: export format {header.affray} is newer than this Affray reads", where="affray")
    return header
