"""Amendments: an empty one changes nothing, two equal one, an undone one leaves the earlier state, and dice are kept."""

from collections.abc import Sequence

import msgspec
import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bare, faces, fights

from ledger.commands import Declare, DrawDice, TypeDice
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import DiceRolled
from replays.api.session import Session
from replays.corrections.change import AMENDABLE, BadChange, Change


def amendable(session: Session) -> list[Entry]:
    """Returns the standing entries that can be corrected."""
    line = session.log.entries_of(session.log.timeline.line())
    return [entry for entry in line if isinstance(entry.command, AMENDABLE)]


def same(entry: Entry) -> Change:
    """Returns a change that sets the present values."""
    fields = [each.name for each in msgspec.structs.fields(type(entry.command))]
    name = next(each for each in fields if each not in ("faces", "seen_by", "given_at"))
    return Change(set={name: msgspec.to_builtins(getattr(entry.command, name))})


def beside(change: Change) -> Change:
    """Returns the same change with an inserted note, which has no consequences."""
    return msgspec.structs.replace(change, insert=({"note": "it was raining"},))


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_an_amendment_without_a_change_is_refused(fight, data) -> None:
    session = fight.session
    found = amendable(session)
    if not found:
        return
    entry, head = data.draw(st.sampled_from(found)), session.log.head
    for ask in (session.preview, session.amend):
        with pytest.raises(BadChange, match="nothing is changed"):
            ask(entry.seq, same(entry), why="as it was")
    assert session.log.head == head


def faces_that_stand(session: Session) -> dict[str, Sequence[int]]:
    """Returns the standing dice by key."""
    line = session.log.entries_of(session.log.timeline.line())
    return {event.key: event.faces for entry in line for event in entry.events if isinstance(event, DiceRolled)}


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_amending_nothing_changes_nothing(fight, data) -> None:
    session = fight.session
    found = amendable(session)
    if not found:
        return
    entry, before, state = data.draw(st.sampled_from(found)), session.combat, session.state()

    made = session.amend(entry.seq, beside(same(entry)), why="as it was")

    assert made.report.changes_nothing, made.report
    assert session.combat == before
    assert bare(session.state()) == bare(state)


def change_for(data, session: Session, entry: Entry) -> Change:
    """Draws a change of an entry: other faces, other terms, or its removal."""
    command, before = entry.command, session.log.state(entry.after)
    rest = next((rest for rest in before.rests if rest.key == getattr(command, "key", "")), None)
    if isinstance(command, TypeDice | DrawDice) and rest is not None and rest.dice:
        return Change(set={"faces": list(data.draw(faces(rest.dice)))})
    if isinstance(command, Declare) and data.draw(st.booleans()):
        return Change(set={"terms.at": data.draw(st.sampled_from(("ann", "bob", "cyd")))})
    return Change(drop=True)


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_an_undone_amendment_leaves_the_earlier_state(fight, data) -> None:
    session = fight.session
    found = amendable(session)
    if not found:
        return
    entry, before, head = data.draw(st.sampled_from(found)), session.combat, session.log.head
    try:
        session.amend(entry.seq, change_for(data, session, entry), why="it was otherwise")
    except Refused as refusal:
        assert "/" in refusal.slug
        assert session.log.head == head
        return

    session.undo()

    assert session.log.head == head
    assert session.combat == before


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_a_preview_writes_nothing_and_equals_the_amendment(fight, data) -> None:
    session = fight.session
    found = amendable(session)
    if not found:
        return
    entry = data.draw(st.sampled_from(found))
    last, change = session.log.last, change_for(data, session, entry)
    try:
        preview = session.preview(entry.seq, change, why="it was otherwise")
    except Refused:
        return
    assert session.log.last == last

    made = session.amend(entry.seq, change, why="it was otherwise")

    assert made.report.flips == preview.flips
    assert made.report.shifts == preview.shifts
    assert bare(session.state()) == bare(preview.after)


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_amending_twice_equals_amending_once(fight, data) -> None:
    session = fight.session
    found = amendable(session)
    if not found:
        return
    entry = data.draw(st.sampled_from(found))
    change = change_for(data, session, entry)
    if change.drop:
        return
    try:
        once = session.amend(entry.seq, change, why="it was otherwise")
    except Refused:
        return
    combat, corrected = session.combat, once.entries[1]

    with pytest.raises(BadChange, match="nothing is changed"):
        session.amend(corrected.seq, change, why="as was said")
    twice = session.amend(corrected.seq, beside(change), why="as was said")

    assert twice.report.changes_nothing, twice.report
    assert session.combat == combat


@settings(max_examples=examples(60))
@given(fights(), st.data())
def test_every_die_in_use_keeps_its_face(fight, data) -> None:
    session = fight.session
    found = [entry for entry in amendable(session) if isinstance(entry.command, Declare)]
    if not found:
        return
    entry, before = data.draw(st.sampled_from(found)), faces_that_stand(session)
    try:
        session.amend(entry.seq, change_for(data, session, entry), why="it was otherwise")
    except Refused:
        return

    after = faces_that_stand(session)

    for key, shown in after.items():
        if key in before:
            fewer = min(len(shown), len(before[key]))
            assert shown[:fewer] == before[key][:fewer], key
