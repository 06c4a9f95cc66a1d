"""How far back an undo goes, and who may see of it, in logs that are written down for it."""

import pytest
from written_log import WrittenLog

from ledger.commands import Note, Overrule, Rewind, TypeDice
from ledger.entry import StoredRequest
from ledger.errors import NoSuchEntry
from ledger.events import Audience, Declared, Event, ExchangeEnded, Noted, Rewound, RoundBegan, TurnBegan
from replays.sessions.undo import SPANS, NothingToRedo, NothingToUndo, audience, other, redone, rewound_to, target

SPANNED = "step, exchange, turn, round"


def noted(*each: tuple[Event, ...]) -> WrittenLog:
    """A log whose entries from 2 on have these events."""
    log = WrittenLog()
    for events in each:
        log.add(Note("x"), *events)
    return log


def declared(key: str) -> Declared:
    return Declared(key, "attack", "ann", {})


def ended(key: str) -> ExchangeEnded:
    return ExchangeEnded(key, "hit")


def refused(log: WrittenLog, span: str, head: int | None = None) -> tuple[str, str]:
    with pytest.raises(NothingToUndo) as refusal:
        target(log.log, span, head)
    return refusal.value.where, refusal.value.accepts


# ------------------------------------------------------------------------------------------------ spans


def test_what_is_no_span_is_refused_with_those_that_are() -> None:
    assert ", ".join(SPANS) == SPANNED
    assert refused(noted((), ()), "week") == ("span", SPANNED)


@pytest.mark.parametrize("span", ["exchange", "turn", "round"])
def test_a_span_that_there_is_none_of_is_refused_with_the_others(span: str) -> None:
    assert refused(noted((), ()), span) == ("span", SPANNED)


def test_a_step_is_the_last_entry_or_the_one_that_is_said() -> None:
    log = noted((), (), ())

    assert target(log.log, "step") == 3
    assert target(log.log, "step", 3) == 2
    assert target(log.log, "step", 2) == 1
    assert refused(log, "step", 1) == ("span", "")


def test_a_step_is_all_that_one_request_wrote() -> None:
    log = noted(())
    log.add(Note("x"), request=StoredRequest("k", "f", 3))
    for _ in range(3):
        log.add(Note("x"))

    assert [target(log.log, "step", seq) for seq in (6, 5, 4, 3)] == [5, 2, 2, 2]


def test_in_an_older_log_a_step_is_what_was_performed_again_and_what_it_followed() -> None:
    """Entries 4 to 6: a correction of entry 3, which an older log does not hold together otherwise."""
    log = noted((), ())
    log.add(Note("corrected"), after=2)
    log.add(Note("x"), origin=3)
    log.add(Note("x"), origin=3)

    assert target(log.log, "step") == 3
    log.add(Note("new"))
    assert target(log.log, "step") == 6
    assert target(log.log, "step", 6) == target(log.log, "step", 5) == 3


def test_an_entry_that_is_performed_again_behind_a_gap_is_a_step_of_its_own() -> None:
    log = noted((), ())
    log.add(Rewind(2))
    log.add(Note("x"), origin=3, after=2)

    assert target(log.log, "step") == 2


def test_an_exchange_is_taken_back_with_its_declaration() -> None:
    log = noted((), (declared("a"),), (), (ended("a"),), ())

    assert target(log.log, "exchange") == 2


def test_the_exchange_that_ended_last_is_taken_back_and_not_one_inside_it() -> None:
    log = noted((declared("a"),), (declared("b"), ended("b")), (), (ended("a"),))

    assert target(log.log, "exchange") == 1


def test_an_exchange_that_is_being_resolved_is_taken_back() -> None:
    log = noted((declared("a"), ended("a")), (), (declared("b"),), ())

    assert target(log.log, "exchange") == 3


def test_of_two_events_of_one_entry_the_later_counts() -> None:
    log = noted((declared("a"),), (declared("b"),), (ended("b"), ended("a")))

    assert target(log.log, "exchange") == 1


@pytest.mark.parametrize(("span", "event"), [("turn", TurnBegan("ann")), ("round", RoundBegan(1))])
def test_a_turn_or_a_round_goes_back_to_where_it_began_or_else_to_the_one_before(span: str, event: Event) -> None:
    log = noted((event,), (), (Noted("x", ""), event), ())

    assert target(log.log, span) == 4
    log = noted((event,), (), (event,))
    assert target(log.log, span) == 2
    log = noted((event,))
    assert refused(log, span) == ("span", SPANNED)


# ------------------------------------------------------------------------------------------------ rewinding


def test_a_rewinding_leads_to_what_stood_then() -> None:
    log = noted((), (), ())
    log.add(Rewind(2))
    log.add(Note("new"))

    assert [other(log.log, to) for to in (1, 2, 3, 4, 5)] == [1, 2, 3, 4, 2]
    with pytest.raises(NothingToUndo, match="entry 6 is the last that stands") as refusal:
        other(log.log, 6)
    assert refusal.value.where == "to"
    for strange in (0, 7, -1):
        with pytest.raises(NoSuchEntry):
            other(log.log, strange)


def test_a_redo_leads_to_the_head_before_the_undo() -> None:
    log = noted((), ())
    with pytest.raises(NothingToRedo) as refusal:
        redone(log.log)
    assert refusal.value.where == "redo"

    log.add(Rewind(2))
    assert redone(log.log) == 3


def test_a_rewinding_is_known_also_where_its_command_is_hidden() -> None:
    log = noted((Noted("x", ""), Rewound(1, "")), ())
    log.add(Rewind(2), Rewound(1, ""))

    assert [rewound_to(log.entry(seq)) for seq in (2, 3, 4)] == [1, None, 2]


@pytest.mark.parametrize(
    ("command", "events", "seen_by"),
    [
        ((), (), ()),
        (("ann",), ((),), ("ann",)),
        ((), (("ann",),), ("ann",)),
        ((), (("ann",), ("bob",)), ("ann", "bob")),
        (("ann",), (("bob",),), ("ann", "bob")),
        (("ann",), (None,), None),
        (None, ((),), None),
    ],
)
def test_who_sees_anything_of_what_is_taken_back_or_brought_back_may_see_that_it_is(
    command: Audience, events: tuple[Audience, ...], seen_by: Audience
) -> None:
    log = noted(())
    log.add(Note("x", seen_by=command), *(Noted("x", "", seen_by=each) for each in events))
    log.add(Overrule("k", "f", 1, "x", seen_by=()))

    taken_back = audience(log.log, 2)
    log.add(Rewind(2))
    brought_back = audience(log.log, 4)

    for found in (taken_back, brought_back):
        assert (found if found is None else tuple(sorted(found))) == seen_by


def test_what_is_rewound_to_where_it_stands_is_for_everybody() -> None:
    log = noted(())
    log.add(TypeDice("k", (1,), seen_by=()))

    assert audience(log.log, 3) is None
    assert audience(log.log, 2) == ()
