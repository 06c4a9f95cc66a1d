"""Which roll a shorthand means, in logs that are written down for it: of the entry, of its exchange, of what followed."""

from typing import Any

import pytest
from written_log import WrittenLog

from ledger.commands import Command, Declare, DrawDice, Note, TypeDice
from ledger.events import Declared, RollRequested
from projections.combat import Combat, fold
from replays.corrections.change import BadChange, Change
from replays.corrections.misread_dice import Misread, misread, resolved

A1, A2 = "r1/ann/a1/attack", "r1/ann/a2/attack"
TO_HIT, DEFEND, AGAIN, FIRST = f"{A1}/to-hit", f"{A1}/defend", f"{A2}/to-hit", "r1/cyd/initiative"
DAMAGE = f"{A1}/damage"
WHO = {TO_HIT: "ann", DEFEND: "bob", AGAIN: "ann", FIRST: "cyd", DAMAGE: "ann"}
ASKED = tuple(RollRequested(key, who, "1d6", "luck", "") for key, who in WHO.items())
OUTSIDE = fold(ASKED, Combat())


def within(key: str) -> Combat:
    """A state in which that is being resolved."""
    return fold((Declared(key, "attack", "ann", {}), *ASKED), Combat())


@pytest.fixture
def log() -> WrittenLog:
    """Ann attacks (2), hits (3), Bob defends (4); Cyd's Initiative (5); Ann attacks again (6) and hits (7)."""
    log = WrittenLog()
    log._states[1] = OUTSIDE
    attack = Declare("attack", "ann")
    log.add(attack, Declared(A1, "attack", "ann", {}), state=within(A1))
    log.add(TypeDice(TO_HIT, (1, 2)), state=within(A1))
    log.add(DrawDice(DEFEND, (3,)), state=OUTSIDE)
    log.add(TypeDice(FIRST, (4,)), state=OUTSIDE)
    log.add(attack, Declared(A2, "attack", "ann", {}), state=within(A2))
    log.add(TypeDice(AGAIN, (5,)), state=OUTSIDE)
    return log


def meant(log: WrittenLog, entry: int, *shorts: str) -> dict[str, Any]:
    return resolved(log.log, log.entry(entry), Change(dice=dict.fromkeys(shorts, (6,)))).dice


def refused(log: WrittenLog, entry: int, change: Change) -> tuple[str, str, str]:
    with pytest.raises(BadChange) as refusal:
        resolved(log.log, log.entry(entry), change)
    return refusal.value.message, refusal.value.where, refusal.value.accepts


# ------------------------------------------------------------------------------------------------ which roll


@pytest.mark.parametrize(
    ("entry", "short", "key"),
    [
        (2, "to-hit", TO_HIT), (3, "to-hit", TO_HIT), (7, "to-hit", AGAIN), (4, "to-hit", AGAIN), (6, "to-hit", AGAIN),
        (2, "ann", TO_HIT), (3, "defend", DEFEND), (4, "bob", DEFEND), (2, "initiative", FIRST), (3, "cyd", FIRST),
        (2, AGAIN, AGAIN), (3, "a2/attack/to-hit", AGAIN),
    ],
)  # fmt: skip
def test_a_shorthand_means_a_roll_of_the_entry_then_of_its_exchange_then_one_that_followed(
    log: WrittenLog, entry: int, short: str, key: str
) -> None:
    assert meant(log, entry, short) == {key: (6,)}


def test_an_entry_means_its_own_roll_though_others_of_its_exchange_fit(log: WrittenLog) -> None:
    log.add(TypeDice(DAMAGE, (2,)), state=OUTSIDE)

    assert meant(log, 3, "ann") == {TO_HIT: (6,)}
    assert refused(log, 2, Change(dice={"ann": (6,)}))[2] == f"{TO_HIT}, {DAMAGE}"


def test_a_declaration_means_its_own_exchange_though_it_breaks_into_another(log: WrittenLog) -> None:
    log._states[5] = within(A1)
    log.add(TypeDice(f"{A1}/to-hit", (2,)), state=OUTSIDE)

    assert meant(log, 6, "to-hit") == {AGAIN: (6,)}


def test_a_roll_that_was_thrown_twice_is_one_roll(log: WrittenLog) -> None:
    log.add(TypeDice(AGAIN, (1,)), state=OUTSIDE)

    assert meant(log, 5, "to-hit") == {AGAIN: (6,)}
    assert refused(log, 5, Change(dice={"x": (6,)}))[2] == f"{FIRST}, {AGAIN}"


def test_where_several_fit_alike_they_are_named(log: WrittenLog) -> None:
    log.add(Note("x"), state=OUTSIDE)
    log.add(TypeDice(TO_HIT, (2,)), state=OUTSIDE)

    assert refused(log, 5, Change(dice={"to-hit": (6,)})) == (
        "'to-hit' means several rolls from entry 5 on", "dice", f"{AGAIN}, {TO_HIT}",
    )  # fmt: skip


def test_where_none_fits_those_that_are_thrown_are_named(log: WrittenLog) -> None:
    assert refused(log, 5, Change(dice={"damage": (6,)})) == (
        "no roll 'damage' is thrown from entry 5 on", "dice", f"{FIRST}, {AGAIN}",
    )  # fmt: skip
    log.add(Note("x"), state=OUTSIDE)
    assert refused(log, 8, Change(dice={"to-hit": (6,)})) == (
        "no roll 'to-hit' is thrown from entry 8 on", "dice", "no roll is thrown from there on",
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ the resolved change


def test_a_change_without_dice_stays_as_it_is(log: WrittenLog) -> None:
    change = Change(set={"faces": [1]})

    assert resolved(log.log, log.entry(3), change) is change


def test_other_parts_of_a_change_stay(log: WrittenLog) -> None:
    change = Change(set={"at": "bob"}, dice={"to-hit": (6,), "bob": (2,)})

    assert resolved(log.log, log.entry(2), change) == Change(set={"at": "bob"}, dice={TO_HIT: (6,), DEFEND: (2,)})


def test_two_words_for_one_roll_say_the_same(log: WrittenLog) -> None:
    assert meant(log, 3, "to-hit", "ann", TO_HIT) == {TO_HIT: (6,)}
    assert refused(log, 3, Change(dice={"ann": (6,), "cyd": (6,), "to-hit": (5,)})) == (
        "'ann' and 'to-hit' contradict one another", "to-hit", "one of them",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "one"),
    [
        (Change(drop=True, dice={"to-hit": (6,)}), "drop"),
        (Change(set={"faces": [5]}, dice={"to-hit": (6,)}), "faces"),
        (Change(set={"faces": 6}, dice={"to-hit": (6,)}), "faces"),
    ],
)
def test_dice_of_the_very_roll_do_not_stand_beside_other_faces_or_none(
    log: WrittenLog, change: Change, one: str
) -> None:
    assert refused(log, 3, change) == (f"{one!r} and 'to-hit' contradict one another", "to-hit", "one of them")


@pytest.mark.parametrize(
    ("entry", "change", "dice"),
    [
        (3, Change(set={"faces": [6]}, dice={"to-hit": (6,)}), {TO_HIT: (6,)}),
        (3, Change(drop=True, dice={"cyd": (6,)}), {FIRST: (6,)}),
        (3, Change(set={"faces": [5]}, dice={"cyd": (6,)}), {FIRST: (6,)}),
        (2, Change(drop=True, dice={"cyd": (6,)}), {FIRST: (6,)}),
        (2, Change(set={"faces": [5]}, dice={"to-hit": (6,)}), {TO_HIT: (6,)}),
    ],
)
def test_dice_of_another_roll_stand_beside_whatever_else(
    log: WrittenLog, entry: int, change: Change, dice: dict[str, Any]
) -> None:
    assert resolved(log.log, log.entry(entry), change).dice == dice


# ------------------------------------------------------------------------------------------------ before and after


def read(log: WrittenLog, entry: int, change: Change) -> tuple[Misread, ...]:
    return misread(log.log, log.entry(entry), change)


def test_of_each_roll_it_is_told_whose_it_is_where_it_lies_and_what_it_was(log: WrittenLog) -> None:
    change = Change(dice={AGAIN: (6,), DEFEND: (2,), "r9/zoe/luck": (1,)})

    assert read(log, 2, change) == (Misread(AGAIN, "ann", 7, (5,), (6,)), Misread(DEFEND, "bob", 4, (3,), (2,)))


def test_faces_that_are_set_are_dice_of_the_roll_itself(log: WrittenLog) -> None:
    assert read(log, 3, Change(set={"faces": [6, 6]})) == (Misread(TO_HIT, "ann", 3, (1, 2), (6, 6)),)
    assert read(log, 4, Change(set={"faces": [6]})) == (Misread(DEFEND, "bob", 4, (3,), (6,)),)


@pytest.mark.parametrize(
    ("entry", "change"),
    [(2, Change(set={"faces": [6]})), (2, Change()), (3, Change(set={"key": "x"})), (5, Change(dice={TO_HIT: (6,)}))],
)
def test_where_no_dice_are_said_to_be_others_none_are_told(log: WrittenLog, entry: int, change: Change) -> None:
    assert read(log, entry, change) == ()


def test_what_is_not_thrown_is_no_roll(log: WrittenLog) -> None:
    command: Command = Note("to-hit")
    log.add(command, state=OUTSIDE)

    assert read(log, 7, Change(dice={AGAIN: (6,)})) == (Misread(AGAIN, "ann", 7, (5,), (6,)),)
