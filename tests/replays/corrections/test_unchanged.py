"""A change that leaves everything as it is recorded is refused; whatever changes something is none of it."""

import pytest

from ledger.commands import Command, Declare, Note, TypeDice
from replays.corrections.change import BadChange, Change
from replays.corrections.misread_dice import Misread
from replays.corrections.unchanged import check_changed

ROLL = TypeDice("r1/ann/initiative", (3, 4))
ATTACK = Declare("attack", "ann", {"at": "bob", "distance": 5})


def read(before: tuple[int, ...], after: tuple[int, ...], key: str = ROLL.key) -> Misread:
    return Misread(key, "ann", 2, before, after)


@pytest.mark.parametrize(
    ("command", "change", "rolls"),
    [
        (ATTACK, Change(set={"at": "zoe"}), ()),
        (ATTACK, Change(set={"at": "bob", "distance": 6}), ()),
        (ATTACK, Change(drop=True), ()),
        (ATTACK, Change(insert=({"note": "x"},)), ()),
        (ATTACK, Change(set={"at": "bob"}, dice={ROLL.key: (5, 5)}), (read((3, 4), (5, 5)),)),
        (ATTACK, Change(dice={"a": (3, 4), "b": (5, 5)}), (read((3, 4), (3, 4), "a"), read((3, 4), (5, 5), "b"))),
        (ROLL, Change(set={"faces": [5, 5]}), (read((3, 4), (5, 5)),)),
        (ROLL, Change(set={"faces": [4, 3]}), (read((3, 4), (4, 3)),)),
        (ROLL, Change(set={"faces": [3, 4], "key": "r1/bob/initiative"}), (read((3, 4), (3, 4)),)),
        (Note("x"), Change(set={"text": "y"}), ()),
    ],
)
def test_a_change_of_anything_passes(command: Command, change: Change, rolls: tuple[Misread, ...]) -> None:
    check_changed(command, change, rolls)


@pytest.mark.parametrize(
    ("command", "change", "rolls"),
    [
        (ATTACK, Change(set={"at": "bob"}), ()),
        (ATTACK, Change(set={"terms": {"distance": 5, "at": "bob"}}), ()),
        (ATTACK, Change(set={"at": "bob"}, dice={ROLL.key: (3, 4)}), (read((3, 4), (3, 4)),)),
        (ROLL, Change(set={"faces": [3, 4]}), (read((3, 4), (3, 4)),)),
        (ROLL, Change(set={"faces": "3,4"}), (read((3, 4), (3, 4)),)),
    ],
)
def test_a_change_to_what_is_recorded_is_refused(command: Command, change: Change, rolls: tuple[Misread, ...]) -> None:
    with pytest.raises(BadChange) as refusal:
        check_changed(command, change, rolls)

    found = refusal.value
    assert (found.message, found.where) == ("nothing is changed", "change")
    assert found.accepts == "a value or dice other than those recorded"


def test_a_field_that_a_command_has_not_is_refused_though_it_is_called_faces() -> None:
    with pytest.raises(BadChange, match="faces"):
        check_changed(Note("x"), Change(set={"faces": 3}), ())
