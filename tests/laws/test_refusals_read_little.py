"""What a refusal reads of a log does not grow with the log: over a network each reading takes a question."""

import pytest
from counting_store import CountingStore

from ledger.commands import Note
from replays.api.session import Session
from replays.corrections.change import Change
from replays.corrections.refusals import BadChange


def amended(notes: int) -> tuple[Session, CountingStore]:
    """A session in which an entry was amended, so that those after it no longer stand."""
    store = CountingStore()
    session = Session.create(store, ruleset="eclipse_phase_1e")
    for number in range(notes):
        session.perform(Note(f"note {number}"))
    session.amend(20, Change(set={"text": "changed"}), why="as she said")
    return session, store


def test_an_entry_that_no_longer_stands_is_refused_after_a_few_readings() -> None:
    reads = []
    for notes in (40, 400):
        session, store = amended(notes)
        before = store.reads
        with pytest.raises(BadChange, match="no longer stands"):
            session.amend(30, Change(set={"text": "again"}), why="as he said")
        reads.append(store.reads - before)
    assert reads[1] == reads[0]
