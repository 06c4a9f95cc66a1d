"""After a session is closed nothing waits any more; what waited before is still told of the entry before."""

import pytest
from hypothesis import given
from strategies import fights

from ledger.commands import CloseSession
from machines.refusals import NotOpen


@given(fights(most=30))
def test_nothing_waits_after_closing_and_the_entry_before_is_as_it_was(fight) -> None:
    session = fight.session
    before = session.combat
    head = session.log.head

    session.perform(CloseSession("done"))

    assert session.combat.rests == session.combat.path.asked == ()
    assert session.options() == ()
    closed = session.state()
    assert closed.active is None
    with pytest.raises(NotOpen):
        session.perform(CloseSession("again"))

    assert session.log.state(head) == before
