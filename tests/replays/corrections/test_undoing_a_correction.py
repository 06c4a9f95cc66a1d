"""One undo takes back all that one request wrote, a correction with all that was performed again for it, and nothing more."""

import pytest

from ledger.commands import Adjust, Join, Note, Reveal, TypeDice
from ledger.entry import StoredRequest
from ledger.errors import Broken
from ledger.stores.memory import MemoryStore
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.jsonl import bring_in, export
from replays.scripts.format import find_script, read
from replays.sessions.record import bindings
from replays.sessions.undo import NothingToRedo, NothingToUndo


@pytest.fixture
def shot() -> Session:
    return perform(read(find_script("street-fight")[1]))


def standing(session: Session) -> tuple[int, list[int], object]:
    return session.log.head, session.log.timeline.line(), session.combat


def goes_back_and_forth(session: Session, before: object) -> None:
    """One undo leads to what stood before, one redo to what stands now."""
    after = standing(session)

    session.undo()
    assert standing(session) == before
    session.redo()
    assert standing(session) == after


@pytest.mark.parametrize(
    "change",
    [
        Change(insert=({"note": "x"},)),
        Change(insert=({"note": "x"}, {"note": "y"}), drop=True),
        Change(set={"faces": [1, 1, 1]}),
        Change(drop=True),
    ],
    ids=["inserted", "inserted in its place", "misread", "dropped"],
)
def test_an_amendment_is_undone_as_a_whole(shot: Session, change: Change) -> None:
    before, entry = standing(shot), 37
    if change.set:
        entry, change = 21, Change(set={"faces": [1, 1]})

    shot.amend(entry, change, why="t")

    goes_back_and_forth(shot, before)


def test_an_amendment_behind_which_a_figure_is_overruled_again_is_undone_as_a_whole(shot: Session) -> None:
    shot.amend(2, Change(set={"edge": 0}), why="a")
    shot.overrule("slim/a1/attack", "net hits", 3, why="b")
    before = standing(shot)

    shot.amend(47, Change(set={"edge": 3}), why="c")

    goes_back_and_forth(shot, before)


def test_an_overruling_right_after_what_it_overrules_is_undone_alone(shot: Session) -> None:
    shot.amend(2, Change(set={"edge": 0}), why="a")
    key, entry = "r1/slim/a1/attack", shot.log.head
    shot.overrule(key, "net hits", 3, why="b")
    before = standing(shot)

    shot.overrule(key, "net hits", 3, why="b")

    assert shot.log.head > entry
    goes_back_and_forth(shot, before)


def test_a_step_and_what_follows_it_by_itself_are_undone_together(shot: Session) -> None:
    shot.amend(20, Change(set={"terms.modifiers": ["target has good cover", "attacker firing from cover"]}), why="t")
    before, last = standing(shot), shot.log.last

    shot.perform(TypeDice("r1/razor/a3/attack/to-hit", (6,)))

    assert shot.log.last > last + 1
    goes_back_and_forth(shot, before)


def test_a_combatant_who_is_revealed_is_revealed_in_one_step() -> None:
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("ann", {"reaction": 3, "intuition": 4, "edge": 2, "body": 3}, unseen=True))
    session.perform(Adjust("ann", "wounds", 2, "a fall"))
    before = standing(session)

    assert len(session.perform_all(Reveal(who="ann"))) > 1

    goes_back_and_forth(session, before)


def test_undoing_goes_back_through_corrections_one_by_one(shot: Session) -> None:
    stood = [standing(shot)]
    shot.amend(37, Change(insert=({"note": "x"},)), why="t")
    stood.append(standing(shot))
    shot.modify("slim/a1/attack/to-hit", -1, why="dim")
    stood.append(standing(shot))
    shot.perform(Note("y"))

    for each in reversed(stood):
        shot.undo()
        assert standing(shot) == each


# ------------------------------------------------------------------------------------------------ nothing to undo


def test_a_rewinding_to_what_stands_already_is_refused_and_leaves_what_can_be_redone(shot: Session) -> None:
    head = shot.log.head
    shot.undo()
    last, undone = shot.log.last, shot.log.head

    for to in (undone, last):  # the entry, and the undo that led to it
        with pytest.raises(NothingToUndo, match="nothing to undo"):
            shot.rewind(to)

    assert shot.log.last == last
    shot.redo()
    assert shot.log.head == head


def test_a_rewinding_to_what_stands_already_leaves_nothing_to_redo(shot: Session) -> None:
    with pytest.raises(NothingToUndo):
        shot.rewind(shot.log.head)
    with pytest.raises(NothingToRedo):
        shot.redo()


# ------------------------------------------------------------------------------------------------ the record


def test_the_first_of_several_entries_says_how_many_answer_the_request(shot: Session) -> None:
    entries = shot.amend(37, Change(insert=({"note": "x"},)), why="t").entries
    single = shot.perform(Note("x"))

    assert [entry.request for entry in entries] == [StoredRequest("", "", len(entries)), *[None] * (len(entries) - 1)]
    assert single.request is None
    assert shot.log.verify().seq == shot.log.last


def test_a_session_that_is_brought_in_undoes_as_much(shot: Session) -> None:
    before = shot.log.head
    shot.amend(37, Change(insert=({"note": "x"},)), why="t")
    store = MemoryStore()
    bring_in(export(shot.log), store)
    elsewhere = Session(store, shot.id)

    elsewhere.undo()

    assert elsewhere.log.head == before
    assert elsewhere.log.verify().seq == elsewhere.log.last


def test_a_log_that_has_lost_the_last_entries_of_a_request_without_a_key_is_broken(shot: Session) -> None:
    shot.amend(37, Change(insert=({"note": "x"},)), why="t")
    records = list(shot.log.store.read(shot.id))[:-1]

    with pytest.raises(Broken):
        bindings.keys_of(records)
    with pytest.raises(Broken, match="is missing"):
        bindings.check_keys({}, {seq: entry.request for seq, entry in enumerate(shot.entries(), 1)}, len(records))
