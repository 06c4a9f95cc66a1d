"""The record frame by frame, seeking, and the record in sentences."""

import itertools

import pytest

from ledger.commands import BeginCombat, Join
from ledger.errors import NoSuchEntry
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from replays.api.run_script import perform
from replays.api.session import Session
from replays.exports.narrative import narrate, paths
from replays.scripts.format import find_script, read
from replays.views.frames import frames, seek


@pytest.fixture(scope="module")
def session() -> Session:
    return perform(read(find_script("stoya")[1]))


def test_each_frame_begins_where_the_one_before_ended(session: Session) -> None:
    shown = list(frames(session.log))

    assert [frame.entry.seq for frame in shown] == session.log.timeline.line()
    assert shown[0].before == Combat()
    assert all(one.combat == other.before for one, other in itertools.pairwise(shown))
    assert shown[-1].combat == session.combat


def test_frames_from_an_entry_on_have_what_was_so_before_it(session: Session) -> None:
    assert next(frames(session.log, 20)) == list(frames(session.log))[17]


def test_with_everything_each_entry_is_shown_on_what_it_stands_on(session: Session) -> None:
    shown = list(frames(session.log, everything=True))

    assert [frame.entry.seq for frame in shown] == list(range(1, session.log.last + 1))
    assert all(frame.before == session.log.state(frame.entry.after) for frame in shown)


def test_seeking_an_entry_finds_what_was_so_then(session: Session) -> None:
    found = seek(session.log, 16)

    assert found.entry.seq == 16
    assert found.combat.health.track("stoya", "damage").taken == 26
    with pytest.raises(NoSuchEntry):
        seek(session.log, 99)


def test_the_boxes_of_an_exchange_are_told_by_their_printed_numbers() -> None:
    session = perform(read(find_script("street-fight")[1]))

    said = [line for frame in frames(session.log) for line in paths(frame.entry, frame.before)]

    assert said[0] == "Path: 1-2-3A-3B-3C-4A-4B-4C-5-6-7-8-hit."


def test_the_record_reads_as_sentences(session: Session) -> None:
    said = [sentence for frame in frames(session.log) for sentence in narrate(frame.entry, frame.before)]

    assert "The assassin draws a shredder (quick action)." in said
    assert "Stoya rolls 28 (defend; scripted)." in said
    assert "Stoya takes 21 damage." in said
    assert "Stoya suffers 2 wounds." in said
    assert all(sentence[0].isupper() and sentence[-1] in ".}y" for sentence in said), said


def test_where_several_roll_for_the_same_the_record_says_who() -> None:
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_2e", session="AMBUSH")
    sheet = {
        "durability": 40,
        "aptitudes": {"int": 15, "ref": 20, "som": 20},
        "skills": {"infiltrate": 40, "perceive": 60},
    }
    for who in ("ann", "bob", "cyd"):
        session.perform(Join(who, sheet, who.title()))

    begun = session.perform(BeginCombat({"ambushers": ["ann"], "alert": ["cyd"]}))

    said = list(narrate(begun, session.log.state(begun.after)))
    assert "Bob, notice: -20 distracted." in said
    assert "Cyd, notice, base: 60 (perceive)." in said
    assert "Ambush, base: 40 (infiltrate)." in said
