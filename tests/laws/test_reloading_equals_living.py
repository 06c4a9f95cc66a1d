"""A reopened session equals the live one: state, timeline, and possible redos."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fights

from ledger.commands import Adjust, ApplyModifier, BeginCombat, Command, Declare, Join, Note, PassTime, Rewind, TypeDice
from ledger.entry import Who
from ledger.errors import Refused
from ledger.events import Noted, Rewound
from replays.api.session import Session
from replays.sessions.log import Draft


@given(fights(secrets=True))
def test_a_reopened_session_equals_the_live_one(fight) -> None:
    lived = fight.session

    again = Session(lived.log.store, lived.id)

    assert again.combat == lived.combat
    assert again.state() == lived.state()
    assert again.rests == lived.rests
    assert again.log.digest == lived.log.digest
    assert again.log.rules_version == lived.log.rules_version
    assert again.log.timeline.redo == lived.log.timeline.redo
    assert again.log.timeline.line() == lived.log.timeline.line()
    for seq in range(1, lived.log.last + 1):
        assert again.log.timeline.head_at(seq) == lived.log.timeline.head_at(seq)
        assert again.log.state(seq) == lived.log.state(seq)


@given(fights(secrets=True))
def test_the_stored_lines_are_the_returned_entries(fight) -> None:
    session = fight.session
    if session.log.timeline.after(session.log.head):
        entry = session.undo()

        assert list(session.entries())[-1] == entry


@given(fights())
def test_reading_entries_of_other_writers_equals_reopening(fight) -> None:
    behind = Session(fight.session.log.store, fight.session.id)
    fight.move(("answer", "undo", "note", "overrule"))
    fight.move(("answer", "undo", "note", "overrule"))

    behind.log.refresh()

    assert behind.combat == fight.session.combat
    assert behind.log.digest == fight.session.log.digest
    assert behind.log.timeline.redo == fight.session.log.timeline.redo


@given(
    batches=st.lists(
        st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9), st.booleans()), min_size=1, max_size=4), max_size=30
    )
)
def test_a_log_after_appending_equals_a_log_after_reading(batches: list[list[tuple[int, int, bool]]]) -> None:
    """Tests entries that stand on any other, of any rules version, and appended in batches of any size."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    log, behind = session.log, Session(session.log.store, session.id).log
    for batch in batches:
        drafts = []
        for seq, (back, version, rewinds) in enumerate(batch, log.last + 1):
            to = max(1, seq - 1 - back)
            command = Rewind(to) if rewinds else Note(f"{seq}")
            events = (Rewound(to, ""),) if rewinds else (Noted(f"{seq}", ""),)
            drafts.append(Draft(command, events, Who("gm"), seq - 1 if rewinds else to, version))
        log.append(drafts, "2024-11-03T19:30:00.000Z", [bytes(16)] * len(drafts))
        behind.refresh()
    for other in (behind, Session(log.store, session.id).log):
        for what in ("last", "head", "combat", "digest", "size", "rules_version", "corrections"):
            assert getattr(other, what) == getattr(log, what), what
        for seq in range(1, log.last + 1):
            assert other.state(seq) == log.state(seq)
    assert log.size == sum(len(record.line) for record in log.store.read(session.id))


SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
MISTYPED: dict[str, Command] = {
    "a truth value for a number": Adjust("ann", "wounds", True, "x"),
    "a fraction for a number": ApplyModifier("r1/ann/initiative", 0.5, "x"),
    "nothing for words": Note(None),
    "a fraction for a face": TypeDice("r1/ann/initiative", (5.0,)),
    "a list for a tuple": TypeDice("r1/ann/initiative", [5]),
    "a word for an audience": Note("x", seen_by="ann"),
    "a number for a player": Join("bob", SHEET, "Bob", 5),
    "a word for an entry": Rewind("2"),
    "a time in terms": Declare("quick", "ann", {"what": datetime(2024, 1, 1, tzinfo=UTC)}),
}
BEFORE_THE_FIGHT: dict[str, Command] = {
    "no number at all in a situation": BeginCombat({"light": float("nan")}),
    "a number for a key": BeginCombat({5: "light"}),
    "a set in a situation": BeginCombat({"light": {"red"}}),
    "a word for a number": PassTime("1", "minutes"),
}


@pytest.mark.parametrize(
    ("command", "fighting"),
    [*((command, True) for command in MISTYPED.values()), *((command, False) for command in BEFORE_THE_FIGHT.values())],
    ids=[*MISTYPED, *BEFORE_THE_FIGHT],
)
def test_a_command_with_wrong_types_is_refused_or_can_be_read_back(command: Command, fighting: bool) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET))
    if fighting:
        session.perform(BeginCombat())
    try:
        session.perform(command)
    except (Refused, TypeError, ValueError):
        pass  # allowed if nothing unreadable was written

    again = Session(session.log.store, session.id)

    assert again.combat == session.combat
    assert len(list(again.entries())) == session.log.last


def test_a_command_of_a_person_without_a_name_is_refused_or_can_be_read_back() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    try:
        session.perform(Note("x"), by=Who(None))
    except (Refused, TypeError, ValueError):
        pass  # allowed if nothing unreadable was written

    assert Session(session.log.store, session.id).combat == session.combat


@pytest.mark.parametrize("seen_by", [[], ["gm"]], ids=["nobody", "the gamemaster"])
def test_an_entry_with_a_list_for_a_tuple_is_returned_as_it_is_read_back(seen_by) -> None:
    session = Session.create("memory://", ruleset="gurps_3e")

    entry = session.perform(Note("x", seen_by=seen_by))

    assert entry == list(session.entries())[-1]
    assert isinstance(entry.command.seen_by, tuple)
