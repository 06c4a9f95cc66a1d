"""A dispute survives any undo, has one id, and can be settled once; audits and explanations write nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Fight, fights, viewers

from ledger.audience import Viewer
from ledger.commands import OpenDispute, SettleDispute
from machines.contract.refusals import SettledBefore
from replays.api.session import Session
from replays.audit.audit import audit
from replays.audit.disputes.case import dispute
from replays.audit.disputes.register import disputed
from replays.audit.event_index import facts
from replays.audit.why import why
from replays.corrections.redecide import rehearse

_claims = st.sampled_from(
    ("", "it was dark", "drop", "figure target = 3", "figure outcome = failure", "terms.at = 'bob'")
)


def _elsewhere(session: Session) -> st.SearchStrategy[int]:
    """Returns entries at which another line stood."""
    log = session.log
    return st.sampled_from([seq for seq in range(1, log.last + 1) if log.timeline.head_at(seq) != log.head])


@given(fights(most=30), st.data())
def test_a_dispute_survives_any_rewind_and_is_settled_once(fight: Fight, data: st.DataObject) -> None:
    session = fight.session
    about = data.draw(st.sampled_from([*map(str, range(1, session.log.last + 1)), *facts(session.log).by_key]))
    session.perform(OpenDispute(about, "hm", data.draw(_claims)))
    session.rewind(data.draw(_elsewhere(session)))
    session.perform(OpenDispute("1", "hm"))

    assert list(disputed(session.log)) == ["d1", "d2"]
    assert dispute(session.log, "d1").challenge.about == about

    session.perform(SettleDispute("d1", "upheld", "so"))
    session.rewind(data.draw(_elsewhere(session)))
    with pytest.raises(SettledBefore):
        session.perform(SettleDispute("d1", "upheld", "so"))
    assert list(rehearse(session.log)) == []


@given(fights(secrets=True, most=30), viewers())
def test_auditing_any_fight_for_any_viewer_writes_nothing(fight: Fight, eyes: Viewer) -> None:
    session = fight.session
    last = session.log.last

    found = audit(session.log, eyes=eyes)

    assert found.is_sound
    assert [draw.nth for draw in found.dice.draws] == list(range(1, len(found.dice.draws) + 1))
    assert session.log.last == last


@given(fights(most=30))
def test_every_standing_key_is_explained(fight: Fight) -> None:
    log = fight.session.log

    for key in facts(log).by_key:
        assert why(log, key).subject == key
