"""A modifier of 0 after the roll changes no outcome."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from strategies import bare, fights, rolls

from ledger.events import Event, FigureFound, ModifierApplied, Overruled
from replays.api.session import Session


def _outcome(event: Event) -> Event:
    """Returns an event without its explanation, which names the modifier."""
    return msgspec.structs.replace(event, why="") if hasattr(event, "why") else event


def _outcomes(session: Session) -> list[Event]:
    """Returns all standing events except modifiers and recalculated figures."""
    standing = session.log.entries_of(session.log.timeline.line())
    events = (event for entry in standing for event in entry.events)
    return [_outcome(event) for event in events if not isinstance(event, FigureFound | ModifierApplied)]


def _figures(session: Session) -> dict[tuple[str, str], Any]:
    """Returns each figure's value: the last one by the rules, or the gamemaster's."""
    found: dict[tuple[str, str], Any] = {}
    for entry in session.log.entries_of(session.log.timeline.line()):
        for event in entry.events:
            if isinstance(event, FigureFound):
                found[event.key, event.name] = event.value
            elif isinstance(event, Overruled):
                found[event.key, event.figure] = event.gm_says
    return found


@given(fights(), st.data())
def test_a_modifier_of_0_changes_no_consequence_of_the_roll(fight, data) -> None:
    session = fight.session
    thrown = rolls(session)
    if not thrown:
        return
    key, _ = data.draw(st.sampled_from(thrown))
    outcomes, figures, state = _outcomes(session), _figures(session), session.state()

    session.modify(key, 0, why="nothing")

    assert _outcomes(session) == outcomes
    assert _figures(session) == figures
    assert bare(session.state()) == bare(state)


@given(fights(), st.data(), st.integers(-60, 60))
def test_a_modifier_and_its_opposite_leave_the_outcomes_unchanged(fight, data, value: int) -> None:
    session = fight.session
    asked = [rest.key for rest in session.rests if rest.dice]
    if not asked:
        return
    key = data.draw(st.sampled_from(asked))
    state, figures = session.state(), _figures(session)

    session.modify(key, value, why="dark")
    if any(rest.key == key for rest in session.rests):
        session.modify(key, -value, why="no, it is not")
    else:  # no die of the pool was left, so that no roll is open
        session.undo()

    assert bare(session.state()) == bare(state)
    assert _figures(session) == figures
