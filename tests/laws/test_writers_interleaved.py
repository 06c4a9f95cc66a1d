"""Two interleaved writers of one session cause no gap and no loss, and a stale one is refused with the head of the log."""

from pathlib import Path
from threading import Barrier, Thread

import pytest
from drawing import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import any_command, clock, drawn, fights

from ledger.commands import Note
from ledger.errors import Refused, Stale
from ledger.stores import Store, open_store
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays.api.session import Session
from replays.corrections.redecide import rehearse


def _interleaved(store: Store, other: Store, name: str, data) -> None:
    """Plays a session through two stores of the same place, which alternate at random."""
    sessions = [Session(each, name, clock=clock, draw=drawn) for each in (store, other)]
    performed = sessions[0].log.last
    for _ in range(data.draw(st.integers(4, 16))):
        session = sessions[data.draw(st.integers(0, 1))]
        known = data.draw(st.sampled_from((None, None, session.log.last, performed)))
        command = data.draw(any_command(session) | st.just(Note("on")))
        try:
            session.perform(command, expected=known)
        except Stale as stale:
            assert known is not None
            assert known != performed
            assert stale.actual == performed
            assert session.log.last == performed
        except Refused:
            assert store.head(name).seq == performed
        else:
            assert known is None or known == performed
            performed = store.head(name).seq
            assert performed == session.log.last
    for session in sessions:
        session.log.refresh()

    assert sessions[0].combat == sessions[1].combat
    assert sessions[0].log.digest == sessions[1].log.digest
    assert sessions[0].log.timeline.redo == sessions[1].log.timeline.redo
    assert [entry.seq for entry in sessions[0].entries()] == list(range(1, performed + 1))
    assert sessions[0].log.verify().seq == performed
    assert list(rehearse(sessions[0].log)) == []


@given(fights(most=20), st.data())
def test_in_memory_no_entry_is_lost_and_no_response_is_wrong(fight, data) -> None:
    store = fight.session.log.store

    _interleaved(store, store, fight.session.id, data)


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fights(most=10), st.uuids(), st.data())
def test_in_a_file_no_entry_is_lost_and_no_response_is_wrong(tmp_path: Path, fight, name, data) -> None:
    path = str(tmp_path / f"{name}.db")
    store, other = SqliteStore(path), SqliteStore(path)
    store.create(fight.session.id)
    store.append(fight.session.id, list(fight.session.log.store.read(fight.session.id)), expected=0)

    _interleaved(store, other, fight.session.id, data)

    store.close()
    other.close()


@pytest.mark.parametrize("where", ["memory://", "sqlite:///{}/fight.db"], ids=["memory", "sqlite"])
def test_many_concurrent_writers_all_get_their_turn(tmp_path: Path, where: str) -> None:
    writers, notes = 4, 12
    shared = MemoryStore()
    url = where.format(tmp_path)
    opened = Session.create(shared if url.startswith("memory") else url, ruleset="eclipse_phase_1e", session="MANY")
    start, failures = Barrier(writers), []

    def write(writer: int) -> None:
        store = shared if url.startswith("memory") else open_store(url)
        session = Session(store, "MANY")
        start.wait()
        try:
            for number in range(notes):
                session.perform(Note(f"{writer}: {number}"), batch=f"{writer}/{number}")
        except Exception as failure:  # reported by the test
            failures.append(failure)
        finally:
            if store is not shared:
                store.close()

    threads = [Thread(target=write, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    opened.log.refresh()

    assert failures == []
    texts = [entry.command.text for entry in opened.entries(after=1)]
    assert sorted(texts) == sorted(f"{writer}: {number}" for writer in range(writers) for number in range(notes))
    for writer in range(writers):
        mine = [text for text in texts if text.startswith(f"{writer}:")]
        assert mine == [f"{writer}: {number}" for number in range(notes)]
    assert opened.log.verify().seq == 1 + writers * notes
    opened.log.store.close()


def test_a_wrong_expected_number_is_refused_with_the_actual_one() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Note("second"))

    for wrong in (0, 1, 3, -1):
        with pytest.raises(Stale) as refusal:
            session.perform(Note("third"), expected=wrong)

        assert refusal.value.actual == 2
        assert refusal.value.accepts == "2"
    assert session.perform(Note("third"), expected=2).seq == 3
