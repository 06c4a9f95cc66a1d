"""A secret roll for Initiative is disclosed by nothing but the order of acting."""

from typing import Any

import pytest
from secret_fights import HIDDEN, events, eyes, lines, met, told

from ledger import events as e
from ledger.audience import EVERYTHING
from ledger.commands import TypeDice
from ledger.dice import parse
from projections.views.seen import shown
from replays.api.session import Session

FACES = {"eclipse_phase_1e": 87, "eclipse_phase_2e": 4, "shadowrun_4e": 5}


def begun(game: str, seen_by: Any, by: str = "villain") -> tuple[Session, str]:
    """Rolls Initiative for both combatants, one in secret; returns the session and the key of the secret roll."""
    session = met(game, None)
    key = ""
    while session.rests[0].dice:
        rest = session.rests[0]
        faces = tuple(min(FACES[game], side) for side in parse(rest.dice).sides)
        mine = rest.by == by
        key = rest.key if mine and not key else key
        session.perform(TypeDice(rest.key, faces, seen_by=seen_by if mine else None))
    return session, key


@pytest.mark.parametrize("game", FACES)
def test_a_score_from_a_secret_roll_is_not_explained(game: str) -> None:
    session, key = begun(game, HIDDEN)

    scored = [event for event in shown(session.entries(), eyes(session)) if isinstance(event, e.InitiativeScored)]
    assert [event.who for event in scored] == ["bob"]
    assert not [line for line in told(session, eyes(session)) if line.startswith("Villain: initiative")]
    assert not [line for line in lines(session.why(key, eyes(session))) if "score" in line or "initiative" in line]
    assert [line for line in told(session, EVERYTHING) if line.startswith("Villain: initiative")]


@pytest.mark.parametrize("game", FACES)
def test_whoever_may_see_the_roll_sees_the_score(game: str) -> None:
    session, _ = begun(game, ("bob",), "bob")
    assert "bob" in [
        event.who for event in shown(session.entries(), eyes(session)) if isinstance(event, e.InitiativeScored)
    ]


@pytest.mark.parametrize("game", FACES)
def test_the_order_is_for_everybody(game: str) -> None:
    session, _ = begun(game, HIDDEN)
    order = events(session, e.OrderFixed)[-1]

    assert order.seen_by is None
    assert session.state(eyes=eyes(session)).initiative == session.state().initiative
