"""Taking a session out of a ledger and into another: JSON lines, header first, byte for byte the same each time.

The header names the session and its last digest; each line after it is one entry with what it takes to verify it.
What a seat may not see is replaced by its leaf's digest, so the chain still holds.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ledger import chain, codec
from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Broken, Newer, Unreadable
from ledger.stores import Store
from projections.views.seen import hidden_parts
from replays.exports import import_checks
from replays.sessions import bindings, stored_records
from replays.sessions.log import Log

FORMAT = 1


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    affray: int
    """Version of the format."""
    session: str
    entries: int
    digest: str
    """Of the last entry: the head that others may keep."""
    seat: str
    """For whom it was exported; only the gamemaster's can be imported."""


def export(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm") -> Iterator[bytes]:
    """A session as lines, without line ends: what the log knows of when the first is taken, whoever writes meanwhile.

    Args:
        log: The session.
        eyes: What is shown.
        seat: For whom, as the header says it.
    """
    header = _header(log, seat)
    yield codec.canonical(header)
    for _, line in exported(log, eyes, upto=header.entries):
        yield line


def header_of(log: Log, seat: str = "gm") -> bytes:
    """Returns the first line of an export of all that the log knows of now."""
    return codec.canonical(_header(log, seat))


def _header(log: Log, seat: str) -> Header:
    return Header(FORMAT, log.session, log.last, log.digest.hex(), seat)


def exported(
    log: Log, eyes: Viewer = EVERYTHING, after: int = 0, upto: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a stretch of the log, without line ends, each with its entry's number.

    Args:
        log: The session.
        eyes: What is shown.
        after: The entry before the stretch.
        upto: Its last entry; left out, that of the log.
    """
    for record in log.store.read(log.session, after, upto):
        yield record.seq, chain.export(record, () if eyes == EVERYTHING else _hidden(log, record, eyes))


def _hidden(log: Log, record: chain.Record, eyes: Viewer) -> tuple[int, ...]:
    return (*hidden_parts(log.disclosures.entry(stored_records.entry(record)), eyes), chain.REQUEST)


def check(lines: Iterable[bytes], head: str | None = None) -> Header:
    """Verify an exported session, by whoever has only the file.

    Args:
        lines: The file's.
        head: A digest that must be part of the log, from somebody who kept it.

    Raises:
        Unreadable: It is no export.
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
    """Put an exported session into a ledger, whole or not at all.

    Args:
        lines: The file's.
        store: The ledger.

    Raises:
        Unreadable: It is no export, or parts of it are hidden.
        Broken: It is not what was recorded.
        SessionExists: The ledger has it already.
        Refused: An entry is none that could be asked for; the message names its line.
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
    """The first line of an export.

    Raises:
        Unreadable: It is none.
        Newer: It was written by a newer Affray.
    """
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"line 1: this is no exported session: {error}", where="line 1") from error
    if header.affray < 1 or (header.affray <= FORMAT and codec.canonical(header) != line):
        raise Unreadable("line 1 is not as it was written", where="line 1")
    if header.affray > FORMAT:
        raise Newer(f"line 1: export format {header.affray} is newer than this Affray reads", where="affray")
    return header
