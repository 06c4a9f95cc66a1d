"""Stored records as entries, each checked as it is read: that it can be decoded, and can be in its place.

This is little, so that it is done at every reading; what it does not find is found by `replays.sessions.log.verify`.
"""

from ledger import codec
from ledger.chain import Record
from ledger.entry import Entry
from ledger.errors import Broken, Damaged, Unreadable
from ledger.stores import Store
from projections.history.timeline import misplaced_entry


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


def check(record: Record) -> Entry:
    """Returns the entry of a record, and refuses one that cannot be read or be there, though its digest may hold.

    Raises:
        Broken: Its line is no entry, or it points to an entry that is not before it.
        Newer: It was written by a newer Affray.
    """
    try:
        found = codec.decode(record.line)
    except (Unreadable, RecursionError) as error:
        raise Broken(f"entry {record.seq} is not readable: {error}", seq=record.seq) from error
    problem = misplaced_entry(found, record.seq)
    if problem:
        raise Broken(f"entry {record.seq} {problem}", seq=record.seq)
    return found
