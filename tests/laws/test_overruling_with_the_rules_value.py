"""Overruling a figure with its value by the rules changes nothing but the record of the overruling."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from strategies import bare, fights, figures

from ledger.entry import Entry
from ledger.events import Event, Overruled
from replays.api.session import Session
from replays.sessions.wording import wording


def _standing(session: Session) -> list[Entry]:
    return list(session.log.entries_of(session.log.timeline.line()))


def _without(events: tuple[Event, ...], key: str, figure: str) -> Iterator[Event]:
    return (
        event for event in events if not (isinstance(event, Overruled) and (event.key, event.figure) == (key, figure))
    )


@given(fights(), st.data())
def test_an_overrule_with_the_rules_value_adds_only_its_record(fight, data) -> None:
    session = fight.session
    before, state = _standing(session), session.state()
    overruled = {
        (event.key, event.figure) for entry in before for event in entry.events if isinstance(event, Overruled)
    }
    words = wording(session.combat.session).test_figures
    found = [each for each in figures(session) if (each[0], words.get(each[1], each[1])) not in overruled]
    if not found:
        return
    key, figure, value = data.draw(st.sampled_from(found))

    made = session.overrule(key, figure, value, why="so it is")
    figure = made[0].command.figure  # by its name in the record

    after = _standing(session)
    assert [tuple(_without(entry.events, key, figure)) for entry in after] == [entry.events for entry in before]
    assert [entry.command for entry in after if entry.seq != made[0].seq] == [
        entry.command for entry in before if entry.seq != made[0].origin
    ]
    assert Overruled(key, figure, value, value, "so it is") in made[0].events
    assert bare(session.state()) == bare(state)


@given(fights(), st.data())
def test_an_undone_overrule_leaves_the_earlier_state(fight, data) -> None:
    session = fight.session
    found = figures(session)
    if not found:
        return
    head, combat = session.log.head, session.combat
    key, figure, value = data.draw(st.sampled_from(found))
    session.overrule(key, figure, value, why="so it is")

    session.rewind(head)

    assert session.combat == combat
    assert session.log.head == head
