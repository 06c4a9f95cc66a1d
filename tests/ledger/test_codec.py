"""Lines of the log, of every shape ever written."""

from typing import Any

import msgspec
import pytest

from ledger.codec import SHAPE, by_name, canonical, decode, encode
from ledger.commands import Note, OpenSession, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.errors import Newer, Unreadable
from ledger.events import ChoiceRequested, DiceRolled, Noted, Option, SheetGiven

AT = "2024-11-03T19:30:00.000Z"
ENTRY = Entry(
    1, 7, 6, AT, Who("kira", Seat.PLAYER), 1, None, Note("hm", "ann"), (Noted("hm", "ann"), Noted("!", "", seen_by=()))
)
LINE = (
    b'{"v":1,"seq":7,"after":6,"at":"2024-11-03T19:30:00.000Z","by":["kira","player"],"rules":1,'
    b'"origin":null,"command":{"type":"Note","text":"hm","about":"ann"},"events":[["note","hm","ann",null],["note","!","",[]]]}'
)


def test_the_line_is_this_byte_for_byte() -> None:
    assert encode(ENTRY) == LINE
    assert decode(LINE) == ENTRY
    assert decode(LINE.decode()) == ENTRY


def test_keys_of_plain_objects_are_sorted_and_fields_are_not() -> None:
    sheet = {"b": 1, "a": {"d": 1, "c": [{"f": 1, "e": 2}]}}

    assert canonical(SheetGiven("ann", sheet)) == b'["sheet","ann",{"a":{"c":[{"e":2,"f":1}],"d":1},"b":1},null]'


def test_letters_beyond_ascii_stand_for_themselves() -> None:
    assert canonical(Noted("Zoë “龍” 🎲", "")) == '["note","Zoë “龍” 🎲","",null]'.encode()


def test_fields_of_commands_at_their_default_are_left_out_and_read_as_the_default() -> None:
    command = OpenSession("x", "eclipse_phase_1e")

    assert canonical(command) == b'{"type":"OpenSession","title":"x","ruleset":"eclipse_phase_1e"}'
    assert decode(encode(_with(command))).command == command


def test_an_audience_of_nobody_is_not_an_audience_of_everybody() -> None:
    everybody, nobody = Note("x"), Note("x", seen_by=())

    assert decode(encode(_with(nobody))).command == nobody != everybody


@pytest.mark.parametrize(
    "line",
    [
        b"", b"null", b"[]", b"{}", b"7", b"{", LINE[:-1], LINE + b"x", LINE + LINE, b"\xff", LINE.replace(b"hm", b"\xff\xfe"),
        LINE.replace(b'"seq":7,', b""), LINE.replace(b'"seq":7', b'"seq":"7"'), LINE.replace(b'"seq":7', b'"seq":7.5'),
        LINE.replace(b'"Note"', b'"Sing"'), LINE.replace(b'["note"', b'["Sung"'), LINE.replace(b'"note","hm","ann"', b'"note","hm"'),
        LINE.replace(b'"v":1', b'"v":1,"more":1'), LINE.replace(b'"player"', b'"referee"'), LINE.replace(b',null]', b',"ann"]'),
        LINE.replace(b'"text"', b'"words"'), LINE.replace(b'"v":1,', b""), LINE.replace(b'"v":1', b'"v":null'),
        LINE.replace(b'"v":1', b'"v":true'),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_unreadable_and_nothing_else_is_raised(line: bytes) -> None:
    with pytest.raises(Unreadable) as refusal:
        decode(line)

    assert refusal.value.slug == "log/unreadable"


def test_an_unreadable_line_names_the_first_bad_field() -> None:
    with pytest.raises(Unreadable, match=r"\$\.command\.text"):
        decode(LINE.replace(b'"hm","about"', b'5,"about"'))


@pytest.mark.parametrize("version", [SHAPE + 1, SHAPE + 2, 10**9])
def test_a_newer_shape_is_refused_as_newer_not_as_damaged(version: int) -> None:
    for line in (LINE.replace(b'"v":1', b'"v":%d' % version), b'{"v":%d,"all":"is different"}' % version):
        with pytest.raises(Newer) as refusal:
            decode(line)

        assert refusal.value.slug == "log/newer"
        assert refusal.value.accepts == f"1 to {SHAPE}"


def _from_zero(plain: dict[str, Any]) -> dict[str, Any]:
    """Converts shape 0, which called the text of a command ``words`` and had no `origin`."""
    command = {"text" if name == "words" else name: value for name, value in plain["command"].items()}
    return {**plain, "v": 1, "origin": None, "command": command}


OLDER = LINE.replace(b'"v":1', b'"v":0').replace(b'"text"', b'"words"').replace(b'"origin":null,', b"")


def test_an_older_shape_is_upcast_on_reading() -> None:
    assert decode(OLDER, {0: _from_zero}) == ENTRY


def test_every_upcast_on_the_way_is_taken_in_turn() -> None:
    oldest = OLDER.replace(b'"v":0', b'"v":-1').replace(b'"after"', b'"on"')

    def from_the_first(plain: dict[str, Any]) -> dict[str, Any]:
        return {**{name: value for name, value in plain.items() if name != "on"}, "v": 0, "after": plain["on"]}

    assert decode(oldest, {-1: from_the_first, 0: _from_zero}) == ENTRY


def test_an_older_shape_that_no_upcast_knows_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        decode(OLDER)


def test_an_upcast_that_makes_no_entry_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        decode(OLDER, {0: lambda plain: {**plain, "v": 1}})


def test_a_line_of_today_is_never_upcast() -> None:
    def never(_: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError("it is of today's shape")

    assert decode(LINE, {0: never, 1: never}) == ENTRY


def test_events_by_name_show_who_may_see_them_only_where_not_everyone_may() -> None:
    options = (Option("fray", "Fray 30", 30), Option("none", "no defense"))

    assert by_name(Noted("x", "")) == {"type": "Noted", "text": "x", "about": ""}
    assert by_name(Noted("x", "", seen_by=())) == {"type": "Noted", "text": "x", "about": "", "seen_by": ()}
    assert by_name(DiceRolled("k", (3, 4), ("typed", "typed"), seen_by=("ann",)))["seen_by"] == ("ann",)
    assert msgspec.json.encode(by_name(ChoiceRequested("k", "ann", options, None, "defend")))


def _with(command: Note | OpenSession | TypeDice) -> Entry:
    return Entry(1, 1, 0, AT, Who("gm"), 1, None, command, ())
