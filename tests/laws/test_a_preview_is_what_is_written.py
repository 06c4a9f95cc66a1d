"""A preview of a corrected roll equals the result of the correction, also if the preview shows no change."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from strategies import bare, fights, figures, rolls

from ledger import events as e
from ledger.commands import ApplyModifier, Overrule
from ledger.errors import Refused
from projections.views.document import State
from replays.api.session import Session


def _outcomes(session: Session) -> dict[str, str]:
    """Returns the outcomes of the tests and exchanges that stand."""
    found: dict[str, str] = {}
    for entry in session.log.entries_of(session.log.timeline.line()):
        for event in entry.events:
            if isinstance(event, e.TestResolved | e.ExchangeEnded):
                found[event.key] = event.outcome
            elif isinstance(event, e.Overruled) and event.figure == "outcome":
                found[event.key] = str(event.gm_says)
    return found


def _happened(state: State) -> State:
    """Returns a state without open rests."""
    return msgspec.structs.replace(bare(state), rests=())


def _stands_no_more(session: Session, before: list[int]) -> set[int]:
    """Returns the entries that stood before, and now neither stand nor were performed again."""
    line = set(session.log.timeline.line())
    again = {entry.origin for entry in session.log.entries_of(session.log.timeline.line())}
    return {seq for seq in before if seq not in line and seq not in again}


def _change(session: Session, data: Any) -> ApplyModifier | Overrule | None:
    thrown, found = rolls(session), figures(session)
    kinds = [kind for kind, some in (("modify", thrown), ("overrule", found)) if some]
    if not kinds:
        return None
    if data.draw(st.sampled_from(kinds)) == "modify":
        key, _ = data.draw(st.sampled_from(thrown))
        return ApplyModifier(key, data.draw(st.integers(-60, 60) | st.just(0)), "late")
    key, figure, value = data.draw(st.sampled_from(found))
    if figure == "outcome":
        says = data.draw(st.sampled_from([value, "miss", "failure", "success"]))
    else:
        says = value + data.draw(st.integers(-20, 20)) if isinstance(value, int) else value
    return Overrule(key, figure, says, "so be it")


@given(fights(), st.data())
def test_the_preview_equals_the_result(fight, data) -> None:
    session = fight.session
    command = _change(session, data)
    if command is None:
        return
    log = session.log
    digest, state, outcomes, line = log.digest, session.state(), _outcomes(session), log.timeline.line()
    asked = {(rest.key, rest.dice, rest.by) for rest in session.rests}
    try:
        report = session.preview_roll(command)
    except Refused:
        return
    assert (log.digest, session.state()) == (digest, state)

    session.perform(command)

    if report is None:
        return
    after, now = session.state(), _outcomes(session)
    assert bare(report.after) == bare(after)
    assert {flip.key for flip in report.flips} == {key for key in outcomes | now if outcomes.get(key) != now.get(key)}
    assert {each.key for each in report.needs_a_person} == {
        rest.key for rest in session.rests if (rest.key, rest.dice, rest.by) not in asked
    }
    # Where a pool is smaller now, its last dice are set aside, though the roll stands.
    assert _stands_no_more(session, line) <= {each.entry for each in (*report.set_aside, *report.waits)}
    if not report.reaches:
        # The same rests are open; only their target numbers may differ.
        assert _happened(after) == _happened(state)
        assert now == outcomes
