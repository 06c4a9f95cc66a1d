"""A log with kept entries is the same log as the one that it was made of, and reads its records once."""

from collections.abc import Iterator

import pytest
from benchmarks import fights

from ledger.chain import Record
from ledger.commands import Note
from ledger.errors import NoSuchEntry
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.views.kept_log import KeptLog


def noted(count: int) -> Session:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for number in range(count):
        session.perform(Note(f"note {number}"))
    session.undo()
    return session


@pytest.mark.parametrize(("after", "upto"), [(0, None), (2, None), (1, 3), (0, 99), (-1, 2), (7, 3)])
def test_it_has_the_same_entries(after: int, upto: int | None) -> None:
    log = noted(6).log
    kept = KeptLog(log)

    assert list(kept.entries(after, upto)) == list(log.entries(after, upto))
    assert list(kept.entries_of([1, 2, 5])) == list(log.entries_of([1, 2, 5]))
    assert [kept.entry(seq) for seq in (1, log.last)] == [log.entry(seq) for seq in (1, log.last)]
    assert (kept.head, kept.last, kept.combat, kept.digest) == (log.head, log.last, log.combat, log.digest)
    with pytest.raises(NoSuchEntry):
        kept.entry(log.last + 1)


def test_it_does_not_follow_later_entries() -> None:
    session = noted(2)
    kept = KeptLog(session.log)
    before = list(kept.entries())
    session.perform(Note("later"))

    assert before == list(kept.entries())


@pytest.mark.parametrize(("question", "times"), [("why", 1), ("audit", 2), ("disputes", 1)])
def test_a_question_reads_each_record_once_and_an_audit_once_more_for_the_chain(
    question: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fighters = fights.Fighters(seed=5)
    session = fights.begun(fighters)
    fights.play(session, fighters, 60)
    store, read = session.log.store, list[int]()
    assert isinstance(store, MemoryStore)
    once = store.read

    def counted(session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        for record in once(session, after, upto):
            read.append(record.seq)
            yield record

    monkeypatch.setattr(store, "read", counted)
    arguments = ("stoya.initiative",) if question == "why" else ()
    getattr(session, question)(*arguments)

    assert 0 < len(read) <= times * session.log.last + 1  # the first once more, for the commitment to the seed
