"""Decodes stored records as entries, and checks that each can be in its place.

These checks are cheap, because they run at every reading; `replays.sessions.record.verify` finds everything else.
"""

from ledger import codec
from ledger.chain import Record
from ledger.entry import Entry
from ledger.errors import Broken, Damaged, Unreadable
from ledger.stores import Store
from projections.history.timeline import misplaced_entry


def entry(record: Record) -> Entry:
    """Returns the entry of a record from a store.

    Raises:
        Damaged: Its number is not its place, or it points to an entry that is not before it.
        Unreadable: Its line is not an entry.
        Newer: It was written by a newer Affray.
    """
    found = decoded(record, record.seq)
    problem = misplaced_entry(found, record.seq)
    if problem:
        raise Damaged.at(record.seq, problem)
    return found


def decoded(record: Record, place: int) -> Entry:
    """Returns the entry of a record; its place in the tree is left to the timeline to check.

    Args:
        record: The stored record.
        place: The number that comes next.

    Raises:
        Damaged: The record has another number.
        Unreadable: Its line is not an entry.
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
    """Returns the first entry of a session.

    Raises:
        Damaged: It is missing, or cannot be the first.
        Unreadable: Its line is not an entry.
        NoSuchSession: There is no session of that id.
    """
    for record in store.read(session, 0, 1):
        return entry(record)
    raise Damaged.at(1, "is missing, with which the session begins")


def too_deep(seq: int) -> Broken:
    """Returns the refusal of a line with deeper nesting than any entry has."""
    return Broken(f"entry {seq} is not readable: it is nested too deeply", seq=seq)


def check(record: Record) -> Entry:
    """Returns the entry of a record; rejects one that cannot be read or be in its place even if its digest is right.

    Raises:
        Broken: Its line is not an entry, or it points to an entry that is not before it.
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
