"""The path through a procedure is shown whole if nothing is secret; else only the boxes in which something visible happens."""

from typing import Any

import msgspec
import pytest
from ambush import KIRA
from secret_fights import GAMES, HIDDEN, blow, events, eyes, met, told

from ledger import events as e
from ledger.audience import EVERYTHING
from ledger.commands import BeginCombat, Declare, Join, TypeDice
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from machines.secrecy.steps import conceal
from projections.views.seen import shown, viewer
from replays.api.session import Session

STEP, DECLARED, ENDED = (
    e.StepEntered("attack", "1", 0), e.Declared("k", "attack", "ann", {}), e.ExchangeEnded("k", "missed"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("events", "frames", "seen_by"),
    [
        ((STEP,), 0, [None]),
        ((STEP, DECLARED, STEP, ENDED, STEP), 0, [None, None, None]),
        ((STEP, DECLARED, STEP), 0, [None, ()]),
        ((STEP, ENDED, STEP), 1, [None, None]),
        ((STEP, STEP, ENDED, STEP), 1, [(), None, None]),
        ((ENDED, STEP, STEP), 2, [(), ()]),
    ],
)
def test_a_box_is_hidden_within_an_exchange_alone(
    events: tuple[e.Event, ...], frames: int, seen_by: list[e.Audience]
) -> None:
    told = conceal(events, frames, ())

    assert [event.seen_by for event in told if isinstance(event, e.StepEntered)] == seen_by


def test_a_box_that_was_hidden_before_is_shown_to_nobody_more() -> None:
    box = msgspec.structs.replace(STEP, seen_by=("ann",))

    assert conceal((box,), 1, ("ann", "bob")) == [box]
    assert conceal((box,), 1, ("bob",)) == [msgspec.structs.replace(box, seen_by=())]


# ------------------------------------------------------------------------------------------------ in a fight


def boxes(session: Session, to: Any) -> list[tuple[str, str]]:
    """Returns the boxes that a seat sees."""
    return [(event.chart, event.box) for event in shown(session.entries(), to) if isinstance(event, e.StepEntered)]


def shot(guns: int) -> Session:
    """Plays a shot in GURPS; the skill decides whether it is a snap shot."""
    guard = dict(ruleset("gurps_3e").sheets["guard"])
    session = Session.create(MemoryStore(), ruleset="gurps_3e")
    session.perform(Join("ann", {**guard, "skills": {"guns": guns}, "move": 9}, sheet_seen_by=HIDDEN))
    session.perform(Join("bob", guard, player="kira"))
    session.perform(BeginCombat())
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "pistol", "distance": 5}))
    session.perform(TypeDice(session.rests[0].key, (2, 2, 2)))
    return session


def test_a_threshold_of_a_secret_skill_is_read_off_no_path() -> None:
    low, high = shot(13), shot(14)

    assert boxes(low, viewer(KIRA, low.combat)) == boxes(high, viewer(KIRA, high.combat))
    assert boxes(low, EVERYTHING) != boxes(high, EVERYTHING)
    assert {"14b", "23b"} <= {box for _, box in boxes(low, viewer(KIRA, low.combat))}


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_the_way_is_hidden_where_nothing_is_secret(game: str) -> None:
    session = met(game, None)
    blow(session)

    assert boxes(session, eyes(session)) == boxes(session, EVERYTHING)
    assert any(line.startswith("Path:") for line in told(session, EVERYTHING)) or events(session, e.ExchangeEnded)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_waits_in_the_same_box_for_everybody(game: str) -> None:
    session = met(game)
    blow(session)

    for entry in session.log.entries_of(session.log.timeline.line()):
        whole, seen = session.log.state(entry.seq), session.seen(eyes(session), entry.seq)
        if whole.rests and whole.path.asked == seen.path.asked:
            assert seen.path.levels == whole.path.levels


STEPS = (
    e.StepEntered("attack", "1", 1), e.StepEntered("attack", "2", 1), e.StepEntered("test", "t1", 2),
    e.FigureFound("k", "base", 1, "", "", "exchange", "ann", seen_by=("ann",)), e.StepEntered("test", "t2", 2),
    e.RollRequested("k", "ann", "1d100", "to hit", ""),
)  # fmt: skip


def test_a_box_is_shown_to_those_who_see_something_in_it_or_in_what_it_runs() -> None:
    seen_by = [event.seen_by for event in conceal(STEPS, 1, ()) if isinstance(event, e.StepEntered)]

    assert seen_by == [(), None, ("ann",), None]
    assert conceal(STEPS, 0, ()) == conceal(STEPS, 1, None) == list(STEPS)
