"""An amendment on a small fight: what is refused, how secret it is, what is performed again and what is reported."""

from typing import Any

import msgspec
import pytest

from ledger.commands import (
    Amend,
    BeginCombat,
    Choose,
    Command,
    Declare,
    Join,
    Note,
    Overrule,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.errors import Refused, WrongCount
from replays.api.session import GM, Session
from replays.corrections.amend import Amending, Drifted, PreparedCorrection
from replays.corrections.change import BadChange, Change, plain
from replays.corrections.diff import Aside
from replays.corrections.misread_dice import Misread
from replays.corrections.redecide import Redeciding
from replays.sessions.drafts import Drafting

KIRA = Who("kira", Seat.PLAYER)
SHEET: dict[str, Any] = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
ANN, BOB, ATTACK = "r1/ann/initiative", "r1/bob/initiative", "r1/ann/a1/attack"
TO_HIT, DEFEND = f"{ATTACK}/to-hit", f"{ATTACK}/defend"
STRIKE = Declare("attack", "ann", {"at": "bob", "using": "club"})


def play(session: Session, *commands: Command) -> Session:
    for command in commands:
        session.perform(command)
    return session


@pytest.fixture
def brawl() -> Session:
    """Initiative of Ann (5) and Bob (6); Ann attacks (7), Bob is to dodge (8); she misses (9), he need not (10)."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    play(session, Join("ann", SHEET), Join("bob", SHEET), BeginCombat())
    play(session, TypeDice(ANN, (90,)), TypeDice(BOB, (10,)), STRIKE, Choose(f"{ATTACK}/defense", "fray"))
    return play(session, TypeDice(TO_HIT, (97,)), TypeDice(DEFEND, (78,)))


def correction(session: Session, entry: int, change: Change | dict[str, Any], **more: Any) -> PreparedCorrection:
    amending = Amending(session.log, Drafting(session.log, lambda *_: (1,)))
    command = Amend(entry, plain(change) if isinstance(change, Change) else change, "x", seen_by=more.get("seen_by"))
    return amending.correction(command, more.get("by", GM), consent=more.get("consent", False))


def refused(session: Session, entry: int, change: Change | dict[str, Any]) -> tuple[type[Refused], str, str, str]:
    with pytest.raises(Refused) as refusal:
        correction(session, entry, change)
    return type(refusal.value), refusal.value.message, refusal.value.where, refusal.value.accepts


def commands(found: PreparedCorrection) -> list[Command]:
    return [msgspec.structs.replace(draft.command, given_at=None) for draft in found.drafts]


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("entry", "change", "message", "where", "accepts"),
    [
        (1, Change(drop=True), "entry 1 is OpenSession, which cannot be amended", "entry", "a later entry"),
        (5, Change(), "nothing is changed", "change", "set, insert, drop, dice"),
        (5, Change(set={"faces": [3]}, drop=True), "a dropped entry has no fields to set", "drop", "drop or set, not both"),
        (5, Change(set={"faces": [90]}), "nothing is changed", "change", "a value or dice other than those recorded"),
        (5, Change(dice={"ann": (90,)}), "nothing is changed", "change", "a value or dice other than those recorded"),
        (9, Change(insert=({"expect": {"round": 1}},)), "an inserted step cannot be an expectation", "insert", "declare, choose, dice, modify, adjust, note"),
        (9, Change(insert=({"rewind": {"to": 3}},)), "an inserted step cannot rewind", "insert", "declare, choose, dice, modify, adjust, note"),
        (5, Change(dice={"zoe": (3,)}), "no roll 'zoe' is thrown from entry 5 on", "dice", f"{ANN}, {BOB}, {TO_HIT}, {DEFEND}"),
    ],
)  # fmt: skip
def test_what_cannot_be_changed_is_refused(
    brawl: Session, entry: int, change: Change, message: str, where: str, accepts: str
) -> None:
    assert refused(brawl, entry, change) == (BadChange, message, where, accepts)


def test_an_entry_that_was_taken_back_is_not_amended(brawl: Session) -> None:
    brawl.rewind(8)

    assert refused(brawl, 9, Change(dice={"to-hit": (3,)})) == (
        BadChange, "entry 9 no longer stands", "entry", "one that stands, or rewind to it",
    )  # fmt: skip
    assert correction(brawl, 8, Change(set={"option": "none"})).report.entry == 8


def test_what_is_no_change_and_dice_of_another_number_are_refused(brawl: Session) -> None:
    assert refused(brawl, 5, {"sets": {}})[0] is BadChange
    assert refused(brawl, 5, Change(dice={"ann": (3, 4)}))[0] is WrongCount
    assert refused(brawl, 2, Change(dice={"bob/defend": (101,)}))[0] is not BadChange
    assert refused(brawl, 9, Change(insert=({"jump": 3}, {"note": "x"})))[2] == "insert[0]"
    assert refused(brawl, 9, Change(insert=({"note": "x"}, {"jump": 3})))[2] == "insert[1]"


def test_what_would_be_beyond_what_can_be_written_is_refused(brawl: Session) -> None:
    with pytest.raises(Refused):
        correction(brawl, 2, Change(set={"name": "x" * 10_000}))


@pytest.mark.parametrize(("drift", "named"), [([7], "7"), ([3, 4, 5, 6, 7, 8], "3, 4, 5, 6, 7")])
def test_where_todays_rules_decide_otherwise_the_gamemaster_is_asked_first(
    brawl: Session, monkeypatch: pytest.MonkeyPatch, drift: list[int], named: str
) -> None:
    finish = Redeciding.finish
    monkeypatch.setattr(Redeciding, "finish", lambda given: finish(given)._replace(drift=drift))
    change = Change(dice={"to-hit": (98,)})

    assert refused(brawl, 9, change) == (
        Drifted, f"today's rules decide entry {named} differently from the record", "entry", "an amendment with consent to today's rules",
    )  # fmt: skip
    assert Drifted.slug == "amend/drift"
    assert correction(brawl, 9, change, consent=True).report.drift == tuple(drift)


# ------------------------------------------------------------------------------------------------ what is performed


def test_first_comes_the_amendment_with_whole_keys_then_the_entry_as_it_is_right_then_what_followed(
    brawl: Session,
) -> None:
    found = correction(brawl, 9, Change(dice={"to-hit": (98,)}), by=GM)

    assert commands(found) == [
        Amend(9, {"dice": {TO_HIT: [98]}}, "x"), TypeDice(TO_HIT, (98,)), TypeDice(DEFEND, (78,)),
    ]  # fmt: skip
    assert [(draft.after, draft.origin, draft.by) for draft in found.drafts] == [
        (8, None, GM),
        (11, 9, GM),
        (12, 10, GM),
    ]
    assert found.report.misread == (Misread(TO_HIT, "ann", 9, (97,), (98,)),)
    assert (found.report.kind, found.report.change, found.report.why) == ("preview", {"dice": {TO_HIT: [98]}}, "x")


def test_dice_of_what_followed_are_put_right_where_they_come_again(brawl: Session) -> None:
    found = correction(brawl, 7, Change(dice={"defend": (79,)}))

    assert commands(found)[1:] == [
        STRIKE, Choose(f"{ATTACK}/defense", "fray"), TypeDice(TO_HIT, (97,)), TypeDice(DEFEND, (79,)),
    ]  # fmt: skip
    assert found.report.misread == (Misread(DEFEND, "bob", 10, (78,), (79,)),)


def test_what_never_happened_is_not_performed_and_lies_aside(brawl: Session) -> None:
    brawl.rewind(7)
    found = correction(brawl, 7, Change(drop=True))

    assert commands(found) == [Amend(7, {"drop": True}, "x")]
    assert Aside(7, "ann declares attack: at bob, using club") in found.report.set_aside


def test_steps_that_are_inserted_come_before_the_entry_in_their_order(brawl: Session) -> None:
    change = Change(insert=({"note": "a gull"}, {"note": "cries"}), dice={"to-hit": (98,)})

    found = correction(brawl, 9, change, by=GM)

    notes = [each for each in commands(found) if isinstance(each, Note)]
    assert [note.text for note in notes] == ["a gull", "cries"]
    assert commands(found)[1:4] == [*notes, TypeDice(TO_HIT, (98,))]
    assert {draft.by for draft in found.drafts} == {GM}


def test_what_the_gamemaster_said_and_what_was_answered_before_comes_again(brawl: Session) -> None:
    """The roll was thrown, taken back, and is needed again behind the correction: there it lies."""
    brawl.rewind(8)
    play(brawl, Note("a gull"))
    brawl.rewind(7)
    play(brawl, Choose(f"{ATTACK}/defense", "none"), TypeDice(TO_HIT, (97,)))

    found = correction(brawl, brawl.log.head - 1, Change(set={"option": "fray"}))

    assert TypeDice(DEFEND, (78,)) in commands(found)


def test_a_roll_that_the_table_waits_for_is_not_answered_with_what_was_taken_back(brawl: Session) -> None:
    brawl.rewind(9)

    assert TypeDice(DEFEND, (78,)) not in commands(correction(brawl, 9, Change(dice={"to-hit": (96,)})))


def test_an_amendment_that_stood_behind_is_not_performed_again(brawl: Session) -> None:
    brawl.amend(9, Change(dice={"to-hit": (98,)}), why="y")

    again = commands(correction(brawl, 5, Change(dice={"ann": (91,)})))

    assert [each.why for each in again if isinstance(each, Amend)] == ["x"]
    assert TypeDice(TO_HIT, (98,)) in again


def test_what_waited_behind_an_earlier_correction_comes_where_it_is_asked_for(brawl: Session) -> None:
    brawl.amend(7, Change(drop=True), why="he only shouted")
    play(brawl, Note("x"))
    change = Change(insert=({"declare": {"kind": "attack", "by": "ann", "at": "bob", "using": "club"}},))

    again = commands(correction(brawl, brawl.log.head, change))

    assert [type(each) for each in again] == [Amend, Declare, Note, Choose, TypeDice, TypeDice]


def test_an_overruling_is_corrected_in_its_value(brawl: Session) -> None:
    brawl.rewind(8)
    brawl.overrule(BOB, "score", 3, why="slow")
    word = next(entry for entry in brawl.entries() if isinstance(entry.command, Overrule))

    found = correction(brawl, word.seq, Change(set={"value": 4}))

    assert [each.value for each in commands(found) if isinstance(each, Overrule)] == [4]


# ------------------------------------------------------------------------------------------------ who may see it


@pytest.mark.parametrize(
    ("asked", "roll", "seen_by"),
    [(None, None, None), (("ann", "bob"), None, ("ann", "bob")), (("ann", "bob"), ("bob",), ("bob",)), (None, (), ())],
)
def test_an_amendment_is_as_secret_as_it_is_asked_to_be_and_as_the_dice_that_it_corrects(
    asked: Any, roll: Any, seen_by: Any
) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    play(session, Join("ann", SHEET), BeginCombat(), TypeDice(ANN, (90,), seen_by=roll))

    for entry in (3, 4):
        (first, *_) = commands(correction(session, entry, Change(dice={"ann": (91,)}), seen_by=asked))
        assert first.seen_by == seen_by


def test_an_amendment_of_a_secret_entry_is_as_secret(brawl: Session) -> None:
    play(brawl, Note("hush", seen_by=()))

    assert commands(correction(brawl, brawl.log.head, Change(set={"text": "shh"})))[0].seen_by == ()


def test_names_of_those_who_joined_in_secret_are_ids_in_what_is_changed(brawl: Session) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    play(session, Join("ann", SHEET), Join("dog", SHEET), Join("sniper", SHEET, unseen=True, seen_by=()), BeginCombat())
    unseen = next(who for who in session.combat.roster.who if who.startswith("unseen-"))
    play(session, TypeDice(ANN, (90,)), TypeDice("r1/dog/initiative", (5,)), TypeDice(f"r1/{unseen}/initiative", (10,)))
    play(session, Declare("attack", "ann", {"at": "dog", "using": "club"}))

    first, right, *_ = commands(correction(session, session.log.head, Change(set={"at": "sniper"})))

    assert first.change == {"set": {"at": unseen}}  # type: ignore[attr-defined]
    assert msgspec.to_builtins(right)["terms"]["at"] == unseen
