"""Every figure that a fight finds has bounds, and cannot be overruled with a value out of bounds."""

import pytest
from all_fights import GAMES, scenarios
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import fights, figures

from ledger import events as e
from machines.contract.figures import Settled, bounds_of
from machines.contract.refusals import ImpossibleFigure
from machines.contract.ruleset import Ruleset, ruleset
from replays.api.session import Session
from replays.sessions.lookup import figures_of
from replays.sessions.wording import wording


def found(session: Session) -> list[e.FigureFound]:
    """Returns the figures of a record that can be overruled; those of tests by the game's word."""
    words, told = wording(session.combat.session), []
    for event in (event for entry in session.entries() for event in entry.events):
        for name, field in figures_of(event, words).items():
            if isinstance(event, e.FigureFound):
                told.append(event)
            elif field != "outcome":
                told.append(e.FigureFound(event.key, name, getattr(event, field), "", "", "test", ""))
    return told


def undeclared(game: Ruleset, session: Session) -> set[str]:
    """Returns the names of figures without bounds."""
    return {each.name for each in found(session) if bounds_of(game.figures, each.name) is None}


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_of_every_scenario_has_bounds(game: str) -> None:
    assert sorted({name for session in scenarios(game) for name in undeclared(ruleset(game), session)}) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_with_bounds_occurs_and_found_values_are_within_them(game: str) -> None:
    rules, occurs, misfits = ruleset(game), set(), set()
    for session in scenarios(game):
        for each in found(session):
            bounds = bounds_of(rules.figures, each.name, test=each.scope == "test")
            occurs.add(id(bounds))
            fixed = bounds is None or type(bounds).__name__ in {"Settled", "Named"}
            if not fixed and not bounds.allows(each.value, session.combat, each):
                misfits.add(f"{each.name} {each.value}")
    assert sorted(misfits) == []
    assert sorted(name for name, bounds in rules.figures.items() if id(bounds) not in occurs) == []


IMPOSSIBLE = {int: (-99_999, 99_999, "zzz"), str: ("zzz", "", " ", 7)}


@settings(max_examples=examples(25))
@given(fights(secrets=True), st.data())
def test_a_value_out_of_bounds_is_refused_and_changes_nothing(fight, data) -> None:
    session = fight.session
    assert undeclared(ruleset(session.combat.session.ruleset), session) == set()
    by_name = {name: (key, name, value) for key, name, value in figures(session)}
    head = session.log.head
    for key, name, value in data.draw(st.permutations(sorted(by_name.values(), key=str)))[:8]:
        for says in IMPOSSIBLE[type(value)]:
            if says == "" and name in {"shot at", "attacks with", "hands left", "surprised by"}:
                continue  # an empty name
            with pytest.raises(ImpossibleFigure) as refused:
                session.overrule(key, name, says, why="x")
            assert refused.value.accepts
    assert session.log.head == head


def test_a_settled_figure_accepts_no_other_value() -> None:
    assert not Settled("x").allows("y", None, None)  # type: ignore[arg-type]
