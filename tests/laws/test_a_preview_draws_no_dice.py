"""Previews and what-if questions draw no dice: they use recorded dice only."""

from typing import Any, NoReturn

import pytest
from histories.corrections import amendable, corrections
from hypothesis import given
from hypothesis import strategies as st
from strategies import fights, figures, rolls

from ledger.commands import ApplyModifier, BeginCombat, DrawDice, Join, Overrule
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import DiceRolled
from replays.api.session import Session
from replays.corrections.change import Change
from replays.sessions.provable_dice import ProvableDice

SHEET = {"init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40}}
ANN, BOB = "r1/ann/initiative", "r1/bob/initiative"
DRAWN = Change(insert=({"draw": True},))


def _begun(policies: dict[str, str]) -> Session:
    """Returns a fight with dice from a sealed seed; Bob's initiative is open."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", policies=policies)
    for command in (Join("ann", SHEET), Join("bob", SHEET), BeginCombat(), DrawDice(ANN)):
        session.perform(command)
    return session


def _refuse_to_draw(*_: object) -> NoReturn:
    raise AssertionError("a preview has drawn dice")


@pytest.mark.parametrize("policies", [{}, {"dice": "fresh"}], ids=["the same faces for ever", "new faces each time"])
@pytest.mark.parametrize("change", [DRAWN, Change(insert=({"draw": BOB},)), Change(drop=True, insert=({"draw": ANN},))])
@pytest.mark.parametrize("look", ["preview", "whatif"])
def test_faces_of_a_sealed_seed_are_not_previewed(policies: dict[str, str], change: Change, look: str) -> None:
    session = _begun(policies)

    with pytest.raises(Refused) as refused:
        getattr(session, look)(5, change)

    assert refused.value.slug == "amend/draws"
    assert refused.value.where in (ANN, BOB)
    assert refused.value.accepts == "typed faces; or omit the step, so that the roll stays open; or amend, which draws"


def test_the_amendment_draws() -> None:
    session = _begun({})

    made = session.amend(5, Change(insert=({"draw": BOB},)), why="Bob was first")

    assert [event.key for entry in made.entries for event in entry.events if isinstance(event, DiceRolled)] == [
        BOB,
        ANN,
    ]


def test_given_faces_are_previewed_instead_of_drawn_ones() -> None:
    report = _begun({}).preview(5, Change(insert=({"dice": {BOB: [7]}},)))

    assert report.after.initiative


def _look(session: Session, data: Any, entry: Entry) -> None:
    """Previews a correction of some kind."""
    kind = data.draw(st.sampled_from(("draw", "correction", "modify", "overrule")))
    if kind in ("draw", "correction"):
        change = DRAWN if kind == "draw" else corrections(data.draw, session, entry)
        data.draw(st.sampled_from((session.preview, session.whatif)))(entry.seq, change)
    elif kind == "modify" and rolls(session):
        key, _ = data.draw(st.sampled_from(rolls(session)))
        session.preview_roll(ApplyModifier(key, data.draw(st.integers(-40, 40)), "late"))
    elif kind == "overrule" and figures(session):
        key, figure, value = data.draw(st.sampled_from(figures(session)))
        session.preview_roll(Overrule(key, figure, value + 1 if isinstance(value, int) else value, "so be it"))


@given(fights(), st.data())
def test_no_preview_of_a_correction_throws_a_die(fight, data) -> None:
    session = fight.session
    found = amendable(session)
    if not found:
        return
    entry = data.draw(st.sampled_from(found))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProvableDice, "draw", _refuse_to_draw)
        try:
            _look(session, data, entry)
        except Refused:
            return
