"""Counts in place of faces: which suffice, and which no dice can show."""

from itertools import product

import pytest

from ledger.errors import Refused
from machines.contract.dice_reading import (
    EACH,
    SUM,
    THE_TOTAL,
    DiceCount,
    DiceReading,
    check_counts,
    counts_in_words,
    summary_of,
)
from machines.contract.refusals import CountNeeded, FacesNeeded, ImpossibleCount
from projections.rolls import Roll

HITS, ONES = DiceCount("hits", from_face=5), DiceCount("ones", to_face=1, is_needed=False)
SIXES = DiceCount("sixes", from_face=6, is_needed=False)
POOL = DiceReading(order=False, counts=(HITS, ONES, SIXES))
DAMAGE = DiceReading(order=False, counts=(THE_TOTAL, SIXES))


@pytest.mark.parametrize(
    ("dice", "reading", "counts", "kind", "where", "accepts"),
    [
        ("1d100", EACH, {"total": 50}, FacesNeeded, "counts", "its faces"),
        ("1d10", SUM, {"total": 5}, FacesNeeded, "counts", "its faces"),
        ("4", SUM, {"total": 0}, FacesNeeded, "counts", "no faces"),
        ("4", POOL, {"hits": 0}, FacesNeeded, "counts", "no faces"),
        ("3d6", SUM, {"hits": 2}, ImpossibleCount, "counts.hits", "total"),
        ("3d6", SUM, {}, CountNeeded, "counts.total", "total"),
        ("3d6", SUM, {"total": 2}, ImpossibleCount, "counts.total", "3 to 18"),
        ("2d10+5", SUM, {"total": 21}, ImpossibleCount, "counts.total", "2 to 20"),
        ("12d6", POOL, {"ones": 2}, CountNeeded, "counts.hits", "hits, ones, sixes"),
        ("12d6", POOL, {"hits": 13}, ImpossibleCount, "counts.hits", "0 to 12"),
        ("12d6", POOL, {"hits": -1}, ImpossibleCount, "counts.hits", "0 to 12"),
        ("12d6", POOL, {"hits": 10, "ones": 3}, ImpossibleCount, "counts.hits", "0 to 9"),
        ("12d6", POOL, {"hits": 4, "sixes": 5}, ImpossibleCount, "counts.hits", "5 to 12"),
        ("12d6", POOL, {"total": 30}, ImpossibleCount, "counts.total", "hits, ones, sixes"),
        ("2d6", DAMAGE, {"total": 11, "sixes": 0}, ImpossibleCount, "counts.total", "2 to 10"),
        ("2d6", DAMAGE, {"total": 6, "sixes": 1}, ImpossibleCount, "counts.total", "7 to 11"),
    ],
)
def test_what_does_not_suffice_or_cannot_be_is_refused(
    dice: str, reading: DiceReading, counts: dict[str, int], kind: type[Refused], where: str, accepts: str
) -> None:
    with pytest.raises(kind) as refused:
        check_counts(dice, reading, counts)

    assert (refused.value.where, refused.value.accepts) == (where, accepts)


@pytest.mark.parametrize(("dice", "reading"), [("3d6", SUM), ("3d6", POOL), ("2d6+1", DAMAGE), ("1d6", POOL)])
def test_counts_are_accepted_if_and_only_if_some_throw_has_them(dice: str, reading: DiceReading) -> None:
    known = summary_of(dice, reading)
    size = int(dice[0])
    throws = [Roll(dice=dice, faces=faces) for faces in product(range(1, 7), repeat=size)]
    shown = {tuple(roll.total if each == THE_TOTAL else each.of(roll) for each in known) for roll in throws}

    for numbers in product(*(range(-1, 20 if each == THE_TOTAL else size + 2) for each in known)):
        accepted = True
        try:
            check_counts(dice, reading, {each.name: number for each, number in zip(known, numbers, strict=True)})
        except ImpossibleCount:
            accepted = False
        assert accepted == (numbers in shown), numbers


@pytest.mark.parametrize(
    ("counts", "dice", "words"),
    [
        ({"hits": 4, "ones": 2}, "12d6", "4 hits and 2 ones of 12 dice"),
        ({"hits": 1, "ones": 1, "sixes": 1}, "3d6", "1 hit and 1 one and 1 six of 3 dice"),
        ({"hits": 0}, "1d6", "0 hits of 1 die"),
        ({"total": 11}, "3d6", "a total of 11 on 3d6"),
        ({"total": 11, "sixes": 1}, "", "a total of 11 and 1 six"),
    ],
)
def test_counts_in_words(counts: dict[str, int], dice: str, words: str) -> None:
    assert counts_in_words(counts, dice) == words
