"""Stored records as entries, each checked as it is read: that it can be decoded, and can be in its place.

This is little, so that it is done at every reading; what it does not find is found by `replays.log.verify`.
"""

from typing import Any

import msgspec

from ledger import codec
from ledger.chain import Record
from ledger.commands import Rewind
from ledger.entry import Entry, Request
from ledger.errors import Broken, Damaged, Unreadable
from ledger.stores import Store
from projections.timeline import misplaced, misplaced_entry


def entry(record: Record) -> Entry:
    """Returns the entry of a record that a store has read.

    Raises:
        Damaged: It has another number than its place, or points to an entry that is not before it.
        Unreadable: Its line is no entry.
        Newer: It was written by a newer Affray.
    """
    found = decoded(record, record.seq)
    problem = misplaced_entry(found, record.seq)
    if problem:
        raise Damaged.at(record.seq, problem)
    return found


def decoded(record: Record, place: int) -> Entry:
    """Returns the entry of a record for a timeline, which checks where it can be.

    Args:
        record: As it is stored.
        place: The number that comes next.

    Raises:
        Damaged: The record has another number.
        Unreadable: Its line is no entry.
        Newer: It was written by a newer Affray.
    """
    if record.seq != place:
        raise Damaged.at(place, f"is missing, and entry {record.seq} is in its place")
    try:
        return codec.decode(record.line)
    except (Unreadable, RecursionError) as error:
        why = error.message if isinstance(error, Unreadable) else "it is nested too deeply"
        problem = f"entry {place} cannot be read, run affray verify: {why}"
        raise Unreadable(problem, where=f"entry {place}", accepts="affray verify") from error


def first(store: Store, session: str) -> Entry:
    """Returns the entry with which a session begins.

    Raises:
        Damaged: It has lost it, or it cannot be the first.
        Unreadable: Its line is no entry.
        NoSuchSession: There is none of that id.
    """
    for record in store.read(session, 0, 1):
        return entry(record)
    raise Damaged.at(1, "is missing, with which the session begins")


def too_deep(seq: int) -> Broken:
    """Returns the refusal of a line in which brackets are nested deeper than in any entry."""
    return Broken(f"entry {seq} is not readable: it is nested too deeply", seq=seq)


class _Command(msgspec.Struct, gc=False):
    type: str = ""
    to: Any = None


class Place(msgspec.Struct, gc=False):
    """Where an entry says it is."""

    v: int
    seq: int
    after: int
    origin: int | None
    command: _Command
    request: Request | None = None


_place = msgspec.json.Decoder(Place)


def check(record: Record) -> Place:
    """Returns where a record says it is, and refuses one that cannot be there, though its digest may hold.

    Raises:
        Broken: It points to an entry that is not before it, or has no such pointers.
    """
    try:
        found = _place.decode(record.line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Broken(f"entry {record.seq} is not readable: {error}", seq=record.seq) from error
    to = found.command.to if found.command.type == Rewind.__name__ else None
    is_strange = to is not None and type(to) is not int
    problem = misplaced(found.seq, found.after, found.origin, -1 if is_strange else to, place=record.seq)
    if problem:
        raise Broken(f"entry {record.seq} {problem}", seq=record.seq)
    return found
