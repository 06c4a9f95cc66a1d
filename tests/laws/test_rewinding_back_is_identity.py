"""A rewind that is rewound changes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import bare, fights

from replays.api.session import Session
from replays.sessions.undo import NothingToUndo


@given(fights(), st.data())
def test_rewinding_to_any_entry_and_back_changes_nothing(fight, data) -> None:
    session = fight.session
    head, line, combat, state = session.log.head, session.log.timeline.line(), session.combat, session.state()
    there = data.draw(st.integers(1, session.log.last))

    if session.log.timeline.head_at(there) == head:
        with pytest.raises(NothingToUndo):
            session.rewind(there)
    else:
        session.rewind(there)
        session.rewind(head)

    assert session.log.head == head
    assert session.log.timeline.line() == line
    assert session.combat == combat
    assert bare(session.state()) == bare(state)
    assert Session(session.log.store, session.id).combat == combat


@given(fights(), st.data())
def test_a_rewind_restores_exactly_the_earlier_state(fight, data) -> None:
    session = fight.session
    there = data.draw(st.sampled_from(fight.snapshots))

    if session.log.head != there.head:
        session.rewind(there.last)

    assert session.log.head == there.head
    assert session.combat == there.combat
