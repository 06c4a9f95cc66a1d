"""What must hold of every fight, whichever generator made it. One more law is one line more in `LAWS`."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from strategies import Fight, any_command, clock, drawn, people

from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from projections.combat import fold
from replays.api.session import Session
from replays.corrections.redecide import rehearse
from replays.exports.jsonl import bring_in, check, export
from replays.sessions.log import Log

_COMMANDS = 6
"""Commands of any kind that are tried at the end of each fight."""
Law = Callable[[Fight, st.DataObject], None]


def folding_equals_living(fight: Fight, data: st.DataObject) -> None:
    """Checks that the events that stand add up to the state as it was after each move."""
    log = fight.session.log
    for then in fight.snapshots:
        line = log.timeline.line(then.head)
        assert fold(event for entry in log.entries_of(line) for event in entry.events) == then.combat


def a_session_opened_again_is_the_same(fight: Fight, data: st.DataObject) -> None:
    """Checks that the log alone gives the live session."""
    lived, again = fight.session, Session(fight.session.log.store, fight.session.id)
    assert again.combat == lived.combat
    assert again.state() == lived.state()
    assert again.rests == lived.rests
    assert again.log.timeline.redo == lived.log.timeline.redo


def the_chain_verifies(fight: Fight, data: st.DataObject) -> None:
    """Checks the whole chain, from the opening to the head."""
    log = fight.session.log
    head = log.verify()
    assert (head.seq, head.digest) == (log.last, log.digest)


def rehearsing_finds_nothing(fight: Fight, data: st.DataObject) -> None:
    """Checks that today's rules decide today's log as it was decided."""
    assert list(rehearse(fight.session.log)) == []


def exported_and_imported_it_is_the_same(fight: Fight, data: st.DataObject) -> None:
    """Checks that a session taken to another ledger has the same state and is exported byte for byte alike."""
    exported, elsewhere = list(export(fight.session.log)), MemoryStore()
    header = bring_in(exported, elsewhere)
    assert header == check(exported)
    assert list(export(Log(elsewhere, header.session))) == exported
    assert Session(elsewhere, header.session).state() == fight.session.state()


def any_command_is_performed_or_refused(fight: Fight, data: st.DataObject) -> None:
    """Checks, on a copy, that nothing but a refusal is raised by any command, and that a refusal changes nothing."""
    store = MemoryStore()
    bring_in(export(fight.session.log), store)
    session = Session(store, fight.session.id, clock=clock, draw=drawn)
    for _ in range(_COMMANDS):
        before: Any = session.log.last, session.log.digest, session.combat
        try:
            session.perform(data.draw(any_command(session)), by=data.draw(people()))
        except Refused as refusal:
            assert "/" in refusal.slug
            assert (session.log.last, session.log.digest, session.combat) == before
    assert Session(store, session.id).combat == session.combat


LAWS: Mapping[str, Law] = {
    "folding equals living": folding_equals_living,
    "a session opened again is the same": a_session_opened_again_is_the_same,
    "the chain verifies": the_chain_verifies,
    "rehearsing finds nothing": rehearsing_finds_nothing,
    "exported and imported it is the same": exported_and_imported_it_is_the_same,
    "any command is performed or refused": any_command_is_performed_or_refused,
}
