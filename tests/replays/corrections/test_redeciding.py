"""Deciding a stretch again by today's rules, as far as a correction asks: the same decisions, few of them in memory."""

import pytest
from strategies import bare

from ledger.commands import Adjust, BeginCombat, Join, Note
from ledger.entry import Entry
from replays import Session
from replays.corrections import redecide as module
from replays.corrections import thrown_rolls
from replays.corrections.change import Change
from replays.corrections.redecide import Redeciding

SHEET = {"init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40}}
LATER = 300


@pytest.fixture(scope="module")
def fight() -> Session:
    """A session with many entries after the one that is corrected, which is entry 3."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for command in (Join("ann", SHEET), Adjust("ann", "wounds", 1, "a fall"), BeginCombat()):
        session.perform(command)
    for number in range(LATER):
        session.perform(Note(f"{number}"))
    return session


def stretch(fight: Session) -> tuple[int, list[Entry]]:
    before = fight.log.timeline.after(3)
    return before, list(fight.log.entries_of(fight.log.timeline.line(since=before)))


def test_decisions_are_those_of_the_whole_stretch_however_far_they_were_asked_for(fight: Session) -> None:
    before, line = stretch(fight)
    whole = Redeciding(fight.log, before, line).finish()
    step_by_step = Redeciding(fight.log, before, line)

    for entry in line:
        decision = step_by_step.decision(entry.seq)
        assert decision is not None
        assert (decision.command, decision.events) == (entry.command, entry.events)
        assert decision.after == fight.log.state(entry.seq)

    assert step_by_step.finish() == whole
    assert whole.combat == fight.combat
    assert whole.drift == []


def test_no_entry_is_decided_before_it_is_asked_for_and_none_twice(
    fight: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, line = stretch(fight)
    made: list[int] = []
    decide = module._decided
    monkeypatch.setattr(module, "_decided", lambda entry, *others: made.append(entry.seq) or decide(entry, *others))
    deciding = Redeciding(fight.log, before, line)

    assert deciding.decision(before) is None
    assert made == []
    deciding.decision(line[0].seq)
    assert len(made) < LATER
    deciding.decision(line[0].seq)
    deciding.finish()
    assert made == [entry.seq for entry in line]


def test_only_the_latest_decisions_are_kept(fight: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LATEST", 100)
    before, line = stretch(fight)
    deciding = Redeciding(fight.log, before, line)

    deciding.finish()

    kept = [entry.seq for entry in line if deciding.decision(entry.seq) is not None]
    assert 100 - module._AT_ONCE <= len(kept) <= 100
    assert kept == [entry.seq for entry in line][-len(kept) :]


def test_a_correction_is_the_same_where_decisions_are_forgotten(
    fight: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = Change(set={"value": 2})
    expected = fight.preview(3, change)

    monkeypatch.setattr(module, "LATEST", 0)
    monkeypatch.setattr(module, "_AT_ONCE", 1)

    assert fight.preview(3, change) == expected


def test_the_state_is_known_everywhere_on_a_corrected_line(fight: Session) -> None:
    made = fight.amend(3, Change(set={"value": 2}), why="two falls")

    for entry in made.entries:
        assert fight.log.state(entry.seq).wounds.count("ann") == (2 if entry.seq > made.entries[0].seq else 0)
    assert bare(fight.state()) == bare(made.report.after)
    again = Session(fight.log.store, fight.id)
    assert [again.log.state(each.seq) for each in made.entries] == [fight.log.state(each.seq) for each in made.entries]


def test_superseded_answers_are_read_only_where_one_may_be_needed(
    fight: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("every answer is still recorded on the line")

    monkeypatch.setattr("replays.corrections.amend.older_answers", read)
    monkeypatch.setattr(thrown_rolls, "older_answers", read)

    assert fight.preview(fight.log.timeline.line()[-1], Change(set={"text": "x"})).changes_nothing
