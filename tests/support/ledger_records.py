"""Makes valid entry lines and sealed records for tests of stores."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from ledger.chain import SECRET, Record, genesis, seal
from ledger.codec import encode
from ledger.commands import Note
from ledger.entry import Entry, Who
from ledger.events import Noted
from ledger.stores import Head, Store

AT = "2024-11-03T19:30:00.000Z"


def line_of(seq: int, text: str = "The ork kicks the door in.", at: str = AT) -> bytes:
    """Returns the line of an entry with a note."""
    note = Note(text)
    events = (Noted(text, ""),)
    return encode(Entry(1, seq, seq - 1, at, Who("Ana"), 1, None, note, events))


def record_after(head: Head, text: str = "The ork kicks the door in.", at: str = AT) -> Record:
    """Returns a record that continues a log."""
    seq = head.seq + 1
    line = line_of(seq, text, at)
    secret = seq.to_bytes(SECRET, "big")
    return Record(seq, line, secret, seal(head.digest, line, secret))


def records_after(head: Head, texts: Sequence[str]) -> list[Record]:
    """Returns records that continue a log, one for each text."""
    made: list[Record] = []
    for text in texts:
        made.append(record_after(head, text))
        head = Head(made[-1].seq, made[-1].digest)
    return made


def some_records(count: int, session: str = "doors") -> list[Record]:
    """Returns the first records of a session's log."""
    return records_after(Head(0, genesis(session)), [f"It is {minute} past eight." for minute in range(count)])


def fill(store: Store, count: int, session: str = "doors") -> list[Record]:
    """Creates a session with a number of entries."""
    store.create(session)
    records = some_records(count, session)
    if records:
        store.append(session, records, expected=0)
    return records


def content_of(records: Iterable[Record]) -> str:
    """Returns a digest of all bytes of some entries, in their order."""
    found = sha256()
    for record in records:
        for part in (record.line, record.secret, record.digest):
            found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()
