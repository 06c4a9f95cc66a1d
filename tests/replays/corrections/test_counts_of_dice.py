"""A roll of which only counts are known: what corrections keep of it, and where they ask a person."""

import pytest

from ledger.commands import ApplyModifier, Choose, Declare, Join, Overrule, TellDice, TypeDice
from ledger.events import DiceRolled, DiceTold
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import CountNeeded, ImpossibleCount
from replays.api.session import Session
from replays.audit.why import why
from replays.corrections.change import BadChange, Change
from replays.corrections.redecide import rehearse
from replays.exports.jsonl import bring_in
from replays.exports.narrative import narrate
from replays.views.frames import frames

KEY = "r0/ann/a1/test/test"
SHEET = {
    "body": 3, "agility": 3, "reaction": 4, "strength": 3, "charisma": 3, "intuition": 3, "logic": 3, "willpower": 3,
    "edge": 2, "skills": {"pistols": 3},
}  # fmt: skip


@pytest.fixture
def session() -> Session:
    """A test of Ann's with six dice, of which two hits and one one are given; she keeps her Edge."""
    session = Session.create(MemoryStore(), ruleset="shadowrun_4e")
    session.perform(Join("ann", SHEET))
    session.perform(Declare("test", "ann", {"skill": "pistols", "threshold": 2}))
    session.perform(TellDice(KEY, {"hits": 2, "ones": 1}))
    session.perform(Choose(session.rests[0].key, "pass"))
    return session


def given(session: Session) -> list[dict[str, int] | tuple[int, ...]]:
    """Returns the counts and faces that stand."""
    line = session.log.entries_of(session.log.timeline.line())
    events = [event for entry in line for event in entry.events if isinstance(event, DiceTold | DiceRolled)]
    return [event.counts if isinstance(event, DiceTold) else event.faces for event in events]


# ------------------------------------------------------------------------------------------------ kept, or asked again


def test_counts_are_kept_where_the_dice_stay_the_same(session: Session) -> None:
    report = session.amend(3, Change(set={"threshold": 3}), why="harder").report

    assert report.needs_a_person == ()
    assert given(session) == [{"hits": 2, "ones": 1}]
    assert session.state().outcome == "failure"


@pytest.mark.parametrize("skill", [2, 4])
def test_other_dice_are_asked_for_whole_and_no_face_is_invented(session: Session, skill: int) -> None:
    report = session.amend(2, Change(set={"sheet.skills.pistols": skill}), why="the sheet was old").report

    (needed,) = report.needs_a_person
    assert (needed.key, needed.dice, needed.known) == (KEY, f"{3 + skill}d6", ())
    assert [each.what for each in report.waits] == [f"2 hits and 1 one for {KEY}", f"pass for {KEY}/edge"]
    assert given(session) == []
    session.perform(TellDice(KEY, {"hits": 3}))
    assert (given(session), session.rests) == ([{"hits": 3}], ())
    assert session.state().outcome == "success"


def test_a_modifier_that_changes_the_dice_asks_for_them(session: Session) -> None:
    session.perform(ApplyModifier(KEY, -2, "dust"))

    assert [(rest.key, rest.dice) for rest in session.rests] == [(KEY, "4d6")]
    assert given(session) == []


EDGE = {"declare": {"kind": "edge", "by": "ann"}}
"""A point of Edge before the roll: two dice more, and sixes are rolled again."""


def test_edge_before_the_roll_asks_for_its_dice_with_sixes(session: Session) -> None:
    with pytest.raises(CountNeeded) as refused:
        session.preview(4, Change(insert=(EDGE,)), why="she had said Edge")

    assert refused.value.message == "the counts are of 6d6, but 8d6 are rolled now"
    with pytest.raises(CountNeeded):
        session.preview(4, Change(insert=(EDGE,), dice={KEY: {"hits": 3}}), why="without the sixes")


def test_a_step_that_is_inserted_before_a_roll_leaves_no_counts_of_other_dice(session: Session) -> None:
    dust = {"modify": {"key": KEY, "value": -2, "why": "dust"}}
    with pytest.raises(CountNeeded):
        session.preview(4, Change(insert=(dust,)), why="there was dust")

    session.amend(4, Change(insert=(dust,), dice={KEY: {"hits": 1}}), why="there was dust")
    assert given(session) == [{"hits": 1}]
    assert [event.dice for entry in session.entries() for event in entry.events if isinstance(event, DiceTold)] == [
        "6d6", "4d6",
    ]  # fmt: skip


def test_dice_that_begin_to_explode_are_asked_for(session: Session) -> None:
    session.undo("step")
    session.undo("step")
    session.perform(Declare("edge", "ann", {}))
    assert session.rests[0].dice == "8d6"
    with pytest.raises(CountNeeded):
        session.perform(TellDice(KEY, {"hits": 2, "ones": 1}))
    session.perform(TellDice(KEY, {"hits": 2, "ones": 1, "sixes": 1}))
    assert [rest.dice for rest in session.rests] == ["1d6"]


def test_an_overrule_keeps_the_counts(session: Session) -> None:
    session.perform(Overrule(KEY, "outcome", "failure", "no"))

    assert given(session) == [{"hits": 2, "ones": 1}]
    assert session.state().outcome == "failure"


# ------------------------------------------------------------------------------------------------ corrected


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (Change(set={"counts": {"hits": 1}}), {"hits": 1}),
        (Change(dice={"ann/test": {"hits": 1, "ones": 2}}), {"hits": 1, "ones": 2}),
        (Change(dice={"ann/test": (1, 2, 3, 4, 5, 1)}), (1, 2, 3, 4, 5, 1)),
    ],
)
def test_counts_are_corrected_with_counts_or_faces(
    session: Session, change: Change, after: dict[str, int] | tuple[int, ...]
) -> None:
    report = session.preview(4, change, why="misread")
    (misread,) = report.misread
    assert (misread.before, misread.after) == ({"hits": 2, "ones": 1}, after)

    session.amend(4, change, why="misread")
    assert given(session) == [after]
    assert session.state().outcome == "failure"


def test_faces_are_corrected_with_counts(session: Session) -> None:
    session.amend(4, Change(dice={KEY: (5, 5, 1, 2, 3, 4)}), why="misread")
    session.amend("ann/test", Change(dice={KEY: {"hits": 0}}), why="misread again")

    assert given(session) == [{"hits": 0}]


def test_counts_that_no_dice_show_are_refused(session: Session) -> None:
    with pytest.raises(ImpossibleCount):
        session.preview(4, Change(dice={KEY: {"hits": 7}}), why="misread")
    with pytest.raises(BadChange):
        session.preview(4, Change(set={"faces": [1, 2, 3, 4, 5, 6]}), why="misread")
    with pytest.raises(BadChange):
        session.preview(4, Change(dice={KEY: {"hits": 2, "ones": 1}}), why="misread")


# ------------------------------------------------------------------------------------------------ read elsewhere


def test_an_edge_point_rolls_again_what_was_no_hit(session: Session) -> None:
    session.amend(5, Change(set={"option": "again"}), why="she rolled them again")

    assert [rest.dice for rest in session.rests] == ["4d6"]
    session.perform(TypeDice(session.rests[0].key, (5, 1, 2, 3)))
    assert session.state().outcome == "success"


def test_counts_are_narrated_explained_and_audited(session: Session) -> None:
    frame = next(each for each in frames(session.log) if isinstance(each.entry.command, TellDice))
    (sums,) = [each for each in session.audit().rolls if each.key == KEY]
    (dice,) = session.audit().dice.by

    assert "Ann rolls 2 hits and 1 one of 6 dice (a test; told)." in [*narrate(frame.entry, frame.before)]
    explained = [(part.what, part.value, part.why) for part in why(session.log, KEY).parts]
    assert ("dice", "2 hits and 1 one of 6 dice", "told") in explained
    assert (sums.faces, sums.counts, sums.provenance) == ((), {"hits": 2, "ones": 1}, ("told",))
    assert (dice.provenance, dice.faces, dice.rolls, dice.undone) == ("told", 6, 1, 0)


def test_counts_are_exported_imported_and_rehearsed(session: Session) -> None:
    store = MemoryStore()
    brought = bring_in(list(session.export()), store)
    other = Session(store, brought.session)

    assert list(other.export()) == list(session.export())
    assert list(rehearse(other.log)) == []


def test_luck_compares_no_faces_of_counts_but_their_success(session: Session) -> None:
    session.perform(Declare("test", "ann", {"skill": "pistols", "threshold": 2}))
    session.perform(TypeDice(session.rests[0].key, (5, 5, 1, 2, 3, 4)))

    found = session.luck()
    assert found.dice == 6
    assert [(each.who, each.tests, each.successes) for each in found.successes] == [("gm", 2, 2)]


def test_a_count_that_was_not_given_is_not_read_as_a_number_of_dice(session: Session) -> None:
    session.amend(4, Change(set={"counts": {"hits": 2}}), why="nobody counted ones")

    with pytest.raises(CountNeeded):
        session.amend(f"{KEY}/edge", Change(set={"option": "add"}), why="she added Edge")
