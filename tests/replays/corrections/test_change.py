"""A change by itself: how it is read, checked, applied to a command, hidden from viewers, and put into words."""

from typing import Any

import msgspec
import pytest

from ledger.commands import (
    COMMANDS,
    Amend,
    AmendSheet,
    Choose,
    CloseSession,
    Command,
    Declare,
    DrawDice,
    GiveNonce,
    Join,
    Note,
    OpenSession,
    Overrule,
    Reveal,
    Rewind,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.errors import BadCommand
from replays.corrections.change import (
    AMENDABLE,
    BadChange,
    Change,
    audience,
    change_of,
    changed,
    checked,
    corrected,
    in_words,
    kind_in_words,
    plain,
    rerolled,
    shown,
    summary,
)
from replays.sessions.intent import Intent

GM = Who("gm", Seat.GM)
ATTACK = Declare("attack", "ann", {"at": "bob", "range": {"in": "m", "is": 3}}, seen_by=("ann",), given_at="k")
DRAWN = DrawDice("k", (3, 4), ("drawn", "drawn"), seen_by=("ann",))


def refused(change: Any, apply: Any) -> tuple[str, str, str]:
    with pytest.raises(BadChange) as refusal:
        apply(change)
    return str(refusal.value), refusal.value.where, refusal.value.accepts


# ------------------------------------------------------------------------------------------------ reading


def test_a_change_is_read_back_as_it_was_written() -> None:
    change = Change(set={"terms.range": 4}, insert=({"note": "x"},), drop=True, dice={"k": (1, 2)})

    assert plain(change) == {"set": {"terms.range": 4}, "insert": [{"note": "x"}], "drop": True, "dice": {"k": [1, 2]}}
    assert change_of(plain(change)) == change == checked(change)
    assert plain(Change()) == {}


@pytest.mark.parametrize(
    ("words", "where"),
    [({"dropped": True}, "change"), ({"dice": {"k": [1, "x"]}}, "change.dice[...][1]"), ({"drop": 1}, "change.drop")],
)
def test_what_is_no_change_is_refused_with_where_it_is_none(words: dict[str, Any], where: str) -> None:
    told, found, accepts = refused(words, change_of)

    assert "the change is invalid: " in told
    assert (found, accepts) == (where, "set, insert, drop, dice")


@pytest.mark.parametrize("strange", [None, {}, {"drop": True}])
def test_what_is_not_even_of_its_type_is_refused(strange: Any) -> None:
    told, where, accepts = refused(strange, checked)

    assert f"{type(strange).__name__} is not a change" in told
    assert (where, accepts) == ("change", "a Change")


@pytest.mark.parametrize("value", [object(), {"x": [object()]}, "\ud800"])
def test_a_value_that_cannot_be_written_is_refused(value: Any) -> None:
    told, where, accepts = refused(Change(set={"terms.x": value}), checked)

    assert "the change is invalid: " in told
    assert (where, accepts) == ("change", "plain values")


def test_fields_are_put_into_their_types() -> None:
    found = checked(Change(insert=[{"note": "x"}], dice={"k": [1]}))  # type: ignore[arg-type]

    assert found == Change(insert=({"note": "x"},), dice={"k": (1,)})
    with pytest.raises(BadChange):
        checked(Change(drop="yes"))  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ fields


@pytest.mark.parametrize(
    ("command", "values", "expected"),
    [
        (ATTACK, {}, ATTACK),
        (ATTACK, {"by": "zoe"}, msgspec.structs.replace(ATTACK, by="zoe")),
        (ATTACK, {"terms": {"at": "zoe"}}, msgspec.structs.replace(ATTACK, terms={"at": "zoe"})),
        (ATTACK, {"at": "zoe"}, msgspec.structs.replace(ATTACK, terms={**ATTACK.terms, "at": "zoe"})),
        (ATTACK, {"terms.at": None}, msgspec.structs.replace(ATTACK, terms={"range": {"in": "m", "is": 3}})),
        (ATTACK, {"range.is": 5}, msgspec.structs.replace(ATTACK, terms={"at": "bob", "range": {"in": "m", "is": 5}})),
        (ATTACK, {"range.is": None}, msgspec.structs.replace(ATTACK, terms={"at": "bob", "range": {"in": "m"}})),
        (ATTACK, {"new.x": 1}, msgspec.structs.replace(ATTACK, terms={**ATTACK.terms, "new": {"x": 1}})),
        (Join("ann", {"init": 3}), {"init": 4, "name": "Ann"}, Join("ann", {"init": 4}, "Ann")),
        (AmendSheet("ann", {"init": 3}), {"sheet.init": 4}, AmendSheet("ann", {"init": 4})),
        (Note("x"), {"text": "y"}, Note("y")),
        (DRAWN, {"faces": [1, 2]}, TypeDice("k", (1, 2), seen_by=("ann",))),
        (DRAWN, {"key": "j"}, TypeDice("j", (3, 4), seen_by=("ann",))),
        (DRAWN, {"key": "k"}, DRAWN),
        (Choose("k", "x"), {"key": "j"}, Choose("j", "x")),
    ],
)
def test_fields_are_set_by_their_paths(command: Command, values: dict[str, Any], expected: Command) -> None:
    found = changed(command, Change(set=values))

    assert type(found) is type(expected)
    assert found == expected


@pytest.mark.parametrize(
    ("command", "values", "where", "accepts"),
    [
        (Note("x"), {"words": "y"}, "words", "about, text"),
        (Note("x"), {"seen_by": ["ann"]}, "seen_by", "about, text"),
        (Note("x"), {"given_at": "k"}, "given_at", "about, text"),
        (DRAWN, {"provenance": ["typed", "typed"]}, "provenance", "faces, key"),
        (Note("x"), {"text": 5}, "set.text", "a value of that field's type"),
        (Note("x"), {"text.a": 5}, "text.a", "a path to a field"),
        (ATTACK, {"at.x": 5}, "at.x", "a path to a field"),
        (ATTACK, {"terms.at": "zoe", "at": "bob"}, "at", "one of them"),
        (DRAWN, {"faces": ["x"]}, "set.faces[0]", "a value of that field's type"),
    ],
)
def test_what_a_command_does_not_have_is_refused(
    command: Command, values: dict[str, Any], where: str, accepts: str
) -> None:
    assert refused(Change(set=values), lambda change: changed(command, change))[1:] == (where, accepts)


def test_why_where_faces_came_from_is_not_corrected_is_said() -> None:
    def told(command: Command, field: str) -> str:
        return refused(Change(set={field: 1}), lambda change: changed(command, change))[0]

    assert "the provenance of faces cannot be corrected" in told(DRAWN, "provenance")
    assert "DrawDice has no 'words'" in told(DRAWN, "words")
    assert "Note has no 'provenance'" in told(Note("x"), "provenance")
    assert "'text.a' leads to no field" in told(Note("x"), "text.a")


# ------------------------------------------------------------------------------------------------ what was asked

DV, ARMOR = Overrule("a", "dv", 9, "x"), Overrule("a", "armor", 0, "y")


def test_what_was_asked_is_corrected_and_stays_as_it_was_asked() -> None:
    asked = Intent(ATTACK, GM, ATTACK, (DV,), 7)

    found = corrected(asked, Change(set={"at": "zoe"}))

    assert found.command is found.decided
    assert found.command == changed(ATTACK, Change(set={"at": "zoe"}))
    assert (found.by, found.overrules, found.origin) == (GM, (DV,), 7)
    assert corrected(asked, Change()) == asked


def test_of_an_overruling_its_word_is_corrected_and_those_beneath_it_stay() -> None:
    asked = Intent(DV, GM, DRAWN, (ARMOR, DV), 7)

    found = corrected(asked, Change(set={"value": 4}))

    word = Overrule("a", "dv", 4, "x")
    assert found == Intent(word, GM, DRAWN, (ARMOR, word), 7)


def test_beyond_a_bound_nothing_is_corrected_but_what_was_recorded_so_is_left() -> None:
    long = Note("x" * 10_000_000)

    with pytest.raises(BadCommand):
        corrected(Intent(Note("x"), GM, Note("x")), Change(set={"text": long.text}))
    assert corrected(Intent(long, GM, long), Change()).command is long


def test_dice_that_were_misread_are_typed_in_the_place_of_the_roll() -> None:
    roll, typed = Intent(DV, GM, DRAWN, (DV,), 7), TypeDice("k", (5, 6), seen_by=("ann",))

    assert rerolled(roll, {"k": (5, 6)}) == Intent(typed, GM, typed, (DV,), 7)
    assert rerolled(roll, {"j": (5, 6)}) is roll
    choice = Intent(Choose("k", "x"), GM, Choose("k", "x"))
    assert rerolled(choice, {"k": (5, 6)}) is choice
    assert corrected(Intent(DRAWN, GM, DRAWN, (), 7), Change(dice={"k": (5, 6)})) == Intent(typed, GM, typed, (), 7)
    assert corrected(roll, Change(dice={"k": (5, 6)})).decided == typed


def test_who_may_see_a_correction_may_see_what_is_corrected() -> None:
    ann = Join("ann", {}, seen_by=("zoe",), sheet_seen_by=("ann",))
    open_sheet = Join("ann", {}, seen_by=("zoe",))
    sheet, name = Change(set={"name": "x", "sheet.init": 3}), Change(set={"name": "x"})

    assert [audience(ann, change) for change in (sheet, name)] == [("ann",), ("zoe",)]
    assert audience(open_sheet, sheet) == ("zoe",)
    assert audience(Note("x"), sheet) is None
    assert audience(Note("x", seen_by=()), sheet) == ()


# ------------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (Declare("attack", "ann"), "ann declares attack"),
        (Declare("attack", "ann", {"at": "bob", "aimed": True}), "ann declares attack: at bob, aimed true"),
        (TypeDice("k", (3, 4)), "3 4 for k"),
        (DrawDice("k", (3,)), "3 for k"),
        (Choose("k", "fray"), "fray for k"),
        (Overrule("k", "dv", 9, "x"), "overrule dv of k: 9"),
        (AmendSheet("ann", {}), "amend sheet"),
        (Note("x"), "note"),
    ],
)
def test_a_command_is_said_in_a_few_words(command: Command, words: str) -> None:
    assert summary(command) == words


def test_a_kind_of_command_is_said_as_people_say_it() -> None:
    assert [kind_in_words(each) for each in (CloseSession(), GiveNonce("a", "b"))] == ["close session", "give nonce"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "true"),
        (False, "false"),
        (7, "7"),
        ("Bob", "Bob"),
        (None, "None"),
        (["a", True], "a and true"),
        (("a", 2), "a and 2"),
        ({"ap": -5, "is": ["x", "y"]}, "(ap -5, is x and y)"),
    ],
)
def test_a_value_is_shown_as_people_say_it(value: Any, words: str) -> None:
    assert shown(value) == words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"set": {"terms.range": 4, "by": "ann"}}, "terms.range = 4, by = ann"),
        ({"modify": {"value": 5}}, "a modifier of +5"),
        ({"modify": {"value": -5}}, "a modifier of -5"),
        ({"overrule": {"figure": "dv", "value": 9}}, "dv = 9"),
        ({"insert": [{"note": "x"}, {"note": "y"}]}, "before it: (note x), before it: (note y)"),
        ({"dice": {"k": [1, 2], "j": [3]}}, "k = 1 2, j = 3"),
        ({"drop": True}, "it never happened"),
        ({"drop": False, "set": {"by": "ann"}}, "by = ann"),
        ({"insert": [{"note": "x"}], "drop": True}, "before it: (note x), it never happened"),
        ({}, ""),
    ],
)
def test_a_change_is_said_in_a_few_words(change: dict[str, Any], words: str) -> None:
    assert in_words(change) == words


def test_what_binds_a_session_and_its_history_is_not_amended() -> None:
    final = {OpenSession, Rewind, Amend, GiveNonce, Reveal, CloseSession}

    assert final.isdisjoint(AMENDABLE)
    assert {*AMENDABLE} | final == {*COMMANDS}
