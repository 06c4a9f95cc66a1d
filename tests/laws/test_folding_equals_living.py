"""Folding the log equals the live state, at every prefix, also across undos and overrules."""

import copy

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, events, fights

from ledger.commands import BeginCombat, Join, Note
from ledger.events import Event
from projections.combat import Combat, evolve, fold
from replays.api.session import Session


@given(fights())
def test_the_standing_events_of_every_prefix_fold_to_the_state_of_that_time(fight) -> None:
    log = fight.session.log

    for then in fight.snapshots:
        line = log.timeline.line(then.head)

        assert fold(event for entry in log.entries_of(line) for event in entry.events) == then.combat


@given(fights())
def test_the_state_at_an_entry_is_the_state_right_after_it(fight) -> None:
    for then in fight.snapshots:
        assert fight.session.state(at=then.last) == then.state


@given(fights())
def test_every_entry_adds_only_its_own_events_to_the_one_it_stands_on(fight) -> None:
    log = fight.session.log
    for entry in log.entries():
        if not log.timeline.stands(entry.seq, log.timeline.head_at(entry.seq)):
            continue  # a rewind moves the head, and no entry stands on it

        before = log.state(entry.after) if entry.after else Combat()

        assert log.state(entry.seq) == fold(entry.events, before)


@given(fights(), st.lists(events(FEW), max_size=12))
def test_folding_one_by_one_equals_folding_at_once_and_changes_no_earlier_state(fight, told: list[Event]) -> None:
    before = fight.session.combat
    kept, encoded = copy.deepcopy(before), msgspec.json.encode(before)

    together = fold(told, before)
    one_by_one = before
    for event in told:
        one_by_one = evolve(one_by_one, event)

    assert together == one_by_one
    assert fold(told[len(told) // 2 :], fold(told[: len(told) // 2], before)) == together
    assert before == kept
    assert msgspec.json.encode(before) == encoded


def test_a_log_that_exceeds_all_caches_still_has_every_state() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
    session.perform(Join("ann", sheet))
    session.perform(BeginCombat({}))
    lived = {session.log.last: session.combat}
    for number in range(1200):
        if number % 97 == 96:
            session.undo()
        else:
            session.perform(Note(f"{number}"))
        lived[session.log.last] = session.combat

    again = Session(session.log.store, session.id)

    for seq, combat in lived.items():
        assert session.log.state(session.log.timeline.head_at(seq)) == combat
        assert again.log.state(again.log.timeline.head_at(seq)) == combat
