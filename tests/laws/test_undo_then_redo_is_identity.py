"""Undo, then redo, is identity."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import bare, fights

from ledger.errors import Refused


@given(fights(), st.lists(st.sampled_from(("step", "exchange", "turn", "round")), min_size=1, max_size=4))
def test_as_many_redos_as_undos_restore_everything(fight, spans: list[str]) -> None:
    session = fight.session
    head, redo, line = session.log.head, session.log.timeline.redo, session.log.timeline.line()
    combat, state = session.combat, session.state()
    undone = 0
    for span in spans:
        try:
            session.undo(span)
        except Refused:
            continue
        undone += 1

    for _ in range(undone):
        session.redo()

    assert session.log.head == head
    assert session.log.timeline.redo == redo
    assert session.log.timeline.line() == line
    assert session.combat == combat
    assert bare(session.state()) == bare(state)


@given(fights(), st.sampled_from(("step", "exchange", "turn", "round")))
def test_an_undo_never_goes_forward_and_never_takes_the_opening(fight, span: str) -> None:
    session = fight.session
    line, head_at = session.log.timeline.line(), session.log.timeline.head_at
    # Where a correction began, the line leaves what was written before: the head that it replaced.
    replaced = [
        head_at(entry.seq - 1) for entry in session.log.entries_of(line) if entry.after != head_at(entry.seq - 1)
    ]
    try:
        session.undo(span)
    except Refused as refusal:
        assert refusal.slug == "undo/nothing"
        return

    kept = session.log.timeline.line()

    assert session.log.head >= 1
    assert session.log.head < line[-1]
    assert kept == line[: len(kept)] or (span == "step" and session.log.head == replaced[-1])
