"""An undo followed by a redo changes nothing."""

from collections.abc import Iterator
from itertools import chain, repeat

from hypothesis import given
from hypothesis import strategies as st
from strategies import attacked, bare, fights

from ledger.entry import Who
from ledger.errors import Refused
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import find_script, read
from replays.sessions import undo
from replays.table.table import Table


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
def test_an_undo_never_goes_forward_and_never_undoes_the_opening(fight, span: str) -> None:
    session = fight.session
    line, head_at = session.log.timeline.line(), session.log.timeline.head_at
    # A correction stands on an earlier entry, so the head that it replaced is not on the line.
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


SPANS = ("step", "exchange", "turn", "round")


def _would_take(session: Session, span: str) -> int | None:
    """Returns the entry that would be the head after an undo."""
    try:
        return undo.target(session.log, span)
    except Refused:
        return None


@given(fights(), st.sampled_from(SPANS))
def test_an_undo_and_a_redo_do_not_change_the_next_undo(fight, span: str) -> None:
    session = fight.session
    before = [_would_take(session, each) for each in SPANS]
    try:
        session.undo(span)
    except Refused:
        return

    session.redo()

    assert [_would_take(session, each) for each in SPANS] == before


LINES = (
    "",
    "1",
    "2",
    "*",
    "end",
    "50",
    "10 90",
    "undo",
    "undo exchange",
    "undo turn x",
    "redo",
    "modify ann +10 dim",
    "modify -10 dim",
    "-90 dim",
    "modify ann/initiative -60",
    "overrule bob/initiative score 150 quick",
    "overrule ann outcome failure so be it",
    "amend 5 faces=[3] misread",
    "amend 7 drop never",
    "note so far so good",
    "note",
    "/end",
)
ANSWERS = ("y", "y", "y", "n", "", "1", "2", "because", "nonsense")
DICE = ("auto", "all", "ask")


def _say(table: Table, line: str, answers: Iterator[str]) -> list[tuple[str, str, int]]:
    """Types a line and answers its questions. Returns each question with its answer and the number of new entries."""
    asked: list[tuple[str, str, int]] = []
    table.submit(line)
    while table.asks:
        question, answer, last = table.asks, next(answers), table.session.log.last
        table.submit(answer)
        asked.append((question, answer, table.session.log.last - last))
    return asked


@given(
    st.lists(
        st.tuples(st.sampled_from(LINES), st.sampled_from(ANSWERS), st.sampled_from(ANSWERS)), min_size=3, max_size=20
    ),
    st.sampled_from(DICE),
    st.sampled_from(("undo", "undo 2", "undo exchange", "undo turn")),
)
def test_redos_restore_everything_at_the_table_line_by_line(
    lines: list[tuple[str, str, str]], dice: str, back: str
) -> None:
    table = Table(attacked(), Who("gm"), dice=dice)
    for line, *answers in lines:
        _say(table, line, chain(answers, repeat("y")))
    head, line_, before = table.session.log.head, table.session.log.timeline.line(), _lines_back(table)
    combat = table.session.combat
    _say(table, back, repeat("y"))
    if table.session.log.head == head:
        return
    _say(table, "redo", repeat("y"))

    assert table.session.log.head == head
    assert table.session.log.timeline.line() == line_
    assert table.session.combat == combat
    assert _lines_back(table) == before


@given(
    st.lists(
        st.tuples(st.sampled_from(LINES), st.sampled_from(ANSWERS), st.sampled_from(ANSWERS)), min_size=3, max_size=20
    ),
    st.sampled_from(DICE),
    st.sampled_from(("show", "undo", "undo 2")),
    st.sampled_from([line for line in LINES if line.startswith(("modify", "-", "overrule", "amend", "note"))]),
)
def test_a_question_that_is_answered_with_no_writes_nothing(
    lines: list[tuple[str, str, str]], dice: str, back: str, last: str
) -> None:
    table = Table(attacked(), Who("gm"))
    for line, *answers in lines:
        _say(table, line, chain(answers, repeat("y")))
    for line in (f"dice {dice}", back):  # dice that are drawn at once are, after an undo, drawn only at the next answer
        _say(table, line, repeat("y"))
    log, before, combat = table.session.log, _lines_back(table), table.session.combat
    digest, redo = log.digest, log.timeline.redo
    table.submit(last)
    while table.asks:
        assert log.digest == digest
        question = table.asks
        table.submit("n" if question.endswith("y/n") else "1" if question.startswith("which") else "because")
        if question.endswith("y/n"):
            assert (log.digest, log.timeline.redo, table.session.combat) == (digest, redo, combat)
            assert _lines_back(table) == before


def _lines_back(table: Table) -> list[int | None]:
    """Returns the heads after an undo of one line and of two lines."""
    found: list[int | None] = []
    for count in (1, 2):
        try:
            found.append(table.before_lines(count))
        except Refused:
            found.append(None)
    return found


def test_a_modified_shot_is_not_lost_by_a_redo_and_an_undo() -> None:
    table = Table(perform(read(find_script("street-fight")[1])), Who("gm"))
    last = table.session.log.head
    for line in ("modify r1/razor/a1/attack/to-hit 2 oops", "undo exchange x", "redo", "undo 1 y"):
        before = table.session.log.last
        _say(table, line, repeat("y"))
        assert table.session.log.last > before

    assert table.session.log.head == last
