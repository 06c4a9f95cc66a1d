"""After any correction one undo restores the line before, and one redo the line after, whatever the correction wrote."""

from collections.abc import Callable

from drawing import examples
from histories.corrections import amendable, corrections
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Fight, fights, figures, rolls

from ledger.errors import Refused
from replays.api.session import Session

CORRECTIONS = ("amend", "amend", "modify", "overrule", "answer")


def _correction(data: st.DataObject, session: Session) -> Callable[[], object] | None:
    """Draws a correction of a standing entry, or an answer to a rest; None where there is none."""
    match data.draw(st.sampled_from(CORRECTIONS)):
        case "amend" if found := amendable(session):
            entry = data.draw(st.sampled_from(found))
            change = corrections(data.draw, session, entry)
            return lambda: session.amend(entry.seq, change, why="otherwise", consent=True)
        case "modify" if thrown := rolls(session):
            key, _ = data.draw(st.sampled_from(thrown))
            return lambda: session.modify(key, 5, why="the light")
        case "overrule" if known := figures(session):
            key, name, value = data.draw(st.sampled_from(known))
            return lambda: session.overrule(key, name, value, why="my word")
        case "answer" if fitting := [each.command for each in session.options() if not each.refused]:
            command = data.draw(st.sampled_from(fitting))
            return lambda: session.perform(command)
    return None


@settings(max_examples=examples(80))
@given(fights(), st.data())
def test_one_undo_and_one_redo_restore_the_lines_before_and_after(fight: Fight, data: st.DataObject) -> None:
    session = fight.session
    timeline = session.log.timeline
    for _ in range(data.draw(st.integers(1, 4))):
        correct, last, before = _correction(data, session), session.log.last, timeline.line()
        if correct is None:
            continue
        try:
            correct()
        except Refused:
            continue
        written, after = session.log.last - last, timeline.line()

        assert [timeline.first(seq) for seq in range(last + 1, session.log.last + 1)] == [last + 1] * written
        session.undo()
        assert timeline.line() == before
        session.redo()
        assert timeline.line() == after
