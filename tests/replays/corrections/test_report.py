"""The report of a correction, put together from what stands and what was decided again in its place."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from written_log import WrittenLog

from ledger import events as e
from ledger.commands import Note, TypeDice
from projections.combat import Combat, fold
from projections.views.document import document
from replays.corrections.diff import Aside, Flip, Needed, Report, Reread, Shift
from replays.corrections.rebase import Rebase
from replays.corrections.redecide import Today
from replays.corrections.report import Corrected, report

FIRST, OTHER = "r1/ann/initiative", "r1/bob/initiative"
ANN = e.CombatantJoined("ann", "Ann", "gm", False)
LEFT, ASIDE = Aside(9, "a note"), Aside(8, "6 of the dice")


def asked(key: str, by: str = "ann") -> e.RollRequested:
    return e.RollRequested(key, by, "1d6", "luck", "")


def ended(key: str, outcome: str) -> e.ExchangeEnded:
    return e.ExchangeEnded(key, outcome)


@pytest.fixture
def log() -> Any:
    """Entry 2 is corrected, which stands on 1; Ann's roll was asked for before that, for her luck."""
    log = WrittenLog()
    log.add(TypeDice(FIRST, (3,)))
    log.add(Note("x"))
    log._states[1] = fold((ANN, asked(FIRST)), Combat())
    for name, value in {"session": "s", "last": 3, "digest": b"\x01\x02"}.items():
        setattr(log, name, value)
    return log


def rebase(state: Combat, *drafts: Sequence[e.Event], left: tuple[Aside, ...] = (LEFT,), coming: str = "") -> Rebase:
    made = SimpleNamespace(
        state=state,
        drafts=[SimpleNamespace(events=events) for events in drafts],
        known=lambda: {OTHER: (2,)},
        left=lambda: iter(left),
        set_aside=lambda: iter((ASIDE,)),
        is_pending=lambda key: key == coming,
    )
    return cast(Rebase, made)


def reported(log: Any, was: Today, now: Rebase) -> Report:
    return report(log, Corrected(log.entry(2), log.timeline.after(2), {"set": {"faces": [4]}}, "misread"), was, now)


DONE = fold((ANN,), Combat())
OPEN = fold((ANN, asked(OTHER, "bob")), Combat())


def test_it_tells_what_is_corrected_and_why(log: Any) -> None:
    found = reported(log, Today(DONE, [], [5, 7]), rebase(DONE))

    assert (found.kind, found.entry, found.what) == ("preview", 2, f"3 for {FIRST}")
    assert (found.change, found.why, found.drift, found.misread) == ({"set": {"faces": [4]}}, "misread", (5, 7), ())


def test_it_has_the_state_before_and_after(log: Any) -> None:
    after = fold((e.Adjusted("ann", "wounds", 0, 2, "x"),), DONE)

    found = reported(log, Today(DONE, [], []), rebase(after))

    before, now = (document(state, "s", entries=3, head=3, digest=b"\x01\x02") for state in (DONE, after))
    assert (found.before, found.after) == (before, now)
    assert found.shifts == (Shift("ann", "wounds", 0, 2),)


def test_outcomes_are_compared_by_whose_they_were_before_the_correction(log: Any) -> None:
    was = [(2, ended(FIRST, "hit")), (3, ended("b", "hit"))]

    found = reported(log, Today(DONE, was, []), rebase(DONE, (ended(FIRST, "miss"),), (ended("b", "hit"),)))

    assert found.flips == (Flip(FIRST, "ann: luck", "hit", "miss"),)


@pytest.mark.parametrize(("state", "after"), [(OPEN, "waits"), (DONE, "")])
def test_an_outcome_may_come_yet_where_something_is_open(log: Any, state: Combat, after: str) -> None:
    was = [(2, ended("a", "hit")), (3, ended("b", "hit"))]

    found = reported(log, Today(DONE, was, []), rebase(state, coming="a"))

    assert [(flip.key, flip.after) for flip in found.flips] == [("a", after), ("b", "")]


def test_it_tells_what_a_person_is_asked_for_and_which_dice_lie(log: Any) -> None:
    found = reported(log, Today(DONE, [], []), rebase(OPEN))

    assert found.needs_a_person == (Needed(OTHER, "bob", "luck", "1d6", (2,), ()),)
    assert reported(log, Today(OPEN, [], []), rebase(OPEN)).needs_a_person == ()


def test_what_is_left_waits_where_something_is_open_and_is_set_aside_where_nothing_is(log: Any) -> None:
    waits, over = (reported(log, Today(DONE, [], []), rebase(state)) for state in (OPEN, DONE))

    assert (waits.waits, waits.set_aside) == ((LEFT,), (ASIDE,))
    assert (over.waits, over.set_aside) == ((), (ASIDE, LEFT))


def test_rolls_that_somebody_else_makes_now_are_told(log: Any) -> None:
    found = reported(log, Today(DONE, [(3, asked(OTHER, "ann"))], []), rebase(DONE, (asked(OTHER, "bob"),)))

    assert found.reread == (Reread(OTHER, "ann", "bob"),)
