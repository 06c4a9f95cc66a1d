"""Which entries stand: the log is a tree with a head."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.commands import Command, Note, Rewind
from ledger.entry import Entry, StoredRequest, Who
from projections.history.timeline import Timeline


class _Tree:
    """A plain model: the parent of each entry, each head, and the heads that can be redone."""

    def __init__(self) -> None:
        self.parents: list[int] = [0]
        self.heads: list[int] = [0]
        self.undone: list[int] = []

    def line(self, head: int) -> list[int]:
        return [] if not head else [*self.line(self.parents[head]), head]

    def note(self) -> None:
        self.parents.append(self.heads[-1])
        self.heads.append(len(self.parents) - 1)
        self.undone = []

    def rewind(self, to: int) -> None:
        self.parents.append(self.heads[-1])
        before = [*self.undone, self.heads[-1]]
        self.undone = [head for head in before if head > to]
        self.heads.append(to)


def _add(timeline: Timeline, command: Command, after: int | None = None) -> None:
    seq = len(timeline) + 1
    timeline.add(Entry(1, seq, timeline.head if after is None else after, "", Who("gm"), 1, None, command, ()))


def _timeline(*commands: Command) -> Timeline:
    timeline = Timeline()
    for command in commands:
        _add(timeline, command)
    return timeline


NOTES = [Note(str(number)) for number in range(20)]


def test_an_empty_log_has_no_head_and_nothing_to_redo() -> None:
    timeline = Timeline()

    assert (len(timeline), timeline.head, timeline.redo, timeline.line()) == (0, 0, None, [])
    assert timeline.head_at(0) == 0


def test_without_rewinding_everything_stands() -> None:
    timeline = _timeline(*NOTES[:4])

    assert timeline.line() == [1, 2, 3, 4]
    assert all(timeline.stands(seq) for seq in range(1, 5))
    assert [timeline.after(seq) for seq in range(1, 5)] == [0, 1, 2, 3]


def test_what_comes_after_a_rewinding_stands_on_where_it_went() -> None:
    timeline = _timeline(*NOTES[:4], Rewind(2), NOTES[5], NOTES[6])

    assert timeline.line() == [1, 2, 6, 7]
    assert [timeline.stands(seq) for seq in range(1, 8)] == [True, True, False, False, False, True, True]
    assert timeline.head_at(4) == 4
    assert timeline.head_at(5) == 2
    assert timeline.redo is None


def test_a_stretch_of_the_line_begins_after_the_entry_that_is_named() -> None:
    timeline = _timeline(*NOTES[:4], Rewind(2), NOTES[5], NOTES[6])

    assert timeline.line(since=2) == [6, 7]
    assert timeline.line(since=7) == []
    assert timeline.line(since=3) == [1, 2, 6, 7], "what does not stand cuts nothing off"
    assert timeline.line(4) == [1, 2, 3, 4]
    assert timeline.line(4, since=2) == [3, 4]


def test_one_redo_after_another_goes_back_to_every_head_in_turn() -> None:
    timeline = _timeline(*NOTES[:5], Rewind(4), Rewind(2), Rewind(1))
    steps = []
    while timeline.redo is not None:
        steps.append(timeline.redo)
        _add(timeline, Rewind(timeline.redo))

    assert steps == [2, 4, 5]
    assert timeline.head == 5


def test_a_recorded_rewinding_to_the_head_leaves_what_can_be_redone() -> None:
    timeline = _timeline(*NOTES[:3], Rewind(2), Rewind(2))

    assert (timeline.head, timeline.redo) == (2, 3)


def test_entries_of_one_request_are_known_by_the_first_of_them() -> None:
    timeline = _timeline(*NOTES[:2])
    for number in range(4):
        asked = StoredRequest("", "", 3) if not number else None
        timeline.add(Entry(3, number + 3, number + 2, "", Who("gm"), 1, None, Note("x"), (), asked))

    assert [timeline.first(seq) for seq in range(1, 7)] == [1, 2, 3, 3, 3, 6]


def test_a_rewinding_forwards_redoes_what_was_undone_up_to_there() -> None:
    """Where it was taken for an undo, the next undo was taken for its redo, and the redo after that went too far."""
    timeline = _timeline(*NOTES[:5], Rewind(3), Rewind(4))
    assert (timeline.head, timeline.redo) == (4, 5)
    _add(timeline, Rewind(3))
    assert timeline.redo == 4
    _add(timeline, Rewind(4))
    assert timeline.redo == 5
    _add(timeline, Rewind(5))
    assert timeline.redo is None


@given(st.lists(st.none() | st.integers(1, 40), max_size=20), st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_as_many_redos_as_undos_restore_everything(history: list[int | None], undos: list[int]) -> None:
    """After any history; None is a note, a number rewinds to an entry, and each undo goes to an earlier one."""
    timeline = _timeline(NOTES[0])
    for to in history:
        _add(timeline, Note("more") if to is None else Rewind(1 + to % len(timeline)))
    before = timeline.head, timeline.redo
    lower = sorted({to for to in undos if to < timeline.head}, reverse=True)
    for to in lower:
        _add(timeline, Rewind(to))
    for _ in lower:
        assert timeline.redo is not None
        _add(timeline, Rewind(timeline.redo))
    assert (timeline.head, timeline.redo) == before


def test_something_new_leaves_nothing_to_redo() -> None:
    timeline = _timeline(*NOTES[:3], Rewind(1), NOTES[4])

    assert timeline.redo is None


def test_going_over_to_another_branch_can_be_taken_back() -> None:
    timeline = _timeline(*NOTES[:3], Rewind(1), NOTES[4], Rewind(3))

    assert timeline.line() == [1, 2, 3]
    assert timeline.redo == 5


def test_whatever_stood_at_an_entry_is_remembered() -> None:
    timeline = _timeline(*NOTES[:3], Rewind(1), NOTES[4], Rewind(3))

    assert [timeline.line(timeline.head_at(seq)) for seq in range(1, 7)] == [
        [1], [1, 2], [1, 2, 3], [1], [1, 5], [1, 2, 3],
    ]  # fmt: skip


@given(st.lists(st.none() | st.integers(1, 40), max_size=40))
def test_it_is_the_tree_that_its_entries_describe(steps: list[int | None]) -> None:
    timeline, tree = Timeline(), _Tree()
    for step in steps:
        to = None if step is None or not len(timeline) else tree.heads[(step - 1) % len(timeline) + 1]
        if to is None:
            _add(timeline, Note("x"))
            tree.note()
        else:
            _add(timeline, Rewind(to))
            tree.rewind(to)

        assert timeline.head == tree.heads[-1]
        assert timeline.redo == (tree.undone[-1] if tree.undone else None)
        assert timeline.line() == tree.line(tree.heads[-1])
    for seq in range(1, len(timeline) + 1):
        assert timeline.after(seq) == tree.parents[seq]
        assert timeline.head_at(seq) == tree.heads[seq]
        assert timeline.stands(seq) == (seq in tree.line(tree.heads[-1]))
        for upto in range(seq, len(timeline) + 1):
            assert timeline.standing(seq, upto) == {one for one in timeline.line() if seq < one <= upto}


@given(st.lists(st.none() | st.integers(1, 12), max_size=12))
def test_two_lines_share_what_precedes_their_fork(steps: list[int | None]) -> None:
    timeline, tree = Timeline(), _Tree()
    for step in steps:
        if step is None or step > len(timeline):
            _add(timeline, Note("x"))
            tree.note()
        else:
            _add(timeline, Rewind(tree.heads[step]))
            tree.rewind(tree.heads[step])
    for one in range(len(timeline) + 1):
        for other in range(len(timeline) + 1):
            line, others = tree.line(one), tree.line(other)
            fork = max({*line} & {*others}, default=0)

            assert timeline.fork(one, other) == fork
            assert timeline.line(one, since=other) == [seq for seq in line if other not in line or seq > other]
            assert timeline.stands(other, one) == (other in (0, *line))
