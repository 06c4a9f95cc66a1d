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
from ledger.entry import Entry, Who
from ledger.errors import KeyReused
from replays.api.repeats import answered, store_before
from replays.api.request import Request
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.scripts.format import find_script, read
from replays.sessions.log import Log
from replays.sessions.record import stored_records
from replays.sessions.undo import NothingToUndo

TO_HIT = "r1/razor/a1/attack/to-hit"
HIT = 11
"""The entry that threw it."""


@pytest.fixture(scope="module")
def shot() -> Session:
    return perform(read(find_script("street-fight")[1]))


def same(session: Session, written: Command, asked: Command, seq: int = HIT) -> bool:
    """Is the request to do this answered by an entry, of which no fingerprint is known, with that command?"""
    entry: Entry = msgspec.structs.replace(session.log.entry(seq), command=written, request=None)
    read_entry = stored_records.entry
    with pytest.MonkeyPatch.context() as older:
        older.setattr(session.log, "under_key", lambda _: [entry])
        older.setattr(stored_records, "entry", lambda record: entry if record is entry else read_entry(record))
        try:
            return answered(session.log, Request(asked, entry.by, None, "k")) == [entry]
        except KeyReused as refusal:
            assert (refusal.where, refusal.accepts) == ("batch", "a new key")
            return False


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
    session = perform(read(find_script("street-fight")[1]))
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


def test_a_log_as_it_was_has_the_entries_before() -> None:
    session = perform(read(find_script("street-fight")[1]))

    records = list(store_before(session.log, session.log.entry(8)).read(session.id))

    assert records == list(session.log.store.read(session.id))[:7]


def test_of_several_entries_under_a_key_the_first_is_compared_and_tells_what_stood_before() -> None:
    session = perform(read(find_script("street-fight")[1]))
    session.perform(Note("a"))
    made = session.amend(37, Change(insert=({"note": "x"},)), why="t", batch="k").entries
    assert len(made) > 1
    stood: list[int] = []

    def entry_meant(log: Log) -> int:
        stood.append(log.last)
        return 37

    request = Request(made[0].command, made[0].by, None, "k", ("amend",), entry_meant)
    entry = stored_records.entry
    with pytest.MonkeyPatch.context() as older:
        older.setattr(stored_records, "entry", lambda record: msgspec.structs.replace(entry(record), request=None))
        found = answered(session.log, request)

    assert [each.seq for each in found] == [each.seq for each in made]
    assert stood == [made[0].seq - 1]


def test_what_could_not_be_meant_then_is_compared_as_it_was_asked_for(shot: Session) -> None:
    def nothing(_: Log) -> int:
        raise NothingToUndo("no exchange to take back", where="span")

    entry = msgspec.structs.replace(shot.log.entry(HIT), command=Rewind(5, "x"), request=None)
    with pytest.MonkeyPatch.context() as older:
        older.setattr(shot.log, "under_key", lambda _: [entry])
        older.setattr(stored_records, "entry", lambda _: entry)
        for to, is_known in ((5, True), (0, False)):
            request = Request(Rewind(to, "x"), entry.by, None, "k", ("undo",), nothing)
            if is_known:
                assert answered(shot.log, request) == [entry]
            else:
                with pytest.raises(KeyReused):
                    answered(shot.log, request)
        with pytest.raises(KeyReused):
            answered(shot.log, Request(Rewind(5, "x"), Who("somebody else"), None, "k", ("undo",), nothing))


def test_under_no_key_and_a_new_one_nothing_is_answered(shot: Session) -> None:
    assert answered(shot.log, Request(Note("x"))) == answered(shot.log, Request(Note("x"), batch="new")) == []


def test_what_others_wrote_under_a_key_is_taken_in_with_the_answer() -> None:
    session = perform(read(find_script("street-fight")[1]))
    other = Session(session.log.store, session.id)
    written = other.perform(Note("x"), batch="k")

    assert [each.seq for each in answered(session.log, Request(Note("x"), batch="k"))] == [written.seq]
    assert session.log.last == written.seq
    for request in (Request(Note("y"), batch="k"), Request(Note("x"), Who("somebody else"), batch="k")):
        with pytest.raises(KeyReused):
            answered(session.log, request)
