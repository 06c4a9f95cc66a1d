"""Branches: one change is a what-if, several are amendments one after the other; nothing is written."""

from typing import Any

import msgspec
import pytest
from drawing import examples
from histories.corrections import amendable, corrections
from hostile import WRONG
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import attacked, bare, fights

from ledger.commands import BeginCombat, CloseSession, DrawDice, Join, Note, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.errors import NoSuchEntry, Refused
from machines.contract.refusals import NotAllowed
from replays.api.batches import copy_of
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import BadChange, Change, EntryChange
from replays.exports.narrative import sentences
from replays.exports.theatre.branch import BranchLine
from replays.scripts.format import find_script, read

SHEET = {"init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40}}
MISS, HIT, DEFENDED = Change(set={"faces": [1, 1]}), Change(set={"faces": [3, 5]}), Change(set={"faces": [5] * 5})


@pytest.fixture
def fight() -> Session:
    """Returns the street fight, of 45 entries."""
    return perform(read(find_script("street-fight")[1]))


def copied(session: Session) -> Session:
    """Returns a session in memory with the same entries."""
    log = copy_of(session.log)
    return Session(log.store, log.session)


def tried(work: Any) -> Any:
    """Returns what work returns, or the slug of its refusal."""
    try:
        return work()
    except Refused as refusal:
        return refusal.slug


def told(session: Session, since: int) -> list[tuple[str, ...]]:
    """Returns the entries that stand after one, in sentences, as if each was performed for the first time."""
    log = session.log
    line = log.entries_of(log.timeline.line(since=since))
    return [tuple(sentences(msgspec.structs.replace(each, origin=None), log.state(each.after))) for each in line]


def drawn_change(data: Any, session: Session) -> EntryChange | None:
    """Draws a change of an entry that stands; none of it draws dice."""
    found = amendable(session)
    if not found:
        return None
    entry: Entry = data.draw(st.sampled_from(found))
    change = corrections(data.draw, session, entry)
    return EntryChange(entry.seq, change)


# ------------------------------------------------------------------------------------------------ laws


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_a_branch_of_one_change_has_the_report_of_the_what_if(fight, data) -> None:
    session = fight.session
    change = drawn_change(data, session)
    if change is None:
        return
    digest, state = session.log.digest, session.state()

    branch = tried(lambda: session.branch([change]))
    report = tried(lambda: session.whatif(change.entry, change.change))

    assert (branch.report if isinstance(branch, BranchLine) else branch) == report
    assert (session.log.digest, session.state()) == (digest, state)
    assert tried(lambda: session.branch([change])) == branch


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_a_branch_of_two_changes_is_two_amendments_one_after_the_other(fight, data) -> None:
    session = fight.session
    first = drawn_change(data, session)
    one = first and tried(lambda: session.branch([first]))
    if first is None or not isinstance(one, BranchLine):
        return
    other = copied(session)
    other.amend(first.entry, first.change, why="what if", consent=True)
    second = drawn_change(data, other)
    if second is None:
        return

    two = tried(lambda: session.branch([first, second]))
    made = tried(lambda: other.amend(second.entry, second.change, why="what if", consent=True))

    if not isinstance(two, BranchLine):
        assert two in (made, "amend/draws")
        return
    begins = two.steps[0].after
    assert [each.narration for each in two.steps] == told(other, begins)
    assert [each.seq for each in two.steps] == other.log.timeline.line(since=begins)
    assert bare(two.state) == bare(other.state())
    assert {each.entry for each in two.waits} == {each.seq for each in other.waiting.entries()}
    assert two.report is not None
    assert (two.report.flips, two.report.set_aside) == (made.report.flips, made.report.set_aside)
    assert [each.command for each in two.steps] == [other.log.entry(each.seq).command for each in two.steps]
    assert session.branch([first]) == one


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_a_branch_without_a_change_is_the_line_that_stood(fight, data) -> None:
    session = fight.session
    base = data.draw(st.integers(1, session.log.last))
    timeline = session.log.timeline

    branch = session.branch(upto=base)

    line = timeline.line(timeline.head_at(base))
    assert [each.seq for each in branch.steps] == [each.recorded for each in branch.steps] == line
    assert (branch.upto, branch.first, branch.report, branch.dice, branch.is_whole) == (base, 0, None, None, True)
    assert bare(branch.state) == bare(session.state(base))


# ------------------------------------------------------------------------------------------------ a shipped fight


def test_an_entry_is_known_by_that_of_the_record_however_often_it_is_performed_again(fight: Session) -> None:
    one = fight.branch([EntryChange(21, HIT)])
    defends = next(each for each in one.steps if each.recorded == 22)
    assert defends.rest is not None
    assert (defends.rest["key"], defends.rest.get("dice")) == ("r1/slim/a1/attack/defend", "5d6")

    two = fight.branch([EntryChange(21, HIT), EntryChange(defends.seq, DEFENDED)])

    known = {each.recorded: each for each in two.steps if each.recorded}
    assert known[22].seq > defends.seq
    assert known[22].narration[0].startswith("Razor rolls 5 5 5 5 5 ")
    assert known[21].narration == next(each.narration for each in one.steps if each.recorded == 21)
    assert [each.kind for each in two.steps if each.recorded is None] == ["amend", "amend"]


def test_the_dice_that_are_kept_and_those_to_be_thrown(fight: Session) -> None:
    recorded = sum(len(getattr(each.command, "faces", ())) for each in fight.entries() if each.seq >= 21)

    dice = fight.branch([EntryChange(21, HIT)]).dice

    # Slim's attack misses, so Razor is not wounded, and attacks with one die more than was thrown.
    assert dice is not None
    assert dice.recorded == recorded
    assert (dice.kept, dice.needed) == (6, 1)  # one of the two faces is the same, and the five of the defense


def test_two_branches_can_begin_with_the_same_entry(fight: Session) -> None:
    late = fight.branch([EntryChange(39, Change(drop=True))], since=21)
    early = fight.branch([EntryChange(21, HIT)], since=30)

    assert late.steps[0].recorded == 21
    assert early.steps[0].after == 20  # not later than the changed entry


def test_a_branch_stands_on_the_record_as_it_was(fight: Session) -> None:
    before = fight.branch([EntryChange(21, HIT)])
    fight.perform(Note("rain"))
    fight.undo("round")

    assert fight.branch([EntryChange(21, HIT)], upto=45) == before
    with pytest.raises(NoSuchEntry):
        fight.branch(upto=fight.log.last + 1)


def test_a_long_branch_is_read_in_parts(fight: Session) -> None:
    changes = [EntryChange(9, Change(set={"option": "pass"}, insert=({"note": "rain"},)))]
    whole = fight.branch(changes)
    steps: list[Any] = []
    while len(steps) < len(whole.steps):
        part = fight.branch(changes, after=steps[-1].seq if steps else 0, size=4_000)
        assert part.steps
        steps += part.steps
        assert part.is_whole == (len(steps) == len(whole.steps))

    assert tuple(steps) == whole.steps
    assert len(fight.branch(changes, size=1).steps) == 1


def test_a_closed_session_is_studied(fight: Session) -> None:
    fight.perform(CloseSession())

    assert fight.branch([EntryChange(21, MISS)]).report is not None


def test_a_sealed_die_is_not_drawn() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for command in (Join("ann", SHEET), Join("bob", SHEET), BeginCombat(), DrawDice("r1/ann/initiative")):
        session.perform(command)

    with pytest.raises(Refused) as refused:
        session.branch([EntryChange(5, Change(insert=({"draw": "r1/bob/initiative"},)))])

    assert refused.value.slug == "amend/draws"


def test_a_branch_goes_on_with_the_missing_die_and_what_was_recorded(fight: Session) -> None:
    key = "r1/razor/a3/attack/to-hit"
    other = copied(fight)
    other.amend(21, HIT, why="what if")
    other.perform(TypeDice(key, (6,)))

    branch = fight.branch([EntryChange(21, HIT, (TypeDice(key, (6,)),))])

    assert [each.narration for each in branch.steps] == told(other, 20)
    assert bare(branch.state) == bare(other.state())
    rolled = next(each for each in branch.steps if each.kind == "type dice" and each.seq > branch.first + 5)
    assert rolled.narration[0].startswith("Razor rolls 5 5 2 3 4 2 3 4 2 3 6 ")
    apart = fight.branch([EntryChange(21, HIT), EntryChange(then=(TypeDice(key, (6,)),))])
    assert (apart.report, apart.dice) == (None, None)
    assert apart.steps == branch.steps
    assert fight.log.last == 45


@pytest.mark.parametrize(
    "change",
    [EntryChange(), EntryChange(then=(DrawDice("r1/razor/a3/attack/to-hit"),)), EntryChange(then=(Note("rain"),)), EntryChange(then=7), EntryChange(then=(7,))],  # type: ignore[arg-type]
)  # fmt: skip
def test_a_branch_does_not_go_on_with_anything_else(fight: Session, change: EntryChange) -> None:
    with pytest.raises(BadChange):
        fight.branch([EntryChange(21, HIT), change])


# ------------------------------------------------------------------------------------------------ refusals


def test_the_refusal_names_the_change(fight: Session) -> None:
    with pytest.raises(BadChange, match="change 2 of the branch") as refused:
        fight.branch([EntryChange(21, HIT), EntryChange(21, MISS)])  # entry 21 stands no more

    assert refused.value.where == "changes.2.entry"


@pytest.mark.parametrize(
    "changes", [[EntryChange(21, HIT)] * 41, "no", None, [21], [EntryChange(21, "no")], [EntryChange(1, MISS)]]
)
def test_wrong_changes_are_refused(fight: Session, changes: Any) -> None:
    with pytest.raises(BadChange):
        fight.branch(changes)


def test_an_entry_that_does_not_stand_is_no_beginning(fight: Session) -> None:
    fight.undo()

    with pytest.raises(BadChange, match="does not stand"):
        fight.branch(since=45)


@pytest.mark.parametrize("seat", [Seat.PLAYER, Seat.SPECTATOR])
@pytest.mark.parametrize("base", [None, 99])
def test_it_is_for_the_gamemaster(fight: Session, seat: Seat, base: int | None) -> None:
    for changes in ([], [EntryChange(21, HIT)], [EntryChange("nobody/to-hit", HIT)]):
        with pytest.raises(NotAllowed):
            fight.branch(changes, by=Who("kira", seat), upto=base)


@pytest.mark.parametrize("value", WRONG, ids=range(len(WRONG)))
def test_any_argument_is_accepted_or_refused(value: Any) -> None:
    session = attacked()
    last = session.log.last
    session.perform(Join("cyd", SHEET))
    for given_ in ({"by": value}, {"upto": value}, {"since": value}, {"after": value}, {"changes": value}):
        tried(lambda: session.branch(**given_))  # noqa: B023  called at once
    tried(lambda: session.branch([EntryChange(value, MISS)]))
    tried(lambda: session.branch([EntryChange(then=value)]))
    tried(lambda: session.branch([EntryChange(then=(TypeDice("r1/ann/a1", value),))]))
    tried(lambda: session.branch([EntryChange(5, Change(set=value))]))
    assert session.log.last == last + 1
