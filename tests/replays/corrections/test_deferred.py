"""What waits behind a correction, in logs that are written down for it: which entries, which words, and until when."""

from collections.abc import Sequence
from typing import Any

import pytest
from written_log import NOW, WrittenLog, at

from ledger.commands import Amend, ApplyModifier, CloseSession, Command, Note, Overrule, Rewind, TypeDice
from ledger.entry import StoredRequest
from ledger.events import Event, ExchangeEnded
from projections.combat import Combat
from replays.corrections.deferred import (
    NOTHING,
    Deferred,
    deferred,
    ended,
    is_over,
    is_past,
    repeatable,
    within,
)

ANN, BOB, ZOE = (TypeDice(f"r2/{who}/initiative", (3,)) for who in ("ann", "bob", "zoe"))


def waiting(log: WrittenLog, head: int | None = None) -> tuple[list[int], list[tuple[str, str]]]:
    found = deferred(log.log, head)
    return [entry.seq for entry in found.entries], [(word.key, word.figure) for word in found.words]


def rolled(*commands: Command) -> WrittenLog:
    """A log whose entries from 2 on are these."""
    log = WrittenLog()
    for command in commands:
        log.add(command)
    return log


def amended(log: WrittenLog, seq: int, command: Command, *, state: Combat, change: dict[str, Any] | None = None) -> int:
    """An amendment of an entry, and the entry performed again."""
    log.add(Amend(seq, change or {"set": {"faces": [4]}}, "x"), after=log.timeline.after(seq))
    return log.add(command, origin=seq, state=state)


# ------------------------------------------------------------------------------------------------ entries


def test_what_stood_behind_a_correction_waits_where_it_leaves_something_open() -> None:
    log = rolled(ANN, BOB, Note("a gull"))
    assert deferred(log.log) == NOTHING == Deferred((), ())
    amended(log, 2, ANN, state=at(is_open=True))

    assert waiting(log) == ([3, 4], [])
    assert waiting(log, head=4) == ([], [])
    closed = rolled(ANN, BOB, Note("a gull"))
    amended(closed, 2, ANN, state=at())
    assert waiting(closed) == ([], [])


def test_whether_something_is_open_is_asked_of_the_correction_itself_and_what_it_performed() -> None:
    """Not of what was decided since, nor of what came by itself later, nor of a correction that only began."""
    log = rolled(ANN, BOB, ZOE, Note("a gull"))
    amended(log, 2, ANN, state=at())
    log.add(BOB, origin=3, state=at(is_open=True))
    assert waiting(log) == ([4, 5], [])

    log.add(Note("a breath"), state=at())
    log.add(ZOE, origin=4, state=at())
    assert waiting(log) == ([5], [])


def test_an_entry_with_an_overrule_replaces_its_draft_and_is_no_correction_of_its_own() -> None:
    """The draft without the overrule ended what the entry leaves open."""
    of_ann = [Overrule(ANN.key, "initiative", 3, "x"), Overrule(ANN.key, "hits", 1, "x")]
    for drafts in ([], [of_ann[0]], of_ann):
        log = rolled(ANN, BOB, Note("a gull"))
        log.add(Amend(2, {"set": {"faces": [4]}}, "x"), after=1, request=StoredRequest("", "", 2 + len(drafts)))
        log.add(ANN, ExchangeEnded("r2/bob", "hit"), origin=2, state=at())
        for command in drafts:
            log.add(command, after=5, origin=log.timeline.head, state=at(is_open=command is drafts[-1]))

        assert log.corrections == [5]
        assert waiting(log) == ([3, 4] if drafts else [], [])


def test_a_later_entry_of_a_correction_replaces_its_draft_too() -> None:
    log = rolled(ANN, BOB, ZOE, Note("a gull"))
    log.add(Amend(2, {"set": {"faces": [4]}}, "x"), after=1, request=StoredRequest("", "", 4))
    log.add(ANN, origin=2, state=at(is_open=True))
    draft = log.add(BOB, ExchangeEnded("r2/zoe", "hit"), origin=3, state=at())
    log.add(Overrule(BOB.key, "initiative", 3, "x"), after=7, origin=draft, state=at(is_open=True))

    assert log.corrections == [6]
    assert waiting(log) == ([4, 5], [])


def test_an_overrule_of_a_later_request_is_a_correction_of_its_own() -> None:
    log = rolled(ANN, BOB)
    amended(log, 2, ANN, state=at(is_open=True))
    log.add(Overrule(ANN.key, "initiative", 3, "x"), after=4, origin=5, state=at(is_open=True))
    assert log.corrections == [4, 6]


def test_what_comes_after_an_undo_is_not_what_the_correction_performed() -> None:
    log = rolled(ANN, BOB, Note("a gull"))
    last = amended(log, 2, ANN, state=at(is_open=True))
    log.add(Note("a breath"))
    log.add(Rewind(last))
    log.add(BOB, origin=3, state=at())

    assert waiting(log) == ([4], [])


def test_behind_an_inserted_step_everything_waits() -> None:
    log = rolled(ANN, BOB)
    amended(log, 2, ANN, state=at(), change={"insert": [{"note": "x"}]})

    assert waiting(log) == ([3], [])


def test_what_is_corrected_does_not_wait_for_itself_where_it_is_dropped() -> None:
    log = rolled(ANN, BOB)
    log.add(Amend(2, {"drop": True}, "x"), after=1, state=at(is_open=True))

    assert waiting(log) == ([3], [])
    log = rolled(ANN, BOB, ZOE)
    log.add(Amend(2, {"drop": True}, "x"), after=1)
    log.add(BOB, origin=3)
    assert waiting(log) == ([4], [])


def test_behind_a_modifier_everything_waits_that_stood_behind_the_roll() -> None:
    log = rolled(ANN, BOB, Note("a gull"))
    log.add(ApplyModifier(ANN.key, 2, "x"), after=1, state=at(is_open=True))

    assert waiting(log) == ([2, 3, 4], [])
    log.add(ANN, origin=2)
    assert waiting(log) == ([3, 4], [])


def test_a_correction_at_the_end_of_a_log_leaves_nothing() -> None:
    log = rolled(ANN)
    log.add(ApplyModifier(ANN.key, 2, "x"), after=2, state=at(is_open=True))

    assert waiting(log) == ([], [])


def test_what_was_performed_again_under_another_number_waits_no_more() -> None:
    """Entry 3 comes again as 6, and that as 8: the old ones are used both."""
    log = rolled(ANN, BOB, ZOE)
    amended(log, 2, ANN, state=at(is_open=True))
    log.add(BOB, origin=3)
    amended(log, 6, ANN, state=at(is_open=True))
    log.add(BOB, origin=7)

    assert waiting(log) == ([4], [])


def test_what_waited_before_waits_on_behind_what_the_second_correction_left() -> None:
    log = rolled(ANN, BOB, ZOE)
    amended(log, 3, BOB, state=at(is_open=True))
    assert waiting(log) == ([4], [])
    log.add(Note("a breath"))
    amended(log, 2, ANN, state=at(is_open=True))

    assert waiting(log) == ([6, 7, 4], [])


def test_an_amendment_and_a_closing_never_come_again() -> None:
    log = rolled(ANN, Amend(2, {"drop": True}, "x"), CloseSession(), Note("a gull"))
    amended(log, 2, ANN, state=at(is_open=True))

    assert waiting(log) == ([5], [])


def test_what_belongs_to_an_exchange_that_is_over_or_to_a_past_round_does_not_wait() -> None:
    hit, past, next_ = (TypeDice(key, (3,)) for key in ("r2/ann/a1/attack/to-hit", "r1/ann/initiative", "r3/x"))
    log = rolled(ANN, hit, past, next_)
    log.add(Amend(2, {}, "x"), after=1)
    log.add(ANN, ExchangeEnded("r2/ann/a1/attack", "hit"), origin=2, state=at(is_open=True))

    assert waiting(log) == ([5], [])
    log.add(Note("a breath"), state=at((1, 4)))
    assert waiting(log) == ([], [])


# ------------------------------------------------------------------------------------------------ words


def said(log: WrittenLog, figure: str, origin: int, key: str = "r2/ann/a1/attack") -> int:
    return log.add(Overrule(key, figure, 1, "x"), origin=origin)


def test_words_of_what_was_performed_again_wait_each_for_its_figure() -> None:
    """Entry 4 overrules a figure of 3, and 5 another one of 4: what performs 5 again asks for both."""
    log = rolled(ANN, BOB)
    said(log, "dv", 3)
    said(log, "armor", 4)
    amended(log, 2, ANN, state=at(is_open=True))
    assert waiting(log) == ([3, 4, 5], [])

    log.add(BOB, origin=5)
    assert waiting(log) == ([], [("r2/ann/a1/attack", "dv"), ("r2/ann/a1/attack", "armor")])
    log.add(Overrule("r2/ann/a1/attack", "dv", 1, "x"), origin=3)
    assert waiting(log) == ([], [("r2/ann/a1/attack", "armor")])


def test_words_that_waited_for_figures_of_one_key_wait_on_behind_another_correction() -> None:
    log = rolled(ANN, BOB)
    said(log, "dv", 3)
    said(log, "armor", 4)
    amended(log, 2, ANN, state=at(is_open=True))
    log.add(BOB, origin=5)
    log.add(ApplyModifier(ZOE.key, 2, "x"), after=log.timeline.head)

    assert waiting(log)[1] == [("r2/ann/a1/attack", "dv"), ("r2/ann/a1/attack", "armor")]


def test_a_word_on_what_is_corrected_waits_too() -> None:
    log = rolled(ANN)
    said(log, "score", 2, ANN.key)
    amended(log, 3, ANN, state=at(is_open=True))

    assert waiting(log) == ([], [(ANN.key, "score")])


def test_of_one_figure_of_two_rolls_both_words_wait_and_still_after_another_correction() -> None:
    log = rolled(Note("x"), ANN, BOB)
    said(log, "score", 3, ANN.key)
    said(log, "score", 4, BOB.key)
    amended(log, 2, Note("y"), state=at(is_open=True))
    log.add(ANN, origin=5)
    log.add(BOB, origin=6)
    words = [(ANN.key, "score"), (BOB.key, "score")]
    assert waiting(log)[1] == words

    log.add(Note("a breath"))
    log.add(ApplyModifier(ZOE.key, 2, "x"), after=log.timeline.head)
    assert waiting(log)[1] == words
    log.add(Overrule(ANN.key, "margin", 1, "x"), origin=9)
    assert waiting(log)[1] == words


@pytest.mark.parametrize(
    ("events", "moment", "left"),
    [((), NOW, 1), ((ExchangeEnded("r2/ann/a1/attack", "miss"),), NOW, 0), ((), (1, 3), 0), ((), (2, 1), 0)],
    ids=["open", "its exchange is over", "its round is past", "its combat is past"],
)
def test_a_word_waits_as_long_as_its_figure_may_be_found(
    events: tuple[Event, ...], moment: tuple[int, int], left: int
) -> None:
    log = rolled(ANN)
    said(log, "dv", 2)
    log.add(Amend(3, {}, "x"), after=1, state=at())
    log.add(ANN, *events, origin=3, state=at(moment, is_open=True))

    assert len(waiting(log)[1]) == left


# ------------------------------------------------------------------------------------------------ what is over


@pytest.mark.parametrize(
    ("key", "now", "past"),
    [
        ("r1/ann/initiative", (1, 2), True),
        ("r2/ann/initiative", (1, 2), False),
        ("r3/ann/initiative", (1, 2), False),
        ("r3/ann/initiative", (2, 1), True),
        ("c2r1/ann/initiative", (2, 1), False),
        ("c2r1/ann/initiative", (1, 9), False),
        ("r1", (1, 2), True),
        ("standing up/r1", (1, 2), False),
        ("", (1, 2), False),
    ],
)
def test_what_was_asked_in_an_earlier_round_or_combat_is_past(key: str, now: tuple[int, int], past: bool) -> None:
    assert is_past(key, at(now)) is past


def test_what_is_asked_inside_an_exchange_has_its_key_before_its_own() -> None:
    over = ended([ExchangeEnded("r2/ann/a1/attack", "hit"), ExchangeEnded("r2/bob/a1/aim", "")])

    assert over == {"r2/ann/a1/attack", "r2/bob/a1/aim"}
    inside: Sequence[str] = ("r2/ann/a1/attack/to-hit", "r2/bob/a1/aim/x")
    assert [within(key, over) for key in (*inside, "r2/ann/a1/attack", "r2/ann/a1/attack2/x")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_word_is_over_with_its_exchange_or_its_round() -> None:
    over = frozenset({"r2/ann/a1/attack"})
    keys = ("r2/ann/a1/attack", "r2/ann/a1/attack/damage", "r1/bob/initiative", "r2/bob/initiative")

    assert [is_over(Overrule(key, "x", 1, "y"), over, at()) for key in keys] == [True, True, True, False]


def test_all_but_amendments_are_performed_again() -> None:
    log = rolled(ANN, Amend(2, {"drop": True}, "x"), Note("a gull"))

    assert [entry.seq for entry in repeatable(log.entries_of((2, 3, 4)))] == [2, 4]


def test_what_waits_is_found_behind_any_number_of_corrections() -> None:
    log = rolled(ANN)
    for _ in range(1_200):
        amended(log, log.timeline.head, ANN, state=at())

    assert waiting(log) == ([], [])
