"""With any row of a stored session damaged, reading ends with a result, or with a refusal that names the place."""

import re
from collections.abc import Callable

import msgspec
import pytest
from damaging import SESSION, altered_lines, bounded, damages, in_memory, recorded

from ledger.chain import Record, export, genesis, seal
from ledger.codec import canonical
from ledger.errors import Broken, Damaged, Refused, Unreadable
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.audit import dice_proof
from replays.exports import jsonl
from replays.exports.listing import summaries
from replays.sessions.record.verify import verify
from replays.views.frames import frames

LIMIT = 20.0
"""Time limit in seconds; reading everything takes some hundredths of a second."""


def read(session: Session) -> None:
    """Reads a session by all methods that iterate over its entries."""
    log = session.log
    list(frames(log, everything=True))
    list(frames(log))
    list(log.newest_first())
    for seq in range(log.last + 1):
        log.state(seq)
    list(jsonl.export(log))
    session.state()
    session.audit()


def outcome(store: Store, reading: Callable[[Store], object]) -> Refused | None:
    with bounded(LIMIT):
        try:
            reading(store)
        except Refused as refusal:
            return refusal
    return None


def check_sentence(refusal: Refused, name: str) -> None:
    """Checks that a refusal to load names the entry and a command to run; the rules may refuse other contents."""
    if "events" in name or "command" in name:
        return
    assert isinstance(refusal, Damaged | Unreadable), (name, refusal)
    assert "entry" in refusal.where, (name, refusal)
    assert "affray verify" in str(refusal), (name, refusal)


def test_every_damaged_row_is_read_or_refused_and_found_by_verifying() -> None:
    records = recorded()
    for name, rows in damages(records):
        store = in_memory(rows)
        told = outcome(store, lambda store: read(Session(store, SESSION)))
        if told is not None:
            check_sentence(told, name)
        outcome(store, lambda store: list(summaries(store)))
        found = outcome(store, lambda store: verify(store, SESSION))
        assert isinstance(found, Broken | Damaged), (name, found)


def resealed(rows: list[Record]) -> list[Record]:
    """Returns the same lines with valid digests: a writer of the ledger can recompute the chain."""
    made, previous = [], genesis(SESSION)
    for row in rows:
        previous = seal(previous, row.line, row.secret)
        made.append(msgspec.structs.replace(row, digest=previous))
    return made


@pytest.mark.parametrize("seq", [1, 2, 7, 8, 17])
def test_references_to_later_entries_are_found_even_if_every_digest_holds(seq: int) -> None:
    records = recorded()
    for name, line in altered_lines(records[seq - 1]):
        if not re.search("'(seq|after|origin|to)': (?!')", name):  # the fields that are part of the digest
            continue
        altered = msgspec.structs.replace(records[seq - 1], line=line)
        store = in_memory(resealed([*records[: seq - 1], altered, *records[seq:]]))
        told = outcome(store, lambda store: read(Session(store, SESSION)))
        assert told is not None, name
        check_sentence(told, name)
        found = outcome(store, lambda store: verify(store, SESSION))
        assert isinstance(found, Broken), (name, found)
        assert found.seq == seq


@pytest.mark.parametrize("after", [8, 9, 100])
def test_an_export_with_circular_references_is_broken_and_its_check_ends(after: int) -> None:
    records = recorded()
    plain = msgspec.json.decode(records[7].line)
    line = msgspec.json.encode({**plain, "after": after})
    rows = resealed([*records[:7], msgspec.structs.replace(records[7], line=line), *records[8:]])
    header = canonical(jsonl.Header(jsonl.FORMAT, SESSION, len(rows), rows[-1].digest.hex(), "gm"))
    lines = [header, *map(export, rows)]
    with bounded(LIMIT):
        jsonl.check(lines)
        with pytest.raises(Broken):
            dice_proof.verify_lines(lines[1:])
        with pytest.raises(Broken):
            jsonl.bring_in(lines, MemoryStore())


def test_an_export_with_extreme_nesting_is_broken() -> None:
    lines = [*jsonl.export(Session(in_memory(recorded()), SESSION).log)]
    lines[3] = b'{"seq":3,"command":{"x":' + b"[" * 100_000
    with pytest.raises(Broken):
        jsonl.check(lines)
