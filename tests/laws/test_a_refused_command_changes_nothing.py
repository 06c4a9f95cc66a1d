"""A refused command changes nothing: not the log, not its digest, not the state."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import any_command, clock, drawn, fights, people

from ledger.errors import Refused
from replays.api.session import Session


@given(fights(secrets=True), st.data())
def test_a_refusal_changes_neither_log_nor_digest_nor_state(fight, data) -> None:
    session = fight.session
    for _ in range(data.draw(st.integers(1, 12))):
        before = session.log.last, session.log.digest, session.log.timeline.redo, session.combat, session.state()
        stored = list(session.log.store.read(session.id))
        try:
            session.perform(data.draw(any_command(session)), by=data.draw(people()))
        except Refused:
            after = session.log.last, session.log.digest, session.log.timeline.redo, session.combat, session.state()

            assert after == before
            assert list(session.log.store.read(session.id)) == stored


@given(fights(), st.data())
def test_a_reopened_session_refuses_the_same_command(fight, data) -> None:
    session = fight.session
    command = data.draw(any_command(session))
    again = Session(session.log.store, session.id, clock=clock, draw=drawn)
    try:
        session.perform(command)
    except Refused as refusal:
        try:
            again.perform(command)
        except Refused as second:
            assert str(second) == str(refusal)
        else:
            raise AssertionError(f"{command} was refused with {refusal}, then accepted") from None
