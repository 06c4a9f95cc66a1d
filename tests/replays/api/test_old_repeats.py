"""Repeats of requests whose entries have no fingerprint: what was asked is compared with what was written for it."""

from typing import Any

import msgspec
import pytest

from ledger.commands import (
    Amend,
    AmendSheet,
    ApplyModifier,
    Choose,
    Command,
    DrawDice,
    Note,
    OpenDispute,
    Overrule,
    Reveal,
    Rewind,
    SettleDispute,
    TypeDice,
)
from ledger.entry import Entry
from replays.api.old_repeats import is_same, rewind_of, store_as_of
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.scripts.format import find, read
from replays.sessions.undo import NothingToUndo, redone, target

TO_HIT = "r1/razor/a1/attack/to-hit"
HIT = 11
"""The entry that threw it."""


@pytest.fixture(scope="module")
def shot() -> Session:
    return perform(read(find("street-fight")[1]))


def same(session: Session, written: Command, asked: Command, seq: int = HIT) -> bool:
    entry: Entry = msgspec.structs.replace(session.log.entry(seq), command=written)
    found = is_same(session.log, entry, asked)
    assert isinstance(found, bool)
    return found


# ------------------------------------------------------------------------------------------------ what was completed


@pytest.mark.parametrize(
    "command",
    [
        Amend(5, {"drop": True}, "x"),
        AmendSheet("ann", {}, "x"),
        ApplyModifier(TO_HIT, 1, "x"),
        Overrule(TO_HIT, "dice", 1, "x"),
        Rewind(5, "x"),
        SettleDispute("d1", "upheld", "x"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_was_asked_for_openly_may_have_been_written_as_a_secret(shot: Session, command: Command) -> None:
    secret, of_ann = (msgspec.structs.replace(command, seen_by=seen_by) for seen_by in ((), ("ann",)))

    assert same(shot, secret, command)
    assert same(shot, secret, secret)
    assert not same(shot, secret, of_ann)
    assert not same(shot, command, of_ann)


def test_any_other_command_is_as_secret_as_it_was_asked_for(shot: Session) -> None:
    assert not same(shot, Note("x", seen_by=()), Note("x"))
    assert not same(shot, Choose("k", "x", seen_by=()), Choose("k", "x"))
    assert same(shot, Note("x", seen_by=()), Note("x", seen_by=()))


def test_where_it_was_given_is_filled_in(shot: Session) -> None:
    assert same(shot, Note("x", given_at="k"), Note("x"))
    assert same(shot, Note("x"), Note("x", given_at="k"))
    assert not same(shot, Note("x"), Note("y"))


def test_drawn_faces_are_filled_in_but_not_other_ones(shot: Session) -> None:
    drawn = DrawDice("k", (1, 2), ("drawn", "drawn"))

    assert same(shot, drawn, DrawDice("k"))
    assert same(shot, drawn, drawn)
    assert not same(shot, drawn, DrawDice("k", (1, 3), ("drawn", "drawn")))
    assert not same(shot, drawn, DrawDice("j"))
    assert not same(shot, drawn, TypeDice("k", (1, 2), ("drawn", "drawn")))
    assert not same(shot, Note("k"), DrawDice("k"))


def test_dice_that_lay_already_stand_before_those_that_were_typed(shot: Session) -> None:
    written = TypeDice("k", (1, 2, 3, 4), ("drawn", "recorded", "typed", "typed"))

    assert same(shot, written, TypeDice("k", (3, 4)))
    assert same(shot, written, TypeDice("k", (3, 4), ("typed", "typed")))
    assert same(shot, written, TypeDice("k", (2, 3, 4), ("recorded", "typed", "typed")))
    assert not same(shot, written, TypeDice("k", (3, 4), ("scripted", "typed")))
    assert not same(shot, written, TypeDice("k", (2, 4)))
    assert not same(shot, written, TypeDice("k", ()))
    assert not same(shot, written, TypeDice("k", (1, 2, 3, 4)))
    assert same(shot, TypeDice("k", (1, 2), ("drawn", "typed")), TypeDice("k", (2,)))
    assert not same(shot, TypeDice("k", (1, 2)), TypeDice("k", (2,)))
    assert same(shot, TypeDice("k", (1, 2)), TypeDice("k", (1, 2)))
    assert not same(shot, TypeDice("k", (1, 2), ("typed", "typed")), TypeDice("k", ()))
    assert not same(shot, written, Choose("k", "x"))


def test_a_seed_and_revealed_parts_are_filled_in(shot: Session) -> None:
    assert same(shot, Reveal(seed="ab"), Reveal())
    assert same(shot, Reveal(4, ("a", "b"), ("ann",)), Reveal(4, (), ("ann",)))
    assert same(shot, Reveal(4, ("a", "b"), ("ann",)), Reveal(4, ("a", "b"), ("ann",)))
    assert not same(shot, Reveal(4, ("a", "b"), ("ann",)), Reveal(4, ("a",), ("ann",)))
    assert same(shot, Reveal(4), Reveal(4))
    assert not same(shot, Reveal(4), Reveal(5))
    assert not same(shot, Reveal(seed="ab"), Note("x"))


@pytest.mark.parametrize("kind", [Overrule, ApplyModifier])
def test_a_roll_may_have_been_named_by_a_shorthand(shot: Session, kind: Any) -> None:
    words = ("dice", 3, "x") if kind is Overrule else (3, "x")

    assert same(shot, kind(TO_HIT, *words), kind("razor/to-hit", *words))
    assert same(shot, kind(TO_HIT, *words), kind(TO_HIT, *words))
    assert not same(shot, kind(TO_HIT, *words), kind("slim/to-hit", *words))
    assert not same(shot, kind(TO_HIT, *words), Note("x"))


def test_a_challenge_has_its_number_and_its_key_filled_in(shot: Session) -> None:
    written = OpenDispute(TO_HIT, "why", "claim", dispute="d7")

    assert same(shot, written, OpenDispute("razor/to-hit", "why", "claim"))
    assert not same(shot, written, OpenDispute(TO_HIT, "why", "another"))
    assert not same(shot, Note("why"), OpenDispute(TO_HIT, "why"))


# ------------------------------------------------------------------------------------------------ rewinding


def test_a_rewinding_is_to_the_head_that_it_led_to() -> None:
    session = perform(read(find("street-fight")[1]))
    last = session.log.last
    session.rewind(20)
    session.perform(Note("x"))
    undone = last + 1

    assert same(session, Rewind(20), Rewind(undone))
    assert same(session, Rewind(20), Rewind(20))
    assert not same(session, Rewind(20), Rewind(21))
    assert same(session, Rewind(session.log.last), Rewind(session.log.last))
    assert same(session, Rewind(1), Rewind(1))
    for beyond in (0, session.log.last + 1):
        assert same(session, Rewind(beyond), Rewind(beyond))
        assert not same(session, Rewind(20), Rewind(beyond))
    session.undo()
    assert same(session, Rewind(20), Rewind(session.log.last))
    assert not same(session, Note("x"), Rewind(20))


def test_a_log_as_it_was_has_the_entries_up_to_then() -> None:
    session = perform(read(find("street-fight")[1]))

    records = list(store_as_of(session.log, 7).read(session.id))

    assert records == list(session.log.store.read(session.id))[:7]


def test_an_undo_under_a_key_means_what_it_meant_the_first_time() -> None:
    session = perform(read(find("street-fight")[1]))
    asked = Rewind(0, "x")
    was = session.log.head
    session.undo(batch="first")
    session.undo("exchange", batch="second")
    led_to = [session.log.timeline.head_at(was + 1), session.log.head]

    for batch, span, head in zip(("first", "second"), ("step", "exchange"), led_to, strict=True):
        assert rewind_of(session.log, batch, lambda log, span=span: Rewind(target(log, span), "x"), asked) == Rewind(
            head, "x"
        )
    assert rewind_of(session.log, None, lambda log: Rewind(target(log, "step")), asked) is asked
    assert rewind_of(session.log, "third", lambda log: Rewind(target(log, "step")), asked) is asked


def test_what_stands_under_a_key_and_is_no_undo_means_none() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Note("x"), batch="k")
    asked = Rewind(0, "x")

    with pytest.raises(NothingToUndo):
        target(session.log, "exchange")
    assert rewind_of(session.log, "k", lambda log: Rewind(target(log, "exchange")), asked) is asked
    assert rewind_of(session.log, "k", lambda log: Rewind(redone(log)), asked) is asked


def test_of_several_entries_under_a_key_the_first_tells_what_stood_before() -> None:
    session = perform(read(find("street-fight")[1]))
    session.perform(Note("a"))
    before = session.log.last
    session.amend(37, Change(insert=({"note": "x"},)), why="t", batch="k")
    assert len(list(session.log.answered("k"))) > 1

    assert rewind_of(session.log, "k", lambda log: Rewind(log.last), Rewind(0)) == Rewind(before)
